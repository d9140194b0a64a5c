// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// probeTimeout bounds the look at a listener that has closed or said nothing.
const probeTimeout = 2 * time.Second

// seen is what a look at a listener found.
type seen struct {
	// kafka says that it answered as Kafka does.
	kafka bool
	// tls says that it shook hands, or began to.
	tls bool
	// other names who else it is; "" for nobody known.
	other string
	// offered are the mechanisms that it offers; nil for none.
	offered []string
}

// enlighten asks a listener what it is, where the failure alone does not tell, and
// puts what it finds into the error. It sends nothing secret: Kafka's question for
// the versions, over plaintext and over TLS, and a question of HTTP.
func (c *Client) enlighten(ctx context.Context, e *ConnectError) {
	switch e.Kind {
	case Closed, Silent:
	case WrongMechanism:
		found := c.look(ctx, e.Server, c.config.TLS != nil)
		e.Offered = found.offered
		return
	default:
		return
	}
	var (
		plain, secured seen
		web            string
		looks          sync.WaitGroup
	)
	looks.Go(func() { plain = c.look(ctx, e.Server, false) })
	looks.Go(func() { secured = c.look(ctx, e.Server, true) })
	looks.Go(func() { web = c.lookForHTTP(ctx, e.Server) })
	looks.Wait()
	own := plain
	if c.config.TLS != nil {
		own = secured
	}
	switch {
	case c.config.TLS != nil && plain.kafka:
		e.Kind = WantsPlaintext
	case c.config.TLS == nil && (secured.tls || plain.tls):
		e.Kind = WantsTLS
	case own.kafka && c.config.SASL == nil && len(own.offered) > 0:
		e.Kind, e.Offered = LoginMissing, own.offered
	case !own.kafka && web != "":
		e.Kind, e.Detail = NotKafka, web
	case !own.kafka && plain.other != "":
		e.Kind, e.Detail = NotKafka, plain.other
	}
}

// look connects and asks for the versions and the mechanisms.
func (c *Client) look(ctx context.Context, address string, secured bool) (found seen) {
	ctx, cancel := context.WithTimeout(ctx, min(probeTimeout, c.config.stepTimeout()))
	defer cancel()
	var security *tls.Config
	if secured {
		// Only to see what it is: nothing is told to it, and no answer is believed.
		security = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true} //nolint:gosec // see above
		if c.dialer.tls != nil {
			security = c.dialer.tls.Clone()
			security.InsecureSkipVerify = true
		}
	}
	raw, err := c.dialer.network(ctx, "tcp", address)
	if err != nil {
		return found
	}
	watched := watch(raw, probeTimeout)
	conn := io.ReadWriteCloser(watched)
	defer func() { _ = watched.Close() }()
	defer context.AfterFunc(ctx, func() { _ = watched.Close() })()
	if secured {
		shaken := tls.Client(watched, security)
		err := shaken.HandshakeContext(ctx)
		_, alert := alertOf(err)
		found.tls = err == nil || alert
		if err != nil {
			return found
		}
		conn = shaken
	}
	versions := kmsg.NewPtrApiVersionsRequest()
	var answer kmsg.ApiVersionsResponse
	if err := ask(conn, versions, &answer); err != nil {
		first := watched.firstBytes()
		var told ConnectError
		if tellBytes(&told, first, secured) {
			found.tls, found.other = found.tls || told.Kind == WantsTLS, told.Detail
		}
		return found
	}
	found.kafka = true
	handshake := kmsg.NewPtrSASLHandshakeRequest()
	handshake.Version, handshake.Mechanism = 1, "?" // nobody's, so that the answer lists all
	var offered kmsg.SASLHandshakeResponse
	offered.Version = 1
	if ask(conn, handshake, &offered) == nil {
		found.offered = slices.Sorted(slices.Values(offered.SupportedMechanisms))
	}
	return found
}

// lookForHTTP asks for a page and names the server by its answer. To Kafka the
// question is a message beyond all limits, and it hangs up.
func (c *Client) lookForHTTP(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, min(probeTimeout, c.config.stepTimeout()))
	defer cancel()
	conn, err := c.dialer.network(ctx, "tcp", address)
	if err != nil {
		return ""
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if _, err := io.WriteString(conn, "HEAD / HTTP/1.0\r\n\r\n"); err != nil {
		return ""
	}
	first := make([]byte, watchedBytes)
	n, _ := io.ReadAtLeast(conn, first, 4) // what came is judged, however it ended
	return nameOther(first[:n])
}

// maxProbeAnswer is far above what the two questions are answered.
const maxProbeAnswer = 1 << 20

// ask sends one request and reads its answer.
func ask(conn io.ReadWriter, request kmsg.Request, response kmsg.Response) error {
	message := kmsg.NewRequestFormatter(kmsg.FormatterClientID(softwareName)).AppendRequest(nil, request, 1)
	if _, err := conn.Write(message); err != nil {
		return err
	}
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(size[:])
	if length < 4 || length > maxProbeAnswer {
		return errors.New("not an answer of Kafka")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(conn, body); err != nil {
		return err
	}
	return response.ReadFrom(body[4:]) // after the correlation id
}
