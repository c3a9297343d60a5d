package browser

import (
	"context"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// Exchange holds one request with its headers and the start of its body.
// Credentials in them are left out, as far as their names show them.
type Exchange struct {
	NetworkEvent
	RequestHeaders  map[string]string `json:"request_headers"`
	RequestBody     string            `json:"request_body,omitempty"`
	ResponseHeaders map[string]string `json:"response_headers,omitempty"`
	Body            string            `json:"body,omitempty"`
	BodyNote        pagetext.Text     `json:"body_note,omitempty" jsonschema:"why the body is cut or absent"`
}

// Bounds on what Exchange carries.
const (
	maxBodyFetch = 5 << 20  // larger bodies are not fetched from the browser
	maxBodyShown = 16 << 10 // bytes of a body in an answer
)

// Exchange returns one request of the session in detail.
func (s *Session) Exchange(ctx context.Context, requestID string) (Exchange, error) {
	what := "page_get_network_logs " + explain.Quoting(requestID)
	if err := s.open(what); err != nil {
		return Exchange{}, err
	}
	if refused, ok := s.log.Refusal(requestID); ok {
		return Exchange{NetworkEvent: refused, RequestHeaders: map[string]string{}, BodyNote: "the request was refused before it left"}, nil
	}
	x, ok := s.log.Find(requestID)
	if !ok {
		return Exchange{}, explain.Invalid("take a request_id from page_get_network_logs", "no request %q is in the log", requestID)
	}
	// Not a matter of the page: a stuck one has the more to tell.
	told, err := answerOf(ctx, func() (Exchange, error) { return detail(x, s.pool.Mask) }, s.whileOpen(s.current().context, what))
	return told, classify(err, what)
}

// detail asks the driver for headers and body. Of a request that is under way
// it only tells what is known: asking would wait for its end.
func detail(x eventlog.Kept, mask func(string) string) (Exchange, error) {
	out := Exchange{NetworkEvent: x.NetworkEvent, RequestHeaders: redact.Headers(x.Request.Headers())}
	if body, err := x.Request.PostData(); err != nil {
		out.RequestBody = "(not readable: " + err.Error() + ")"
	} else {
		out.RequestBody = redact.Text(texts.Cut(mask(strings.ToValidUTF8(body, "�")), maxBodyShown))
	}
	if x.Response != nil {
		out.ResponseHeaders = redact.Headers(x.Response.Headers())
	}
	switch {
	case x.CutOff:
		out.BodyNote = "the page or the browser that had the rest is gone"
		return out, nil
	case x.Pending:
		out.BodyNote = "the request is still under way"
		return out, nil
	case x.Response == nil:
		out.BodyNote = "there was no response"
		return out, nil
	}
	// What was really sent and received includes what the network stack added.
	if headers, err := driverRequest(x).AllHeaders(); err == nil {
		out.RequestHeaders = redact.Headers(headers)
	} else if isClosed(err) {
		return out, err
	}
	if headers, err := driverResponse(x).AllHeaders(); err == nil {
		out.ResponseHeaders = redact.Headers(headers)
	}
	err := out.fetchBody(x, mask)
	return out, err
}

func (out *Exchange) fetchBody(x eventlog.Kept, mask func(string) string) error {
	sizes, err := driverRequest(x).Sizes()
	if err == nil {
		out.Size = max(out.Size, int64(sizes.ResponseBodySize))
	}
	if out.Size > maxBodyFetch {
		out.BodyNote = pagetext.Sprintf("body of %d bytes not fetched (limit %d)", out.Size, maxBodyFetch)
		return nil
	}
	if out.Status/100 == 3 {
		out.BodyNote = "a redirect's body is not kept"
		return nil
	}
	body, err := driverResponse(x).Body()
	if isClosedError(err) {
		return err
	}
	if err != nil {
		out.BodyNote = "body not available: " + plain(err)
		return nil
	}
	out.Body = redact.Text(texts.Cut(mask(strings.ToValidUTF8(string(body), "�")), maxBodyShown))
	if len(body) > maxBodyShown {
		out.BodyNote = pagetext.Sprintf("first %d of %d bytes", maxBodyShown, len(body))
	}
	return nil
}

// driverRequest returns the driver's own request: the log keeps no others.
func driverRequest(x eventlog.Kept) playwright.Request {
	r, _ := x.Request.(playwright.Request)
	return r
}

// driverResponse returns the driver's own response: the log keeps no others.
func driverResponse(x eventlog.Kept) playwright.Response {
	r, _ := x.Response.(playwright.Response)
	return r
}

func isClosedError(err error) bool { return err != nil && isClosed(err) }

// maxDataBody bounds a body that is searched for a figure.
const maxDataBody = 2 << 20

// DataBody returns the body of an answered request, for looking into: it is not
// masked and must not be shown. It is an error when there is none, or when it
// is larger than 2 MiB.
func (s *Session) DataBody(ctx context.Context, requestID string) ([]byte, error) {
	what := "read the answer of " + explain.Quoting(requestID)
	x, ok := s.log.Find(requestID)
	if !ok || x.Response == nil || x.Pending || x.CutOff {
		return nil, explain.Invalid("take a request that was answered", "%s: there is no answer to read", what)
	}
	if x.Size > maxDataBody {
		return nil, explain.Invalid("", "%s: it has %d bytes", what, x.Size)
	}
	body, err := answerOf(ctx, driverResponse(x).Body, s.whileOpen(s.current().context, what))
	if err == nil && len(body) > maxDataBody {
		return nil, explain.Invalid("", "%s: it has %d bytes", what, len(body))
	}
	return body, classify(err, what)
}

// SentTwice returns the writes since a moment that the page sent twice within one act; see
// [eventlog.Log.SentTwice].
func (s *Session) SentTwice(since time.Time) []string { return s.log.SentTwice(since) }

// Traffic returns what the session's pages sent and said since then. It asks
// neither page nor driver, so it can't hang and works after their end.
func (s *Session) Traffic(since time.Time) Traffic {
	info, out := s.Info(), s.log.Traffic(since)
	out.SessionID, out.Browser, out.Version = s.id, info.Browser, info.Version
	return out
}
