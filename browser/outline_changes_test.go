package browser

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/pagetext"
)

// A2: what an act changed in the outline is told in a few lines: what came, went and
// changed, not what was drawn anew or only has another ordinal.
func TestOutlineChanges(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<main><h1>Cart (0)</h1><form aria-label=Order><label>Name <input id=name></label><label>Secret <input id=pw type=password></label>
		<label><input type=checkbox id=agree> Agree</label><select id=size aria-label=Size><option>S<option>M</select><button id=save>Save</button></form>
		<ul id=list><li>Ann <button>Delete</button></li><li>Bob <button>Delete</button></li><li>Eve <button>Delete</button></li></ul>
		<div id=box></div><div id=clock>12:00:01</div><iframe title=F srcdoc="<button>In</button>"></iframe></main>`)
	for _, c := range []struct {
		name, script string
		want         []string
	}{
		{"nothing", `0`, nil},
		{"came and went", `box.innerHTML = '<div role=alert>Saved</div>'; save.remove()`, []string{`+ alert [1]`, `+ text "Saved"`, `- button "Save"`}},
		{"value", `document.querySelector('#name').value = 'Ada'`, []string{`~ textbox "Name": "" → "Ada"`}},
		{"password", `pw.value = 'hunter2'`, []string{`~ textbox "Secret": "" → "••••"`}},
		{"checked", `agree.checked = true`, []string{`~ checkbox "Agree": not [checked] → [checked]`}},
		{"unchecked", `agree.checked = false`, []string{`~ checkbox "Agree": [checked] → not [checked]`}},
		{"option", `size.selectedIndex = 1`, []string{`~ combobox "Size": "S" → "M"`}},
		{"text", `document.querySelector('h1').textContent = 'Cart (1)'`, []string{`~ heading "Cart (0)" → "Cart (1)"`}},
		{"other ordinal", `list.firstChild.remove()`, []string{`- listitem "Ann"`}},
		{"drawn anew", `list.innerHTML = list.innerHTML`, nil},
		{"drawn anew, and one differs", `list.innerHTML = list.innerHTML.replace('Bob', 'Rob')`, []string{`~ listitem "Bob" → "Rob"`}},
		{"clock last", `clock.textContent = '12:00:02'; box.innerHTML = '<h2>New</h2>'`, []string{`+ heading "New" [level=2]`, `- alert`, `~ text "12:00:01" → "12:00:02"`}},
		{"focus", `document.querySelector('#name').focus()`, nil},
	} {
		s.MarkOutline(within30s(t), "", false)
		js(t, s, c.script+"; 0")
		got := s.OutlineChanges(within30s(t), "")
		if diff := cmp.Diff(pagetext.Of(c.want...), got.Lines); diff != "" || got.Fresh || !got.Known || got.More != 0 {
			t.Errorf("%s: (-want +got):\n%s%+v", c.name, diff, got)
		}
	}
	in := `frame "F" > button "In"`
	s.MarkOutline(within30s(t), in, false)
	js(t, s, `document.querySelector('iframe').contentDocument.body.append('Done'); 0`)
	if got := s.OutlineChanges(within30s(t), in); string(pagetext.Join(got.Lines, "|")) != `+ frame "F" > text "Done"` {
		t.Errorf("in a frame: %q", got.Lines)
	}
}

// The changes are bounded; those of a new document are its headings and landmarks,
// and what still goes on is said.
func TestOutlineChangesBounded(t *testing.T) {
	t.Parallel()
	s, site := show(t, `<h1>One</h1><div id=box></div>`)
	s.MarkOutline(within30s(t), "", false)
	js(t, s, `for (let i = 0; i < 1000; i++) box.insertAdjacentHTML('beforeend', '<button>' + 'Much text '.repeat(9) + i + '</button>'); 0`)
	got := s.OutlineChanges(within30s(t), "")
	size := len([]rune(string(pagetext.Join(got.Lines, ""))))
	if len(got.Lines) == 0 || len(got.Lines) > 8 || size > 600 || got.More+len(got.Lines) != 1000 {
		t.Errorf("%d lines, %d characters, %d more", len(got.Lines), size, got.More)
	}
	site.handle("/two", text(`<!doctype html><nav aria-label=Main><a href=/>Home</a></nav><h1>Two</h1><form aria-label=Search><input></form><p>prose</p>`))
	s.MarkOutline(within30s(t), "", false)
	visit(t, s, site.URL+"/two")
	got = s.OutlineChanges(within30s(t), "")
	if want := []string{`heading "Two" [level=1]`, `navigation "Main"`, `form "Search"`}; !got.Fresh || !cmp.Equal(pagetext.Of(want...), got.Lines) {
		t.Errorf("a new document: %+v", got)
	}
	s.MarkOutline(within30s(t), "", false)
	js(t, s, `void setTimeout(() => {}, 900)`)
	if got = s.OutlineChanges(within30s(t), ""); got.Still == "" {
		t.Error("a timer that is due is not told")
	}
}
