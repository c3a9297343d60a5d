package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/suite"
)

// The formats of a message.
const (
	Slack = "slack" // an incoming webhook of Slack, Mattermost or the like
	JSON  = "json"  // [Message], for a program
)

// Bounds of one message.
const (
	timeout  = 10 * time.Second
	maxPause = 5 * time.Second // between the two attempts, whatever the server asks for
	maxReply = 200             // bytes of an answer that go into an error
)

// Post sends the outcome of a suite to a webhook within 10 seconds for each
// attempt. After an answer 429 or 5xx there is a second one, after as long as
// the server asks for, but 5 seconds at most; without an answer there is none,
// since the message may have arrived. An error names neither the address nor
// anything of it.
func Post(ctx context.Context, webhook, format string, s suite.View) error {
	target, err := url.Parse(webhook)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return errors.New("notify: the webhook is no http or https address: set [notify] webhook to the whole address")
	}
	var body []byte
	switch format {
	case Slack:
		body, err = json.Marshal(slackMessage(s))
	case JSON:
		body, err = json.Marshal(newMessage(s))
	default:
		return fmt.Errorf("notify: format %q is unknown: use %s or %s", format, Slack, JSON)
	}
	if err != nil {
		return fmt.Errorf("notify: write the message: %w", err)
	}
	// An answer that leads elsewhere is no answer of a webhook, and following
	// it would hand the message to whoever it names.
	client := &http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	pause, err := attempt(ctx, client, webhook, body)
	if err == nil || pause < 0 {
		return err
	}
	if ended := wait.For(ctx, pause); ended != nil {
		return fmt.Errorf("notify: %w; before that: %w", ended, err)
	}
	if _, err = attempt(ctx, client, webhook, body); err != nil {
		return fmt.Errorf("%w (tried twice)", err)
	}
	return nil
}

// attempt sends the message once. The pause is how long to wait before another
// attempt; a negative one says that there is no use in one.
func attempt(ctx context.Context, client *http.Client, webhook string, body []byte) (pause time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, webhook, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("notify: the webhook's address can't be used")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "assay")
	res, err := client.Do(req)
	if err != nil {
		return -1, fmt.Errorf("notify: the webhook did not answer: %w", hideAddress(err))
	}
	reply, readErr := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err := errors.Join(readErr, res.Body.Close()); err != nil && res.StatusCode < 300 {
		return -1, fmt.Errorf("notify: read the webhook's answer: %w", hideAddress(err))
	}
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return -1, nil
	}
	err = fmt.Errorf("notify: the webhook answered %d: %q; see whether its address is still valid", res.StatusCode, hideWebhook(string(reply), webhook))
	if res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500 {
		return pauseAfter(res.Header.Get("Retry-After")), err
	}
	return -1, err
}

// pauseAfter returns what a Retry-After in seconds asks for, within bounds.
func pauseAfter(after string) time.Duration {
	seconds, err := strconv.Atoi(after)
	if err != nil || seconds < 0 {
		return time.Second
	}
	return min(time.Duration(min(seconds, 60))*time.Second, maxPause)
}

// hideAddress returns an error of the client without the address it names.
func hideAddress(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		if of.Timeout() {
			return fmt.Errorf("no answer within %v", timeout)
		}
		err = of.Err
	}
	return &hiddenError{err}
}

// hiddenError returns the kind of a network error. Its text may hold a host name
// or an address, which are a part of the secret.
type hiddenError struct{ err error }

func (e *hiddenError) Error() string {
	switch {
	case errors.Is(e.err, context.Canceled):
		return "cancelled"
	case errors.Is(e.err, context.DeadlineExceeded):
		return "out of time"
	default:
		return "the connection failed; see that its host is reachable from here"
	}
}

// Is lets errors.Is find what was hidden, which shows nothing of it.
func (e *hiddenError) Is(target error) bool { return errors.Is(e.err, target) }
