package explore

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
)

// maxValues bounds the values of one query parameter that tell places apart.
const maxValues = 8

// StatePlaces writes addresses as places: with numbers, ids and dates as {n}. It
// remembers the values of query parameters, of which only the first few tell
// places apart.
type StatePlaces struct {
	values map[string][]string // by path and parameter
}

// NewPlaces returns a memory without any value.
func NewPlaces() *StatePlaces { return &StatePlaces{values: map[string][]string{}} }

// Of returns the place that an address is.
func (p *StatePlaces) Of(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	out := strings.ToLower(u.Host) + pathTemplate(u.Path)
	out += p.query(out, u.Query())
	if path, query, ok := address.HashRoute(u.Fragment); ok {
		out += "#" + pathTemplate(path)
		values, _ := url.ParseQuery(query) // what it could read is what counts
		out += p.query(out, values)
	}
	return out
}

func (p *StatePlaces) query(path string, values url.Values) string {
	var out []string
	for _, key := range sortedKeys(values) {
		if tracking.MatchString(key) {
			continue
		}
		value := segmentTemplate(strings.Join(values[key], ","))
		known := p.values[path+"?"+key]
		switch {
		case slices.Contains(known, value):
		case len(known) < maxValues:
			p.values[path+"?"+key] = append(known, value)
		default:
			value = "{n}"
		}
		out = append(out, key+"="+value)
	}
	if len(out) == 0 {
		return ""
	}
	return "?" + strings.Join(out, "&")
}

// PlaceTemplate returns the path of an address with numbers, ids and dates as {n},
// and its hash route.
func PlaceTemplate(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	out := strings.ToLower(u.Host) + pathTemplate(u.Path)
	for _, key := range sortedKeys(u.Query()) {
		if !tracking.MatchString(key) {
			out += "?" + key
		}
	}
	if path, _, ok := address.HashRoute(u.Fragment); ok {
		out += "#" + pathTemplate(path)
	}
	return out
}

// AddressPattern returns the pattern of an address's path and hash route, in which what differs from
// record to record is *.
func AddressPattern(u *url.URL) string {
	out := cmp.Or(pathTemplate(u.Path), "/")
	if path, _, ok := address.HashRoute(u.Fragment); ok {
		out += "#" + pathTemplate(path)
	}
	return strings.ReplaceAll(out, "{n}", "*")
}

// Dated reports whether a text holds a date, by its figures or by the names of days and months beside figures.
func Dated(text string) bool {
	return date.MatchString(text) || strings.Contains(NameClass(text), "{d}")
}

// NormalText returns an address in the one form in which visits are compared.
func NormalText(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	case "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	if len(u.Path) > 1 {
		u.Path = strings.TrimRight(u.Path, "/")
	}
	values := u.Query()
	for key := range values {
		if tracking.MatchString(key) {
			values.Del(key)
		}
	}
	u.RawQuery, u.User = values.Encode(), nil
	if _, _, ok := address.HashRoute(u.Fragment); !ok {
		u.Fragment, u.RawFragment = "", ""
	}
	return u.String()
}

var tracking = pattern.New(`^(?:utm_\w+|gclid|fbclid|_ga|_|ts|cachebust|nonce)$`)

func sortedKeys(values url.Values) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func pathTemplate(path string) string {
	segments := strings.Split(strings.TrimRight(path, "/"), "/")
	for i, s := range segments {
		segments[i] = segmentTemplate(s)
	}
	return strings.Join(segments, "/")
}

var (
	wholeNumber = pattern.New(`^[+-]?\d+(?:[.,]\d+)*$`)
	uuid        = pattern.New(`(?i)^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$`)
	hash        = pattern.New(`(?i)^[0-9a-f]{8,}$`)
	token       = pattern.New(`^[A-Za-z0-9_-]{16,}$`)
	date        = pattern.New(`\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}`)
	numberPart  = pattern.New(`(^|[-_.:,])\d+($|[-_.:,])`)
	digit       = pattern.New(`\d`)
	letterCase  = pattern.New(`[a-z].*[A-Z]|[A-Z].*[a-z]`)
)

// segmentTemplate replaces what differs from record to record.
func segmentTemplate(s string) string {
	switch {
	case s == "":
		return s
	case wholeNumber.MatchString(s), uuid.MatchString(s):
		return "{n}"
	case hash.MatchString(s) && digit.MatchString(s):
		return "{n}"
	case token.MatchString(s) && digit.MatchString(s) && letterCase.MatchString(s):
		return "{n}"
	}
	s = date.ReplaceAllString(s, "{n}")
	for numberPart.MatchString(s) { // neighbours share a separator
		s = numberPart.ReplaceAllString(s, "$1{n}$2")
	}
	return s
}
