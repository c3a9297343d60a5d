package redact

import (
	"maps"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// NotShown stands for a credential.
const NotShown = "(not shown)"

// MaskedValue stands for the content of a password control.
const MaskedValue = "••••"

// secretHeader and secretName recognise by their names what carries a
// credential; fieldValue and the rest find named values in text.
var (
	secretHeader = pattern.New(`(?i)authorization|authentication|cookie|token|secret|api-?key|password|session|csrf|xsrf|signature|credential`)
	secretName   = pattern.New(`(?i)passw|passphrase|passcode|^pwd$|[-_.]pwd$|^pass$|secret|token$|api[-_]?key|^authorization$|credential|^otp$|^pin$|^cv[vc]2?$|^sid$|session[-_]?id|signature$|^sig$`)
	formValue    = pattern.New(`(^|[?&;\n])([^=&?;\s"'<>{}]{1,100})=([^&;#\s]+)`)
	jsonValue    = pattern.New(`"((?:[^"\\]|\\.){1,100})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[-+.\w]+)`)
	multipart    = pattern.New(`(?i)(content-disposition: *form-data; *name="([^"]{1,100})"[^\n]*\n(?:[^\n]+\n)*\r?\n)([^\r\n]*)`)
)

// Headers leaves credentials out of a copy of headers.
func Headers(headers map[string]string) map[string]string {
	out := maps.Clone(headers)
	for name, value := range out {
		switch {
		case secretHeader.MatchString(name):
			out[name] = NotShown
		case name == "location" || name == "referer":
			out[name] = URL(value)
		}
	}
	return out
}

// Text leaves out the values of fields in a body (a form's, JSON's or a
// multipart one) whose names say that they are secret.
func Text(text string) string {
	text = replaceNamed(formValue, text, 2, NotShown)
	text = replaceNamed(jsonValue, text, 1, `"`+NotShown+`"`)
	return replaceNamed(multipart, text, 2, NotShown)
}

// SecretField reports whether a field's name says that it is secret.
func SecretField(name string) bool { return secretName.MatchString(strings.TrimRight(name, "[]")) }

// replaceNamed puts with in place of the third group of each match whose group
// name is that of a secret field.
func replaceNamed(re *pattern.Pattern, text string, name int, with string) string {
	const value = 3
	var b strings.Builder
	end := 0
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		field := text[m[2*name]:m[2*name+1]]
		if plainName, err := url.QueryUnescape(field); err == nil {
			field = plainName
		}
		if SecretField(field) {
			b.WriteString(text[end:m[2*value]])
			b.WriteString(with)
			end = m[2*value+1]
		}
	}
	return b.String() + text[end:]
}

// userinfo matches the name and the password before an address's host.
var userinfo = pattern.New(`^([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#]*@`)

// URL leaves credentials out of an address.
func URL(address string) string {
	address = userinfo.ReplaceAllString(address, "$1")
	if !strings.ContainsAny(address, "?#") {
		return address
	}
	return replaceNamed(queryValue, address, 2, NotShown)
}

var queryValue = pattern.New(`([?&;#])([^=&?;#]{1,100})=([^&;#]+)`)
