package browser

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/browser/scan"
)

// A control that a click does not meet, since something else lies over it, is behind that: a
// drawer, a list that is open. What a click meets, what is only decorated, and what comes free
// when the page is scrolled, is not.
func TestScanOfWhatLiesUnderAnotherLayer(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]struct {
		body   string
		behind []string
	}{
		"a drawer over all": {`<button>Save</button><input aria-label=Name><a href=/x>Next</a>
			<div style="position: fixed; inset: 0; background: #0008"><button>Close</button><input aria-label=Note></div>`, []string{"Save", "Name", "Next"}},
		"a drawer on one side": {`<button style="float: right">Save</button><button>Open</button>
			<div style="position: fixed; top: 0; right: 0; bottom: 0; width: 50%"><button style="margin-left: 9em">Close</button></div>`, []string{"Save"}},
		"an open list": {`<div style="position: relative"><button>Open</button>
			<ul style="position: absolute; margin: 0; background: #fff; height: 100px"><li><button>First one of the list</button></ul></div><button>Save</button>`, []string{"Save"}},
		"a popover":                    {`<button>Save</button><div popover=manual id=p style="inset: 0; width: 100%; height: 100%"><button>Close</button></div><script>p.showPopover()</script>`, []string{"Save"}},
		"a layer that lets clicks by":  {`<button>Save</button><div style="position: fixed; inset: 0; pointer-events: none"></div>`, nil},
		"a bar over a long page":       {`<button>Save</button><p style="height: 3000px"></p><div style="position: fixed; inset: 0 0 auto; height: 60px"></div>`, nil},
		"a bar over a page that stays": {`<button>Save</button><div style="position: fixed; inset: 0 0 auto; height: 60px"></div>`, []string{"Save"}},
		"its label":                    {`<label style="position: relative"><input type=checkbox aria-label=Tick><b style="position: absolute; inset: 0">x</b></label>`, nil},
		"a field's hint":               {`<div style="position: relative"><input aria-label=Name><b style="position: absolute; inset: 0">e.g. Ada</b></div>`, nil},
		"its icon":                     {`<button>Save<svg style="position: absolute; inset: 0" width=90 height=90></svg></button>`, nil},
		"below the fold":               {`<p style="height: 3000px"></p><button>Save</button>`, nil},
		"below the fold and a drawer":  {`<p style="height: 3000px"></p><button>Save</button><div style="position: fixed; inset: 0"></div>`, []string{"Save"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := show(t, page.body)
			found, err := s.Scan(within30s(t), scan.Options{Max: 50})
			if err != nil {
				t.Fatal(err)
			}
			var behind []string
			for _, el := range found.Elements {
				if el.Behind {
					behind = append(behind, el.Name)
				}
			}
			if diff := cmp.Diff(page.behind, behind); diff != "" {
				t.Error(diff)
			}
		})
	}
}
