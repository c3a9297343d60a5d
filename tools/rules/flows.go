package rules

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/qa/flow"
)

// Flows returns what this build accepts in a flow beyond its form. Addresses
// may be relative; [flow.Flow.Resolve] makes them absolute.
func Flows() flow.Rules {
	return flow.Rules{
		URL: func(address string) error {
			u, err := url.Parse(strings.TrimSpace(address))
			if err == nil && u.Scheme == "" && u.Host == "" && (strings.HasPrefix(u.Path, "/") || u.Path == "" && u.RawQuery != "") {
				return nil
			}
			return inWords(browser.CheckURL(address))
		},
		Selector: func(s string) error { return inWords(input.CheckSelector(s)) },
	}
}

// Upload reports why files can't be uploaded from the folders that files may be taken from.
func Upload(roots, files []string) error { return inWords(input.CheckFiles(roots, files)) }

// inWords returns an error without its code, and with its hint.
func inWords(err error) error {
	var be *explain.Error
	if errors.As(err, &be) && be.Hint != "" {
		return fmt.Errorf("%s (%s)", be.Message.Line(), be.Hint)
	}
	return err
}
