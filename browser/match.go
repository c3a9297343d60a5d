package browser

import (
	"regexp"
	"strings"
)

// MatchURL reports whether url fits pattern; see [urlPattern].
func MatchURL(pattern, url string) bool {
	re, err := urlPattern(pattern)
	return err == nil && re.MatchString(url)
}

// urlPattern compiles a URL pattern: a Go regular expression after "re:", a
// glob of the whole URL when it has a *, and otherwise any part of the URL.
// In a glob * stands for any characters and ? for itself, since query strings
// are full of it. The empty pattern matches all.
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
	return regexp.MustCompile(quoted), nil
}
