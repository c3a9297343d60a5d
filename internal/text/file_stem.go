package text

import "strings"

// FileStem returns what a file that holds something of that title is called, without an ending: its
// letters a to z and digits in lower case, with hyphens for all others between them, at most 60 bytes;
// "" where it has none of these.
func FileStem(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(Bytes(strings.Trim(b.String(), "-"), 60), "-")
}
