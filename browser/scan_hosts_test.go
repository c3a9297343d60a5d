package browser

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/browser/scan"
)

// The host of a component is worked as the control in it, once: a click on its middle meets that. A
// card with a button in its corner is something else to click on.
func TestScanOfComponentHosts(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>x-button, .card { display: inline-block; cursor: pointer } .card { width: 300px; height: 200px; background: #eee }</style>
		<x-button id=host></x-button><span class=card id=card><button>Buy</button></span><span class=card id=said>Shoe <button>Try</button></span>
		<span class=card id=handles onclick="0"><button style="width: 100%; height: 100%">All</button></span>
		<script>host.attachShadow({ mode: 'open' }).innerHTML = '<button>Save</button>'</script>`)
	page, err := s.Scan(within30s(t), scan.Options{Max: 50})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, el := range page.Elements {
		got = append(got, el.Role+" "+el.Name+el.ID)
	}
	want := []string{"button Save", "clickable card", "button Buy", "clickable Shoesaid", "button Try", "clickable handles", "button All"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A combobox that is no select element opens a list, and belongs to the form around it. One with a
// datalist, or that opens something else, is worked as what it is.
func TestScanOfListsThatOpen(t *testing.T) { // Req 0032/5
	t.Parallel()
	s, _ := show(t, `<form><div role=combobox tabindex=0 aria-label=Country aria-required=true>Austria</div><button type=button aria-haspopup=listbox>Active</button>
		<input role=combobox aria-label=Owner readonly><x-select id=host></x-select><select aria-label=Size><option>S</select>
		<input list=d aria-label=Town><datalist id=d></datalist><div role=combobox tabindex=0 aria-haspopup=dialog aria-label=Day>1</div><button type=button aria-haspopup=menu>More</button></form>
		<script>host.attachShadow({ mode: 'open' }).innerHTML = '<div role=combobox tabindex=0 aria-label=Colour>Red</div>'</script>`)
	page, err := s.Scan(within30s(t), scan.Options{Max: 50})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, el := range page.Elements {
		if el.Field != nil && el.Field.Opens {
			got = append(got, fmt.Sprintf("%s %d %v %s", el.Name, el.Form, el.Field.Required, el.Field.Value))
		}
	}
	want := []string{"Country 1 true Austria", "Active 1 false Active", "Owner 1 false ", "Colour 1 false Red"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
