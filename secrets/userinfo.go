package secrets

import (
	"bytes"
	"regexp"
	"strings"
)

// userinfo matches the name and the password before an address's host, in any
// text that an address stands in; slashes may be escaped as JSON allows.
var userinfo = regexp.MustCompile(`(:(?:\\?/){2})[^\s/?#@:"'<>\\]{0,200}:[^\s/?#@"'<>\\]{1,500}@`)

// withoutUserinfo takes user:password@ out of the addresses in a text.
func withoutUserinfo(text string) string {
	if !strings.Contains(text, "@") || !strings.Contains(text, ":") {
		return text
	}
	return userinfo.ReplaceAllString(text, "$1")
}

func withoutUserinfoBytes(data []byte) []byte {
	if bytes.IndexByte(data, '@') < 0 || !userinfo.Match(data) {
		return data
	}
	return userinfo.ReplaceAll(data, []byte("$1"))
}
