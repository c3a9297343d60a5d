package element

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Element is what is known of one element: what people know it by, how it is found, and by
// what else it is known again. What is empty is not known, or not there.
type Element struct {
	Role     string   `json:"role,omitempty"`     // as a snapshot has it
	Name     string   `json:"name,omitempty"`     // likewise
	Landmark string   `json:"landmark,omitempty"` // role of the landmark that it stands in
	Locators []string `json:"locators,omitempty"` // selectors in the grammar of snapshots, each leads to it alone; the steadiest first
	Print
}

// Print is what tells an element from others, beside what it is called.
type Print struct {
	Tag         string   `json:"tag"`
	Type        string   `json:"type,omitempty"`
	Text        string   `json:"text,omitempty"`
	ID          string   `json:"id,omitempty"`
	FormName    string   `json:"formName,omitempty"` // the attribute name
	TestID      string   `json:"testId,omitempty"`
	Classes     []string `json:"classes,omitempty"`
	Href        string   `json:"href,omitempty"` // without the site's own origin
	Placeholder string   `json:"placeholder,omitempty"`
	Near        string   `json:"near,omitempty"`    // words around it
	Section     string   `json:"section,omitempty"` // name of the part of the page that it stands in, or the heading above it
	Path        string   `json:"path,omitempty"`    // tags with their places, from the root
	FromID      string   `json:"fromId,omitempty"`  // the same from the nearest element with an id
	Within      string   `json:"within,omitempty"`  // what tells it from others that are called the same, such as row "Anna"
	Box         *Box     `json:"box,omitempty"`
	Visible     bool     `json:"visible,omitempty"`
	Twins       int      `json:"twins,omitempty"` // others on the page that have its role and name
}

// Box is a rectangle in CSS pixels.
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

// takes says what a field is for that its role leaves open, such as a date.
func (e Element) takes() string {
	if slices.Contains([]string{"", "text", "email", "tel", "url", "search", "submit", "button", "image", "reset"}, e.Type) {
		return "text"
	}
	return e.Type
}

// sameSpot reports whether two looks at a page show one element, which has not changed
// between them.
func (e Element) sameSpot(o Element) bool {
	return e.Tag == o.Tag && e.Role == o.Role && e.Name == o.Name && e.Path == o.Path && e.Text == o.Text
}

// Ways lists the locators that lead to the element alone, in the order in which they are
// taken from now on: those of it that were recorded come first. It may be nil: nothing was.
func (e Element) Ways(recorded *Element) []string {
	if recorded == nil {
		return e.Locators
	}
	kept := slices.DeleteFunc(slices.Clone(recorded.Locators), func(l string) bool { return !slices.Contains(e.Locators, l) })
	return append(kept, slices.DeleteFunc(slices.Clone(e.Locators), func(l string) bool { return slices.Contains(kept, l) })...)
}

// Recorded returns the element that a recording's fingerprint is of.
func Recorded(fingerprint map[string]string, locators []string) Element {
	e := Element{Role: fingerprint["role"], Name: fingerprint["name"], Locators: slices.Clone(locators), Print: Print{Tag: fingerprint["tag"], Type: fingerprint["type"],
		FormName: fingerprint["field"], Path: fingerprint["path"], Within: cmp.Or(fingerprint["within"], fingerprint["of"]), Visible: true}}
	if e.Within != "" {
		e.Twins = 1
	}
	return e
}

// Words returns a text's words and numbers in lower case, without signs.
func Words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
}

// SameName reports whether two names say the same: their words and numbers are equal in
// order, but for case and punctuation. A sign that is a part of a word counts, as in C++ and
// -1; one that stands alone only beside another one, as in "Zoom +" and "Zoom -". Names
// without words have to be equal.
func SameName(a, b string) bool {
	if a == b {
		return true
	}
	x, xSigns := wordsAndSigns(a)
	y, ySigns := wordsAndSigns(b)
	if len(x)+len(y) == 0 {
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}
	return slices.Equal(x, y) && (xSigns == "" || ySigns == "" || xSigns == ySigns)
}

// wordsAndSigns returns the words of a name with the signs that are a part of them, and those
// that stand alone.
func wordsAndSigns(name string) (words []string, signs string) {
	all := []rune(strings.ToLower(name))
	said := func(i int) bool {
		return i >= 0 && i < len(all) && (unicode.IsLetter(all[i]) || unicode.IsDigit(all[i]) || unicode.Is(unicode.Mn, all[i]))
	}
	kept := make([]rune, len(all))
	for i, r := range all {
		kept[i] = ' '
		alone := (i == 0 || all[i-1] == ' ') && i == len(all)-1
		if said(i) || isSign(r) || unicode.Is(unicode.Pd, r) && !said(i-1) && (alone || i+1 < len(all) && unicode.IsDigit(all[i+1])) {
			kept[i] = r
		}
	}
	for _, token := range strings.Fields(string(kept)) {
		if len(Words(token)) > 0 {
			words = append(words, token)
		} else {
			signs += token
		}
	}
	return words, signs
}

func isSign(r rune) bool {
	return unicode.IsSymbol(r) && !strings.ContainsRune("|~^`", r) || strings.ContainsRune("#%&@", r)
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
