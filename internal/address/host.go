package address

import "strings"

// HostPart returns an address up to its host. The rest may be what browsers take and
// url.Parse refuses, such as a lone percent sign.
func HostPart(text string) string {
	if scheme, rest, found := strings.Cut(text, "://"); found {
		if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
			return scheme + "://" + rest[:end]
		}
	}
	return text
}
