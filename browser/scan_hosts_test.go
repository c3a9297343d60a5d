package browser

import (
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
