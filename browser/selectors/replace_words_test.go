package selectors

import "testing"

// Other words stand in place of those of a selector, and nothing else changes.
func TestWithOtherWords(t *testing.T) {
	for _, row := range []struct {
		selector, want string
		bound          []string
	}{
		{`button "Save"`, `button "zzz"`, nil},
		{`button "Save" [2]`, `button "zzz" [2]`, nil},
		{`frame "Payment" > textbox "Card"`, `frame "Payment" > textbox "zzz"`, nil},
		{`text=Saved`, `text=zzz`, nil},
		{`text="Saved" >> nth=1`, `text="zzz" >> nth=1`, nil},
		{`text=/saved|.*/i`, `text=/zzz|.*/i`, nil},
		{`text=/\d+ items/`, `text=/\d+ zzz/`, nil},
		{`label=Name`, `label=zzz`, nil},
		{`testid=total`, `testid=zzz`, nil},
		{`role=button[name="Save"]`, `role=button[name="zzz"]`, nil},
		{`role=button[name=/sa?ve/i]`, `role=button[name=/zzz?zzz/i]`, nil},
		{`css=.msg:not(:has-text("Error"))`, `css=.msg:not(:has-text("zzz"))`, nil},
		{`css=p:text-matches("Saved|.*", "i")`, `css=p:text-matches("zzz|.*", "i")`, nil},
		{`css=a[href="/a/b/"]`, `css=a[href="zzz"]`, nil},
		{`//p[contains(., "Saved") or true()]/b`, `xpath=//p[contains(., "zzz") or true()]/b`, nil},
		{`#saved, body`, `css=#zzz, body`, []string{"Saved"}},
		{`li:nth-child(5)`, `css=li:nth-child(zzz)`, []string{"5"}},
		{`css=#save`, `css=#save`, nil},
		{`button [2]`, `button [2]`, nil},
		{`"`, `"`, nil},
	} {
		if got := WithOtherWords(row.selector, row.bound, "zzz"); got != row.want {
			t.Errorf("%s: got %s, want %s", row.selector, got, row.want)
		}
	}
}
