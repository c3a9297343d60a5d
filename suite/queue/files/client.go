package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/wait"
)

// Client moves blobs from and to a [Handler].
type Client struct {
	Address string // http://host:port or https://host:port
	Token   string
	HTTP    *http.Client
}

const (
	tries      = 6
	firstPause = 100 * time.Millisecond // doubled each time
)

// Check refuses to send the token where others can read it.
func (c Client) Check() error {
	address, err := url.Parse(c.Address)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return fmt.Errorf("files %q: give http://host:port, or https://host:port on another machine", c.Address)
	}
	if ip := net.ParseIP(address.Hostname()); address.Scheme == "http" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("files %s: without TLS the token could be read on its way: give https://%s", c.Address, address.Host)
	}
	return nil
}

// ErrMissing says that there is no such blob.
var ErrMissing = errors.New("the coordinator has no such file")

// errAgain marks what may be otherwise when it is tried again.
var errAgain = errors.New("it may go better later")

// Put keeps data, and returns its digest. What is there already is not sent.
func (c Client) Put(ctx context.Context, data []byte) (digest string, err error) {
	digest = ledger.BlobDigest(data)
	err = c.again(ctx, func() error {
		if _, err := c.ask(ctx, http.MethodHead, digest, nil); err == nil {
			return nil
		}
		_, err := c.ask(ctx, http.MethodPut, digest, data)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("send %s (%d bytes) to %s: %w", digest, len(data), c.Address, err)
	}
	return digest, nil
}

// Get returns the bytes of a digest. Other bytes than those are an error.
func (c Client) Get(ctx context.Context, digest string) (data []byte, err error) {
	err = c.again(ctx, func() error {
		got, err := c.ask(ctx, http.MethodGet, digest, nil)
		if err == nil && ledger.BlobDigest(got) != digest {
			return fmt.Errorf("its bytes have the SHA-256 %s: %w", ledger.BlobDigest(got), errAgain)
		}
		data = got
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("fetch %s from %s: %w", digest, c.Address, err)
	}
	return data, nil
}

// again tries several times what may go better later.
func (c Client) again(ctx context.Context, do func() error) (err error) {
	pause := firstPause
	for try := 1; ; try++ {
		if err = do(); err == nil || try == tries || !errors.Is(err, errAgain) {
			return err
		}
		if err := wait.For(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}

// ask sends one request, and returns the body of its answer.
func (c Client) ask(ctx context.Context, method, digest string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Address, "/")+path+digest, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	answer, err := c.HTTP.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", err, errAgain)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, ledger.MaxBlob+1))
	switch err = errors.Join(err, answer.Body.Close()); {
	case err != nil:
		return nil, fmt.Errorf("its answer broke off: %w: %w", err, errAgain)
	case answer.StatusCode/100 == 2:
		return data, nil
	case answer.StatusCode == http.StatusNotFound:
		return nil, ErrMissing
	case answer.StatusCode/100 == 5, answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode == http.StatusUnprocessableEntity:
		return nil, fmt.Errorf("it answered %s: %s: %w", answer.Status, strings.TrimSpace(string(data[:min(len(data), 200)])), errAgain)
	}
	return nil, fmt.Errorf("it answered %s: %s", answer.Status, strings.TrimSpace(string(data[:min(len(data), 200)])))
}
