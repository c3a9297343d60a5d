package secrets

import (
	"bytes"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// userinfo matches the name and the password before an address's host, in any
// text that an address stands in; slashes and other signs may be escaped as JSON
// allows. In a web address a name alone is left out as well: it may be a token.
var userinfo = pattern.New(`(:(?:\\?/){2})(?:[^\s/?#@:"'<>\\]|\\u00[0-9a-f]{2}){0,200}:(?:[^\s/?#"'<>\\]|\\u00[0-9a-f]{2}){1,500}@` +
	`|(https?:(?:\\?/){2})(?:[^\s/?#@:"'<>\\]|\\u00[0-9a-f]{2}){1,500}@`)

// withoutUserinfo takes user:password@ out of the addresses in a text.
func withoutUserinfo(text string) string {
	if !strings.Contains(text, "@") || !strings.Contains(text, ":") {
		return text
	}
	return userinfo.ReplaceAllString(text, "$1$2")
}

func withoutUserinfoBytes(data []byte) []byte {
	if bytes.IndexByte(data, '@') < 0 || !userinfo.Match(data) {
		return data
	}
	return userinfo.ReplaceAll(data, []byte("$1$2"))
}
