package selectors

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct{ in, want string }{
		{`button "Sign in"`, `button "Sign in"`},
		{`button "Delete" [2]`, `button "Delete" [2]`},
		{`frame "Payment" > textbox "Card"`, `frame "Payment" > textbox "Card"`},
		{`frame "a > b" [2] > frame [1] > heading "x"`, `frame "a > b" [2] > frame [1] > heading "x"`},
		{`frame "Payment"`, `frame "Payment"`},
		{`frame "Payment" > css=#card`, `frame "Payment" > css=#card`},
		{`frame "Payment" >> .card`, `frame "Payment" > css=.card`},
		{`table [1]`, `table [1]`},
		{`navigation`, `navigation`},
		{`row "A-1" column "Status"`, `row "A-1" column "Status"`},
		{`- row "A-1" [2]  column "Net \"A\"" [selected]`, `row "A-1" [2] column "Net \"A\""`},
		{`row [3] column"Status"`, `row [3] column "Status"`},
		{`#orders >> row "A-1" column "Status" >> button "Pay"`, `css=#orders >> row "A-1" column "Status" >> button "Pay"`},
		{`button "say \"hi\" \\ there"`, `button "say \"hi\" \\ there"`},
		{`button "a\d"`, `button "a\\d"`},
		{"  - button \"x\"\n", `button "x"`},
		{"button \"two\nlines\"", `button "two lines"`},
		{`Button "x"`, `button "x"`},
		{`button"x"[2]`, `button "x" [2]`},
		// A printed line whole: what it says about the element's state is skipped.
		{`    checkbox "Remember" [2] [checked] [focused]`, `checkbox "Remember" [2]`},
		{`textbox "Email": a > b >> c "`, `textbox "Email"`},
		{`textbox [2]: x`, `textbox [2]`},
		{`combobox "Range" [options: Today | "All" | 9]: Today`, `combobox "Range"`},
		{`heading "Q3" [match] [level=2]`, `heading "Q3"`},
		{`button [3] [icon x]`, `button [3]`},
		{`frame "Ad" (not readable: no answer within 1.5 s)`, `frame "Ad"`},
		// CSS, XPath and Playwright's own engines.
		{`button`, `css=button`},
		{`main > button`, `css=main > button`},
		{`#a .b[c="d"]`, `css=#a .b[c="d"]`},
		{`css=li:nth-child(2)`, `css=li:nth-child(2)`},
		{`//div[@id="x"]`, `xpath=//div[@id="x"]`},
		{`(//div)[2]`, `xpath=(//div)[2]`},
		{`xpath=/html`, `xpath=/html`},
		{`text=Sign in`, `text=Sign in`},
		{`text=it's`, `text=it's`},
		{`"Sign in"`, `text="Sign in"`},
		{`role=button[name="x"]`, `role=button[name="x"]`},
		{`testid=save`, `testid=save`},
		{`label=Email`, `label=Email`},
		{`.card >> button "Edit" [2]`, `css=.card >> button "Edit" [2]`},
		{`.card >> nth=1 >> text=">>"`, `css=.card >> nth=1 >> text=">>"`},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		if err != nil {
			t.Errorf("parse(%q): %v", tt.in, err)
			continue
		}
		if got.String() != tt.want {
			t.Errorf("parse(%q) = %s, want %s", tt.in, got, tt.want)
		}
		again, err := Parse(got.String())
		if err != nil || again.String() != got.String() {
			t.Errorf("parse(%q) = %s, %v; want the same again", got.String(), again, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ in, says string }{
		{``, "empty"},
		{" \t\n", "empty"},
		{`buton "Sign in"`, `the nearest is "button"`},
		{`div "x"`, `no role "div"`},
		{`li [2]`, `no role "li"`},
		{`button "Sign in`, "closing quote"},
		{`button "x" [0]`, "count from 1"},
		{`button "x" [99999999999999999999]`, "count from 1"},
		{`button "x" y`, `"y" can't follow button "x"`},
		{`button "x" [huge]`, "can't follow"},
		{`list "x" > button "y"`, "only frames"},
		{`.card >> frame "x" > button "y"`, "only frames"},
		{`frame "x" >`, "empty"},
		{`frame "x" > `, "empty"},
		{`.card >>`, "empty"},
		{`>> .card`, "empty"},
		{`_react=Button`, "_react= is not one"},
		{`internal:control=enter-frame`, "internal:control= is not one"},
		{`assay={"op":"items"}`, "assay= is not one"},
		{`.card >> assay=button "x"`, "assay= is not one"},
		{`*css=div >> a`, "*css= is not one"},
		{`text=`, "nothing follows text="},
		{`a[b='c]`, "closing ' is missing"},
		{"button \"a\x00b\"", "U+0000"},
		{"a\xffb", "UTF-8"},
		{strings.Repeat("a", 2001), "longer than 2000"},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("parse(%q) = %s, %v; want a refusal", tt.in, got, err)
			continue
		}
		if !strings.Contains(e.Error(), tt.says) {
			t.Errorf("parse(%q): %v, want it to say %q", tt.in, e, tt.says)
		}
	}
}

// Whatever a page calls its elements, the printed line is parsed to the same
// role, name and number; whatever comes in, nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`button "a\"b\\"`, `frame "x" > table [2]: y`, `.a >> "b`, `//a[@b='c']`, `a\`, "text='\\", `: " [1]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := Parse(s); err == nil {
			again, err := Parse(got.String())
			if err != nil && utf8.RuneCountInString(got.String()) <= maxChars {
				t.Fatalf("%q parses to %q, which is refused: %v", s, got.String(), err)
			}
			if err == nil && again.String() != got.String() {
				t.Fatalf("%q parses to %q and then to %q", s, got.String(), again.String())
			}
		}
		name := strings.Join(strings.Fields(strings.Map(printable, s)), " ")
		if utf8.RuneCountInString(name) > 500 {
			return
		}
		want := Selector{
			Frames: []Line{{Role: "frame", Name: name, Named: true, Nth: 3}},
			Parts:  []Part{{Line: &Line{Role: "button", Name: name, Named: true}}},
		}
		got, err := Parse("  " + want.String() + ` [checked]: "` + name)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got.Frames[0] != want.Frames[0] || *got.Parts[0].Line != *want.Parts[0].Line {
			t.Fatalf("%s is parsed to %s", want, got)
		}
	})
}

func printable(r rune) rune {
	if unicode.IsControl(r) || r == utf8.RuneError {
		return -1
	}
	return r
}
