// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// verifyLogin checks a signed login as AWS publishes it: "Create a signed AWS API
// request" in the IAM User Guide (Signature Version 4), for a request whose signature
// stands in the query, and the payload's form in the README of aws-msk-iam-auth. It
// shares no code with what signs.
func verifyLogin(payload []byte, secret, region string, now time.Time) (accessKey string, err error) {
	fields := map[string]string{}
	if err := json.Unmarshal(payload, &fields); err != nil {
		return "", err
	}
	stamp := now.UTC().Format("20060102T150405Z")
	for name, want := range map[string]string{
		"version": "2020_10_22", "action": "kafka-cluster:Connect", "x-amz-algorithm": "AWS4-HMAC-SHA256",
		"x-amz-date": stamp, "x-amz-expires": "900", "x-amz-signedheaders": "host",
	} {
		if fields[name] != want {
			return "", fmt.Errorf("%s = %q, want %q", name, fields[name], want)
		}
	}
	accessKey, scope, _ := strings.Cut(fields["x-amz-credential"], "/")
	if want := stamp[:8] + "/" + region + "/kafka-cluster/aws4_request"; scope != want {
		return "", fmt.Errorf("scope %q, want %q", scope, want)
	}
	// 1. The canonical request: every parameter but the signature, by name, URI-encoded.
	spelled := map[string]string{
		"action": "Action", "x-amz-algorithm": "X-Amz-Algorithm", "x-amz-credential": "X-Amz-Credential", "x-amz-date": "X-Amz-Date",
		"x-amz-expires": "X-Amz-Expires", "x-amz-security-token": "X-Amz-Security-Token", "x-amz-signedheaders": "X-Amz-SignedHeaders",
	}
	var query []string
	for name, value := range fields {
		if parameter, ok := spelled[name]; ok {
			query = append(query, uriEncode(parameter)+"="+uriEncode(value))
		}
	}
	slices.Sort(query)
	nothing := sha256.Sum256(nil)
	canonical := strings.Join([]string{"GET", "/", strings.Join(query, "&"), "host:" + fields["host"], "", "host", hex.EncodeToString(nothing[:])}, "\n")
	// 2. and 3. The string to sign and its key.
	digest := sha256.Sum256([]byte(canonical))
	toSign := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, scope, hex.EncodeToString(digest[:])}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range append(strings.Split(scope, "/"), toSign) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	if got := fields["x-amz-signature"]; got != hex.EncodeToString(key) {
		return "", fmt.Errorf("signature %s, want %s", got, hex.EncodeToString(key))
	}
	return accessKey, nil
}

// uriEncode is the guide's UriEncode: everything but unreserved characters.
func uriEncode(text string) string {
	var out strings.Builder
	for _, char := range []byte(text) {
		if strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~", rune(char)) {
			out.WriteByte(char)
		} else {
			fmt.Fprintf(&out, "%%%02X", char)
		}
	}
	return out.String()
}

// quietAWS keeps the machine's own identity out of a test.
func quietAWS(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "credentials"))
}

// The service believes a login only if its signature is that of the published
// algorithm, for this second, this region and this broker.
func TestAWSLogin_IsSignedAsPublished(t *testing.T) {
	quietAWS(t)
	const accessKey, secret = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	for _, one := range []struct{ name, address, setting, signed, token string }{
		{"region of the name", "b-1.orders.a1b2c3.c2.kafka.eu-west-1.amazonaws.com:9098", "", "eu-west-1", ""},
		{"serverless, with a session", "boot-a1.c1.kafka-serverless.us-gov-west-1.amazonaws.com:9098", "", "us-gov-west-1", "session/token+with=signs"},
		{"setting beside another name", "kafka.internal.example:9098", "eu-central-1", "eu-central-1", ""},
		{"setting beside another name, with a session", "kafka.internal.example:9098", "eu-central-1", "eu-central-1", "session/token+with=signs"},
		{"setting against the name", "b-1.x.c2.kafka.eu-west-1.amazonaws.com:9098", "eu-west-2", "eu-west-2", ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				login := newAWSLogin(AWS{Region: one.setting, AccessKey: accessKey, SecretKey: NewSecret(secret), SessionToken: NewSecret(one.token)}, time.Minute)
				for range 2 {
					_, payload, err := login.Authenticate(t.Context(), one.address)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := verifyLogin(payload, secret, one.signed, time.Now()); err != nil || got != accessKey {
						t.Errorf("%q, %v\n%s", got, err, payload)
					}
					if strings.Contains(string(payload), secret) {
						t.Error("the payload holds the secret key")
					}
					if _, err := verifyLogin(payload, secret+"x", one.signed, time.Now()); err == nil {
						t.Error("the verifier believes anything")
					}
					time.Sleep(time.Hour) // of the bubble's clock: a new login is signed anew
				}
			})
		})
	}
}

// Where nothing tells the region, or there are no credentials, the reason is said
// before the cluster is asked.
func TestAWSLogin_SaysWhatIsMissing(t *testing.T) {
	quietAWS(t)
	for want, settings := range map[string]AWS{
		"the region is not known":   {AccessKey: "AK", SecretKey: NewSecret("SK")},
		"nobody there to sign":      {Region: "eu-west-1"},
		"no-such-profile":           {Region: "eu-west-1", Profile: "no-such-profile"},
		"no such file or directory": {Region: "eu-west-1", RoleARN: "arn:aws:iam::123456789012:role/r", WebIdentityTokenFile: "/nonexistent/token"},
	} {
		_, _, err := newAWSLogin(settings, 5*time.Second).Authenticate(t.Context(), "kafka.example:9098")
		var token *TokenError
		if !errors.As(err, &token) || !strings.Contains(token.Reason, want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// stsServer plays AWS's token service: it gives keys to who asks rightly.
func stsServer(t *testing.T, right func(url.Values) bool) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // what cannot be parsed is not right
		action := r.PostForm.Get("Action")
		if !right(r.PostForm) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not this one</Message></Error></ErrorResponse>`)
			return
		}
		_, _ = fmt.Fprintf(w, `<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult><Credentials><AccessKeyId>ASIATEMP</AccessKeyId><SecretAccessKey>temp-secret</SecretAccessKey><SessionToken>temp-session</SessionToken><Expiration>%[2]s</Expiration></Credentials></%[1]sResult></%[1]sResponse>`,
			action, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_STS", server.URL)
}

// A role is assumed with its external id and session name, or for a web identity; a
// profile of the shared files and the default chain are found.
func TestAWSLogin_EveryIdentity(t *testing.T) {
	quietAWS(t)
	const role = "arn:aws:iam::123456789012:role/topics"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("the-web-identity"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), []byte("[ops]\naws_access_key_id = AKOPS\naws_secret_access_key = ops-secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stsServer(t, func(form url.Values) bool {
		switch form.Get("Action") {
		case "AssumeRole":
			return form.Get("RoleArn") == role && form.Get("ExternalId") == "ext" && form.Get("RoleSessionName") == "me"
		case "AssumeRoleWithWebIdentity":
			return form.Get("RoleArn") == role && form.Get("WebIdentityToken") == "the-web-identity"
		}
		return false
	})
	fixed := AWS{Region: "eu-west-1", AccessKey: "AK", SecretKey: NewSecret("base-secret")}
	assume := fixed
	assume.RoleARN, assume.ExternalID, assume.RoleSessionName = role, "ext", "me"
	refused := assume
	refused.ExternalID = "other"
	for name, one := range map[string]struct {
		settings    AWS
		env         map[string]string
		key, secret string
	}{
		"role":         {assume, nil, "ASIATEMP", "temp-secret"},
		"web identity": {AWS{Region: "eu-west-1", RoleARN: role, WebIdentityTokenFile: file}, nil, "ASIATEMP", "temp-secret"},
		"profile":      {AWS{Region: "eu-west-1", Profile: "ops"}, nil, "AKOPS", "ops-secret"},
		"environment":  {AWS{}, map[string]string{"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "env-secret"}, "AKENV", "env-secret"},
		"refused":      {refused, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range one.env {
				t.Setenv(name, value)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, payload, err := newAWSLogin(one.settings, 10*time.Second).Authenticate(ctx, "kafka.example:9098")
			if one.key == "" {
				var token *TokenError
				if !errors.As(err, &token) || token.Reason != "AccessDenied: not this one" {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]string
			if err := json.Unmarshal(payload, &fields); err != nil {
				t.Fatal(err)
			}
			signed, err := time.Parse("20060102T150405Z", fields["x-amz-date"])
			if err != nil {
				t.Fatal(err)
			}
			if got, err := verifyLogin(payload, one.secret, "eu-west-1", signed); err != nil || got != one.key {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
