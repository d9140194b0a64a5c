// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	"github.com/twmb/franz-go/pkg/sasl"
	franzaws "github.com/twmb/franz-go/pkg/sasl/aws"
)

// AWS says which identity signs an MSK IAM login. What is left out, AWS's default
// chain finds: environment, shared files, web identity, container, instance.
type AWS struct {
	// Region is where the cluster is; "" reads it off the broker's name.
	Region string
	// Profile is a profile of the shared files.
	Profile string
	// AccessKey, SecretKey and SessionToken are fixed credentials.
	AccessKey    string
	SecretKey    Secret
	SessionToken Secret
	// RoleARN is a role to assume.
	RoleARN string
	// RoleSessionName names the session of RoleARN.
	RoleSessionName string
	// ExternalID is what RoleARN's trust policy asks for.
	ExternalID string
	// WebIdentityTokenFile holds a token that is good for RoleARN.
	WebIdentityTokenFile string
}

// awsLogin signs logins. It is safe for concurrent use.
type awsLogin struct {
	settings AWS
	timeout  time.Duration

	mu          sync.Mutex
	region      string // of the SDK's own configuration
	credentials *aws.CredentialsCache
}

func newAWSLogin(settings AWS, timeout time.Duration) *awsLogin {
	return &awsLogin{settings: settings, timeout: timeout}
}

// Name is the mechanism's.
func (*awsLogin) Name() string { return AWSIAM.OnTheWire() }

// Authenticate signs a login at one broker. Where the broker's name tells the region,
// the client library's own mechanism does it; else the SDK's signer, which takes one.
func (l *awsLogin) Authenticate(ctx context.Context, address string) (sasl.Session, []byte, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	told := regionOf(host)
	keys, region, err := l.retrieve(ctx, told)
	if err != nil {
		return nil, nil, err
	}
	if region == "" {
		return nil, nil, &TokenError{From: "AWS", Reason: fmt.Sprintf("the region is not known: the broker's name %q does not tell it, and neither sasl.aws.region nor AWS_REGION does", host)}
	}
	auth := franzaws.Auth{AccessKey: keys.AccessKeyID, SecretKey: keys.SecretAccessKey, SessionToken: keys.SessionToken, UserAgent: softwareName}
	if region == told {
		return auth.AsManagedStreamingIAMMechanism().Authenticate(ctx, address)
	}
	payload, err := signLogin(ctx, keys, host, region)
	return awsSession{}, payload, err
}

// retrieve returns credentials and the region to sign for.
func (l *awsLogin) retrieve(ctx context.Context, told string) (aws.Credentials, string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.credentials == nil {
		if err := l.load(ctx, told); err != nil {
			return aws.Credentials{}, "", awsFailed(err)
		}
	}
	keys, err := l.credentials.Retrieve(ctx)
	if err != nil {
		return aws.Credentials{}, "", awsFailed(err)
	}
	region := l.settings.Region
	if region == "" {
		region = told
	}
	if region == "" {
		region = l.region
	}
	return keys, region, nil
}

// load sets the chain up.
func (l *awsLogin) load(ctx context.Context, told string) error {
	s := l.settings
	// What the SDK would log goes to nobody: its errors come back.
	options := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{})}
	if s.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(s.Profile))
	}
	if s.AccessKey != "" {
		options = append(options, config.WithCredentialsProvider(
			credentials.NewStaticCredentialsProvider(s.AccessKey, s.SecretKey.Reveal(), s.SessionToken.Reveal())))
	}
	if s.Region != "" {
		options = append(options, config.WithRegion(s.Region))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return err
	}
	l.region = loaded.Region
	if loaded.Region == "" {
		loaded.Region = told // for asking STS
	}
	provider := loaded.Credentials
	switch {
	case s.WebIdentityTokenFile != "":
		provider = stscreds.NewWebIdentityRoleProvider(sts.NewFromConfig(loaded), s.RoleARN, stscreds.IdentityTokenFile(s.WebIdentityTokenFile),
			func(o *stscreds.WebIdentityRoleOptions) { o.RoleSessionName = s.sessionName() })
	case s.RoleARN != "":
		provider = stscreds.NewAssumeRoleProvider(sts.NewFromConfig(loaded), s.RoleARN, func(o *stscreds.AssumeRoleOptions) {
			o.RoleSessionName = s.sessionName()
			if s.ExternalID != "" {
				o.ExternalID = aws.String(s.ExternalID)
			}
		})
	}
	l.credentials = aws.NewCredentialsCache(provider)
	return nil
}

// sessionName names the session of an assumed role.
func (a AWS) sessionName() string {
	if a.RoleSessionName != "" {
		return a.RoleSessionName
	}
	return softwareName
}

// awsFailed puts the SDK's long chain of errors into one sentence.
func awsFailed(err error) error {
	var api smithy.APIError
	if errors.As(err, &api) {
		return &TokenError{From: "AWS", Reason: fmt.Sprintf("%s: %s", api.ErrorCode(), api.ErrorMessage())}
	}
	// The SDK says of each of its layers that it could not refresh.
	reason := strings.ReplaceAll(err.Error(), "failed to refresh cached credentials, ", "")
	if strings.Contains(reason, "no EC2 IMDS role found") { // the last link of the chain: an instance's own role
		reason = "nobody there to sign: no access_key, profile, role_arn or web_identity_token_file is set in sasl.aws or in AWS's own variables, the shared files have no default profile, and this machine has no role of its own (" + reason + ")"
	}
	return &TokenError{From: "AWS", Reason: reason}
}

// emptyPayload is the SHA-256 of nothing, in hexadecimal.
const emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// signLogin builds the login as the service reads it: a presigned request, its query
// as an object (the README of aws-msk-iam-auth, "Authentication payload").
func signLogin(ctx context.Context, keys aws.Credentials, host, region string) ([]byte, error) {
	query := url.Values{"Action": {"kafka-cluster:Connect"}, "X-Amz-Expires": {"900"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, (&url.URL{Scheme: "kafka", Host: host, Path: "/", RawQuery: query.Encode()}).String(), nil)
	if err != nil {
		return nil, err
	}
	signed, _, err := v4.NewSigner().PresignHTTP(ctx, keys, request, emptyPayload, "kafka-cluster", region, time.Now())
	if err != nil {
		return nil, err
	}
	parsed, err := url.Parse(signed)
	if err != nil {
		return nil, err
	}
	payload := map[string]string{"version": "2020_10_22", "host": host, "user-agent": softwareName}
	for name, values := range parsed.Query() {
		payload[strings.ToLower(name)] = values[0]
	}
	return json.Marshal(payload)
}

// awsSession ends after the broker's first word.
type awsSession struct{}

// Challenge takes the broker's answer, which is never empty.
func (awsSession) Challenge(answer []byte) (bool, []byte, error) {
	if len(answer) == 0 {
		return false, nil, errors.New("the broker's answer to the signed login is empty")
	}
	return true, nil, nil
}

// region is the form of a region's name, such as us-gov-west-1.
var region = regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+-[0-9]+$`)

// regionOf reads the region off a broker's name, such as
// b-1.orders.a1b2c3.c2.kafka.eu-west-1.amazonaws.com; "" where it tells none.
func regionOf(host string) string {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	for _, suffix := range []string{".amazonaws.com", ".amazonaws.com.cn"} {
		prefix, ok := strings.CutSuffix(name, suffix)
		if !ok {
			continue
		}
		for _, label := range slices.Backward(strings.Split(prefix, ".")) {
			if region.MatchString(label) {
				return label
			}
		}
	}
	return ""
}
