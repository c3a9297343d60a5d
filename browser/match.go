package browser

import (
	"regexp"
	"strings"
)

// MatchURL reports whether url fits pattern; see [CheckURLPattern]. A pattern
// that is none fits nothing.
func MatchURL(pattern, url string) bool { return urlMatcher(pattern)(url) }

// CheckURLPattern reports whether pattern is a URL pattern: a Go regular
// expression after "re:", a glob of the whole URL when it has a *, and
// otherwise any part of the URL. In a glob * stands for any characters and ?
// for itself, since query strings are full of it. The empty pattern fits all.
func CheckURLPattern(pattern string) error {
	_, err := urlPattern(pattern)
	return err
}

// urlMatcher compiles a pattern once for many addresses.
func urlMatcher(pattern string) func(url string) bool {
	re, err := urlPattern(pattern)
	if err != nil {
		return func(string) bool { return false }
	}
	return re.MatchString
}

func urlPattern(pattern string) (*regexp.Regexp, error) {
	if expr, ok := strings.CutPrefix(pattern, "re:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, invalid("write a Go regular expression after re:, or a glob such as */api/*", "pattern %s: %v", pattern, err)
		}
		return re, nil
	}
	quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
	if strings.Contains(pattern, "*") {
		quoted = "(?s)^" + quoted + "$"
	}
	re, err := regexp.Compile(quoted)
	if err != nil { // only text that is no UTF-8 gets here
		return nil, invalid("write a part of the address, or a glob such as */api/*", "pattern %q: %v", pattern, err)
	}
	return re, nil
}
