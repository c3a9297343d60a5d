package address

import (
	"net/url"
	"strings"
)

// HashRoute parts the fragment of an address, as url.URL gives it, into the path and the query
// of a route of the page's script, such as "/orders" of "#/orders?page=2" or "#!/orders"; ok is
// false where it is the name of a place within the page.
func HashRoute(fragment string) (path, query string, ok bool) {
	path, query, _ = strings.Cut(strings.TrimRight(strings.TrimPrefix(fragment, "!"), "/"), "?")
	return path, query, strings.HasPrefix(path, "/")
}

// Page returns what names a page in an address: host and path, with the path of its hash route.
// An address that can't be read names itself.
func Page(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	page := strings.ToLower(u.Host) + strings.TrimRight(u.Path, "/")
	if route, _, ok := HashRoute(u.Fragment); ok {
		page += "#" + strings.TrimRight(route, "/")
	}
	return page
}
