package flow

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// Join appends an address that starts with / or ? to a base URL, whose path it
// keeps: the base of https://host/app and /login is https://host/app/login. Any
// other address comes back as it is.
func Join(base, address string) (string, error) {
	address = strings.TrimSpace(address)
	if base == "" || address == "" || address[0] != '/' && address[0] != '?' || strings.HasPrefix(address, "//") {
		return address, nil
	}
	b, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("base URL %q: %w", base, err)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("address %q: %w", text.Shorten(address, 100), err)
	}
	out := *b
	if u.Path != "" {
		out.Path = strings.TrimRight(b.Path, "/") + u.Path
		out.RawPath = strings.TrimRight(b.EscapedPath(), "/") + u.EscapedPath() // used where it says more, as in %2F
	}
	out.RawQuery, out.Fragment = u.RawQuery, u.Fragment
	return out.String(), nil
}

// Below appends the flow's addresses that start with / to a base URL that has a
// path, which [Flow.Resolve] would leave out. Addresses that are none stay, for
// others to complain about.
func (f Flow) Below(base string) Flow {
	if b, err := url.Parse(base); err != nil || strings.Trim(b.Path, "/") == "" {
		return f
	}
	join := func(address string) string {
		if out, err := Join(base, address); err == nil && strings.HasPrefix(address, "/") {
			return out
		}
		return address
	}
	f.StartURL = join(f.StartURL)
	steps := make([]qa.FlowStep, len(f.Steps))
	for i, s := range f.Steps {
		s.URL = join(s.URL)
		steps[i] = s
	}
	f.Steps = steps
	return f
}

// Relative leaves a base URL out of the flow's addresses that lie below it, so that [Join] with that
// base gives them again, and with another one those of the same site elsewhere.
func (f Flow) Relative(base string) Flow {
	if base == "" {
		return f
	}
	relative := func(address string) string {
		rest, ok := strings.CutPrefix(address, strings.TrimSuffix(base, "/"))
		switch {
		case !ok:
			return address
		case rest == "":
			return "/"
		case rest[0] == '/' && !strings.HasPrefix(rest, "//"), rest[0] == '?':
			return rest
		}
		return address // another port, or a longer name
	}
	f.StartURL = relative(f.StartURL)
	f.Steps = slices.Clone(f.Steps)
	for i := range f.Steps {
		f.Steps[i].URL = relative(f.Steps[i].URL)
	}
	return f
}
