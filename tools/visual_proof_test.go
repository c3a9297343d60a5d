package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// What an element's picture does not show is not blamed for its change.
func TestVisualElementBlamesNothingBesideIt(t *testing.T) {
	d, b := online(t), newBoard(t, salesBoard)
	d.ok("capture_visual_baseline", `{"url": %q, "name": "card", "selectors": ["testid=card"]}`, b.url)
	b.change(t, "Revenue 42", "Revenue 17")
	b.change(t, `<table style="`, `<p style="height:900px">More</p><table style="margin:30px;color:red;`)
	got := d.look(`{"url": %q, "name": "card", "threshold": 0}`, b.url)
	row := got.row(t)
	if row.Status != qa.VisualChanged || len(row.Regions) == 0 {
		t.Fatalf("%s %+v", row.Status, row)
	}
	for _, r := range row.Regions {
		if r.Box.Width == 0 || r.Box.Height == 0 || strings.Contains(r.Text, "table") || strings.Contains(r.Text, "margin") || strings.Contains(r.Text, "the page") {
			t.Errorf("blamed: %+v", r)
		}
	}
}

