package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer bounds what is read of a provider's answer, in bytes.
const maxAnswer = 64 << 20

// Answer holds a provider's answer over HTTP, with its whole body.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send makes one request to a provider, a POST of body as JSON or, if body is
// nil, a GET, and reads the whole answer. It repeats nothing. An answer that was
// cut is an error; one with a status of an error is not.
func Send(ctx context.Context, client *http.Client, address string, header http.Header, body any) (*Answer, error) {
	method, content := http.MethodGet, io.Reader(http.NoBody)
	if body != nil {
		encoded, err := encode(body)
		if err != nil {
			return nil, fmt.Errorf("write the request to the provider: %w", err)
		}
		method, content = http.MethodPost, bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "assay")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return &Answer{Status: response.StatusCode, Header: response.Header, Body: answer}, nil
}

// encode writes JSON without HTML's escapes: what a model said goes back as it
// came.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// maxRedirects bounds the redirects of one request.
const maxRedirects = 10

// SameOrigin checks a redirect as a client's CheckRedirect: it follows
// redirects within the provider's origin only, because any other origin would
// receive the key.
func SameOrigin(r *http.Request, via []*http.Request) error {
	if from := via[0].URL; r.URL.Scheme != from.Scheme || r.URL.Host != from.Host {
		return fmt.Errorf("the provider redirects to another origin, %s://%s: set the address to where it is", r.URL.Scheme, r.URL.Host)
	}
	if len(via) >= maxRedirects {
		return fmt.Errorf("the provider redirects more than %d times", maxRedirects)
	}
	return nil
}

// NoRedirect makes a client return a redirect as the answer; use it as
// CheckRedirect.
func NoRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
