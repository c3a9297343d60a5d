package browser

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

// An act is done on the element that its selector led to, also where the pointer over it
// changes what it is called: a label that slides out beside an icon, or a name that a script
// sets. What comes in its place is another element.
func TestNamesThatThePointerChanges(t *testing.T) {
	t.Parallel()
	const style = `<style>.tool { display: block; width: 30px; height: 30px; overflow: hidden; transition: width .2s, padding .2s } .tool span { display: none }
		.tool:hover { width: 160px; padding: 4px } .tool:hover span { display: inline }</style>`
	s, _ := show(t, style+`<script>var log = []</script>
		<button class=tool title="Show page [v]" onclick="log.push('show')"><span>Show page</span></button>
		<button id=named class=tool aria-label="More" onmouseenter="this.ariaLabel = 'Fewer'" onmouseleave="this.ariaLabel = 'More'" onclick="log.push('more')">*</button>
		<div style="height:2000px"></div><a href="#top" class=tool title="Back to top [t]" onclick="log.push('top')"><span>Back to top</span></a>
		<button id=gone class=tool onmouseenter="outerHTML = '<button class=tool onclick=&quot;log.push(7)&quot;>Other</button>'" onclick="log.push(7)">Swaps</button>
		<iframe title=F srcdoc='`+style+`<button class=tool title="Inside [i]" onclick="parent.log.push(0)"><span>Inside</span></button>'></iframe>`)
	click := func(selector string) error { _, err := s.Click(within30s(t), selector, 3*time.Second); return err }
	for _, c := range []struct {
		selector, want string
	}{
		{`button "Show page [v]"`, `["show"]`}, {`button "More"`, `["more"]`}, {`link "Back to top [t]"`, `["top"]`}, {`frame "F" > button "Inside [i]"`, `[0]`},
	} {
		js(t, s, "log = []")
		if err := click(c.selector); err != nil || js(t, s, "log") != c.want {
			t.Errorf("%s: %v, done %s", c.selector, err, js(t, s, "log"))
		}
	}
	js(t, s, "log = []")
	if _, err := s.Click(within30s(t), `button "Swaps"`, time.Second); codeOf(err) != explain.ElementNotFound || js(t, s, "log") != "[]" {
		t.Errorf("another element in its place: %v, done %s", err, js(t, s, "log"))
	}
	if _, err := s.Hover(within30s(t), `button "Show page [v]"`, 3*time.Second); err != nil {
		t.Errorf("hover: %v", err)
	}
	if _, err := s.DoubleClick(within30s(t), `button "More"`, 3*time.Second); err != nil || js(t, s, "log") != `["more","more"]` {
		t.Errorf("double click: %v, done %s", err, js(t, s, "log"))
	}

	c := newShop(t)
	c.handle("/users", text(`<!doctype html><title>Users</title>`+style+`<button class=tool title=Details onclick="document.title = 'gone'"><span>Delete user</span></button>`))
	guarded := opened(t, guardedPool(t, nil), c.URL+"/users")
	if _, err := guarded.Click(within30s(t), `button "Details"`, 3*time.Second); codeOf(err) != explain.ActionBlocked || js(t, guarded, "document.title") != `"Users"` {
		t.Errorf("the pointer shows that it deletes: %v, title %s", err, js(t, guarded, "document.title"))
	}
}
