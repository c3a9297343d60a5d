package explore

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// sameSite reports whether two addresses are of one host and port.
func sameSite(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	return errX == nil && errY == nil && strings.EqualFold(x.Host, y.Host)
}

// under reports whether a path is another one or lies below it.
func under(path, folder string) bool {
	folder = strings.TrimRight(folder, "/")
	return path == folder || strings.HasPrefix(path, folder+"/") || folder == ""
}

// shown returns an address without its query, for messages.
func shown(address string) string {
	before, _, _ := strings.Cut(address, "?")
	return before
}

func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}
