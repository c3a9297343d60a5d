package input

import (
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
)

// Typing describes what is typed into a text control, and how.
type Typing struct {
	Text   string
	Secret bool          // what the control holds is hidden like a password from then on
	Delay  time.Duration // between two keys; 0: the text is put in at once
	// OnlyOn holds lists of hosts: the document of the control has to be of one on each list. Patterns are those
	// of network.allowed_hosts. An empty list has none.
	OnlyOn [][]string
}

// Check refuses a typing that can't be done as it is written.
func (t Typing) Check() error {
	switch whole := t.Delay * time.Duration(utf8.RuneCountInString(t.Text)); {
	case t.Delay == 0:
		return nil
	case t.Delay < 0 || whole > rest.PauseLimit:
		return explain.Invalid("use a shorter delay, or none", "typing key by key would take %d ms; the limit is %d", whole.Milliseconds(), rest.PauseLimit.Milliseconds())
	case strings.ContainsFunc(t.Text, unicode.IsControl):
		return explain.Invalid("leave the delay out, or press the key by page_press", "a text with line breaks or tabs can't be typed key by key: they would be keys of their own")
	}
	return nil
}

// MayBeOn refuses a document that the text is not for. A document without a host, such as about:blank, is of none.
func (t Typing) MayBeOn(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		u = &url.URL{}
	}
	for _, hosts := range t.OnlyOn {
		policy, err := egress.NewPolicy(egress.Lists{AllowedHosts: hosts})
		if err != nil {
			return err
		}
		if host := u.Hostname(); host == "" || len(hosts) == 0 || policy.Check(host) != "" {
			return explain.SecretElsewhere(host, strings.Join(hosts, ", "))
		}
	}
	return nil
}

// CheckSelector reports whether a selector has one of the accepted forms. What
// only a page can tell, such as CSS that the browser refuses, is not known.
func CheckSelector(selector string) error {
	_, err := Selector(selector)
	return err
}

// Selector reads a selector of any accepted form.
func Selector(s string) (selectors.Selector, error) {
	parsed, err := selectors.Parse(s)
	if err != nil {
		return selectors.Selector{}, explain.Invalid(selectors.Accepted, "%v", err)
	}
	return parsed, nil
}
