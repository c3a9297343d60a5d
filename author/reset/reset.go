// Package reset sets a site under test back to its seed data before a run works it: by a request that the site
// takes, or by a command of the person's.
package reset

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/address"
)

// Way says how sites are set back. Its zero value sets none back.
type Way struct {
	Address string       // a path of the site, or an address there; empty: nothing is sent
	Network egress.Lists // the hosts that may be reached
	Guard   *guard.Guard // of what a person wrote; nil: everything is permitted
	Now     func() time.Time

	Command []string // a program with its arguments; empty: none is started
	Folder  string   // where it runs
	Environ []string
	Mask    func(ctx context.Context, text string) string // of what it prints; may be nil

	Limit time.Duration // 0: a minute for a request, and five for a command
}

const (
	requestLimit = time.Minute
	commandLimit = 5 * time.Minute
)

// Set reports whether there is a way.
func (w Way) Set() bool { return w.Address != "" || len(w.Command) > 0 }

// OfSite reports whether a site has to be known for it.
func (w Way) OfSite() bool { return strings.HasPrefix(w.Address, "/") }

// Shares reports whether setting one site back sets another back as well.
func (w Way) Shares(one, other string) bool {
	return len(w.Command) > 0 || w.Set() && originOf(one) == originOf(other)
}

// Check says why a site can't be set back, before anything is sent or started. It is a mistake of the settings.
func (w Way) Check(site string) error {
	if w.Address == "" {
		return nil
	}
	_, err := w.target(site)
	return err
}

// target returns the address that sets a site back. An empty site is that of the address.
func (w Way) target(site string) (*url.URL, error) {
	u, err := url.Parse(w.Address)
	if err != nil || !u.IsAbs() && !w.OfSite() {
		return nil, fmt.Errorf("explore.reset = %q is no address: give a path of the site, such as /test/reset", redact.URL(w.Address))
	}
	base := u
	if site != "" {
		if base, err = url.Parse(site); err != nil {
			return nil, fmt.Errorf("explore.reset: %w", err)
		}
	}
	if w.OfSite() && base.Host == "" {
		return nil, fmt.Errorf("explore.reset = %q is a path, and it is not known of which site: name that with --base-url, or as explore.start_url", redact.URL(w.Address))
	}
	target := base.ResolveReference(u)
	if address.Origin(target) != address.Origin(base) {
		return nil, fmt.Errorf("explore.reset = %q is an address of another site than %s, which is under test: give a path of that site, such as /test/reset",
			redact.URL(w.Address), originOf(site))
	}
	return target, w.permits(target)
}

// permits says what keeps the request from being sent.
func (w Way) permits(target *url.URL) error {
	policy, err := egress.NewPolicy(w.Network)
	if err != nil {
		return err
	}
	if rule := policy.CheckPage(target.Hostname()); rule != "" {
		return fmt.Errorf("explore.reset: %s may not be reached, by %s: change one of the two", target.Hostname(), rule)
	}
	if w.Guard == nil {
		return nil
	}
	asked := guard.Request{Method: http.MethodPost, URL: target.String(), Production: policy.Production(target.Hostname())}
	if rule, blocked := w.Guard.RequestOf(asked, guard.Cause{Kind: guard.Written, ByAct: true, UnderTest: true}); blocked {
		return fmt.Errorf("explore.reset: the guard stops POST %s (%s): see guard.destructive, guard.request_patterns and guard.allow_requests, or take explore.reset_command",
			redact.URL(target.String()), rule)
	}
	return nil
}

// originOf returns scheme, host and port of an address; empty where it is none.
func originOf(site string) string {
	u, err := url.Parse(site)
	if err != nil {
		return ""
	}
	return address.Origin(u)
}

// Once sets the sites of one run back, each once: also one that several explorations share.
type Once struct {
	Way  Way
	Tell func(site, by string) // called with each site that was set back; may be nil

	mu   sync.Mutex
	done map[string]func() error
}

// Site sets a site back, unless that is done, and says by what: "POST /test/reset". An empty site is that of
// the way's own address.
func (o *Once) Site(ctx context.Context, site string) (by string, err error) {
	if !o.Way.Set() {
		return "", nil
	}
	by, key, do := "", "", func() error { return o.Way.run(ctx) }
	if o.Way.Address != "" {
		target, err := o.Way.target(site)
		if err != nil {
			return "", err
		}
		by, key = "POST "+redact.URL(target.RequestURI()), address.Origin(target)
		do = func() error { return o.Way.post(ctx, target) }
	} else {
		by = strings.Join(o.Way.Command, " ")
	}
	o.mu.Lock()
	if o.done == nil {
		o.done = map[string]func() error{}
	}
	if o.done[key] == nil {
		o.done[key] = sync.OnceValue(func() error {
			err := do()
			if err == nil && o.Tell != nil {
				o.Tell(site, by)
			}
			return err
		})
	}
	once := o.done[key]
	o.mu.Unlock()
	return by, once()
}

// failed makes the error of a site that was not set back. An interruption stays one.
func failed(ctx context.Context, by string, limit time.Duration, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("set the site back by %s: %w", by, ctx.Err())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not end within %s", limit)
	}
	return fmt.Errorf("the site was not set back, so nothing was tried on it: %s: %w", by, err)
}
