package similar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Element is what is known of one element. What is empty is not known, or not there.
type Element struct {
	Tag         string   `json:"tag"`
	Type        string   `json:"type,omitempty"`
	Role        string   `json:"role,omitempty"`
	Name        string   `json:"name,omitempty"` // accessible
	Text        string   `json:"text,omitempty"`
	ID          string   `json:"id,omitempty"`
	FormName    string   `json:"formName,omitempty"` // the attribute name
	TestID      string   `json:"testId,omitempty"`
	Classes     []string `json:"classes,omitempty"`
	Href        string   `json:"href,omitempty"` // without the site's own origin
	Placeholder string   `json:"placeholder,omitempty"`
	Near        string   `json:"near,omitempty"`     // words around it
	Path        string   `json:"path,omitempty"`     // tags with their places, from the root
	FromID      string   `json:"fromId,omitempty"`   // the same from the nearest element with an id
	Landmark    string   `json:"landmark,omitempty"` // role of the landmark that it stands in
	Within      string   `json:"within,omitempty"`   // what tells it from others that are called the same, such as row "Anna"
	Box         *Box     `json:"box,omitempty"`
	Visible     bool     `json:"visible,omitempty"`
	Twins       int      `json:"twins,omitempty"` // others on the page that have its role and name

	Locators []string `json:"locators,omitempty"` // selectors in the grammar of snapshots, each leads to it alone; the steadiest first
}

// Box is a rectangle in CSS pixels of the document.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// UnmarshalJSON reads a box, also as proofs before version 1 kept it.
func (b *Box) UnmarshalJSON(text []byte) error {
	var in struct{ X, Y, Width, Height, W, H float64 }
	if err := json.Unmarshal(text, &in); err != nil {
		return fmt.Errorf("read a box: %w", err)
	}
	*b = Box{in.X, in.Y, cmp.Or(in.Width, in.W), cmp.Or(in.Height, in.H)}
	return nil
}

// Families of roles: an element that changes its role within one is worked as before.
const (
	press  = "press"
	text   = "text"
	choice = "choice"
	toggle = "toggle"
)

// Family returns the family of an element's role, or the role itself; without a role
// that of its tag.
func (e Element) Family() string {
	switch e.Role {
	case "button", "link", "menuitem", "tab":
		return press
	case "textbox", "searchbox", "spinbutton":
		return text
	case "combobox", "listbox":
		if e.Tag == "input" {
			return text
		}
		return choice
	case "checkbox", "switch", "menuitemcheckbox":
		return toggle
	case "":
		return "<" + e.Tag + ">"
	}
	return e.Role
}

// Same reports whether two looks show the same element: what it is called, and where it
// stands.
func (e Element) Same(o Element) bool {
	return e.Tag == o.Tag && e.Role == o.Role && e.Name == o.Name && e.Path == o.Path && e.Text == o.Text
}

// Words returns a text's words and numbers in lower case, without signs.
func Words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
}

// SameName reports whether two names say the same: their words and numbers are equal in
// order, but for case and signs. Names without words have to be equal.
func SameName(a, b string) bool {
	x, y := Words(a), Words(b)
	if len(x)+len(y) == 0 {
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}
	return slices.Equal(x, y)
}

// Alike returns how near two texts are, from 0 to 1: how many of their words are in
// both, and how much of the shorter one is in the longer. Numbers count little, since
// they are often figures that change.
func Alike(a, b string) float64 {
	if SameName(a, b) {
		return 1
	}
	number := func(w string) bool {
		return strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
	}
	x, y := slices.DeleteFunc(Words(a), number), slices.DeleteFunc(Words(b), number)
	all := map[string]int{}
	for _, w := range x {
		all[w] |= 1
	}
	for _, w := range y {
		all[w] |= 2
	}
	both := 0
	for _, in := range all {
		if in == 3 {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return .9 * (float64(both)/float64(len(all)) + float64(both)/float64(min(distinct(x), distinct(y)))) / 2
}

func distinct(words []string) int {
	slices.Sort(words)
	return len(slices.Compact(words))
}

// SetAttribute sets what an attribute of a document says of the element.
func (e *Element) SetAttribute(name, value string) {
	switch name {
	case "id":
		e.ID = value
	case "name":
		e.FormName = value
	case "data-testid", "data-test", "data-cy":
		e.TestID = value
	case "placeholder":
		e.Placeholder = value
	case "href":
		e.Href = value
	case "type":
		e.Type = value
	case "aria-label", "alt", "title":
		e.Name = value
	case "class":
		e.Classes = strings.Fields(value)
	}
}

// Path returns an XPath from the root as [Element] has it.
func Path(xpath string) string {
	if !strings.HasPrefix(xpath, "/") {
		return ""
	}
	parts := strings.Split(strings.ToLower(strings.Trim(xpath, "/")), "/")
	for i, p := range parts {
		if !strings.HasSuffix(p, "]") {
			parts[i] = p + "[1]"
		}
	}
	return strings.Join(parts, "/")
}
