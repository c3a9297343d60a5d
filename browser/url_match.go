package browser

import (
	"errors"
	"strings"

	"github.com/assay-qa/assay/address"
)

// MatchURL reports whether url fits pattern; see [address.Pattern]. A pattern
// that is none fits nothing.
func MatchURL(pattern, url string) bool {
	p, err := address.Parse(pattern)
	return err == nil && p.Fits(url)
}

// CheckFilter reports whether filter is a search of addresses, as [Session.Network]
// takes it: a part of the address, or, with a * or after re:, a pattern. A search
// is for looking around; a check takes patterns only.
func CheckFilter(filter string) error {
	_, err := searcher(filter)
	return err
}

func searcher(filter string) (func(url string) bool, error) {
	if !strings.Contains(filter, "*") && !strings.HasPrefix(filter, "re:") {
		return func(url string) bool { return strings.Contains(url, filter) }, nil
	}
	p, err := address.Parse(filter)
	return p.Fits, asInvalid(err)
}

// asInvalid is what is wrong with a pattern as an error of ours.
func asInvalid(err error) error {
	var e *address.Error
	if errors.As(err, &e) {
		return invalid(e.Hint, "%s", e.Message)
	}
	return err
}
