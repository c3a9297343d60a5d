package reset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/address"
)

const (
	maxRedirects = 5
	maxAnswer    = 16 << 20 // bytes
	maxHeaders   = 256 << 10
)

var errElsewhere = errors.New("it leads on to another site, or to another scheme or port of this one")

// post sends the request that sets a site back, by the way that pages take: hosts are checked as they are dialled.
func (w Way) post(ctx context.Context, target *url.URL) (err error) {
	limit := cmp.Or(w.Limit, requestLimit)
	by := "POST " + redact.URL(target.String())
	policy, err := egress.NewPolicy(w.Network)
	if err != nil {
		return err
	}
	gate, err := egress.Start(egress.Options{Policy: policy, Now: w.Now})
	if err != nil {
		return err
	}
	defer gate.Close()
	client := &http.Client{
		Transport: &http.Transport{DialContext: gate.Dial, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeaders},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if address.Origin(next.URL) != address.Origin(target) {
				return errElsewhere
			}
			if len(via) > maxRedirects {
				return fmt.Errorf("it leads on more than %d times", maxRedirects)
			}
			return nil
		},
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := send(limited, client, target); err != nil {
		return fmt.Errorf("%w; see that the site runs and takes it there, or change explore.reset", failed(ctx, by, limit, err))
	}
	return nil
}

// send sends it, and reads the answer to its end: some sites answer while they work.
func send(ctx context.Context, client *http.Client, target *url.URL) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "assay")
	response, err := client.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // without the address, which the caller names
		}
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("it answered %d", response.StatusCode)
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)); err != nil {
		return fmt.Errorf("the answer broke off: %w", err)
	}
	return nil
}
