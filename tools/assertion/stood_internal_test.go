package assertion

import (
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// 29.7: that an element stood there before an act says that a check held only where the
// selector finds it by what an act does not change: the same status may say another word now.
func TestStoodByIdentity(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string]bool{
		"#status": true, "css=main > #status": true, "testid=status": true, "status": true, "li": true, "testid=list >> li": true,
		`text=4`: false, `text="Saved"`: false, `status "Saved"`: false, "label=Name": false, "#status.done": false, "[data-state=done]": false,
		"#box:checked": false, `row "A-1" column "Status"`: false, "xpath=//p": false, "testid=a >> text=Saved": false,
	} {
		for _, typ := range []qa.AssertionType{qa.Visible, qa.Exists, qa.CountAtLeast, qa.CountEquals} {
			a := qa.Assertion{Type: typ, Expected: "1"}
			o := qa.Observation{Count: 1, Seen: 1, Stood: 1}
			if got := stoodBefore(a, selector, o, browser.Stood{Known: true}); got != want {
				t.Errorf("%s %s: held before is %v", typ, selector, got)
			}
		}
	}
}

// What the page has compared with what it was tells by a class, an attribute or words too; not
// by a place among others, nor within what an act may have changed.
func TestStoodByComparison(t *testing.T) {
	t.Parallel()
	for selector, want := range map[string]bool{
		"#status.done": true, "[data-state=done]": true, ".toast": true, "testid=a >> .row": true, `status "Saved"`: true, "text=Saved": true, `frame "F" > .msg`: true,
		`frame "F" > button "Send"`: true, `button "Delete" [2]`: false, `row "A-1" column "Status"`: false, "xpath=//p": false, ".open >> .row": false, "label=Name": false,
	} {
		o := qa.Observation{Count: 1, Seen: 1, Same: 1, There: 1, Stood: 1}
		for _, typ := range []qa.AssertionType{qa.Visible, qa.Exists, qa.CountAtLeast, qa.Checked, qa.Enabled, qa.Editable, qa.Expanded, qa.Pressed, qa.ClassContains} {
			a := qa.Assertion{Type: typ, Expected: "1"}
			if got := stoodBefore(a, selector, o, browser.Stood{Known: true}); got != want {
				t.Errorf("%s %s: held before is %v", typ, selector, got)
			}
			if a.Not = true; stoodBefore(a, selector, o, browser.Stood{Known: true}) {
				t.Errorf("%s %s: what does not hold held before", typ, selector)
			}
		}
	}
}
