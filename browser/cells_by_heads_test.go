package browser

import (
	"strings"
	"testing"
)

// tablesPage has the same orders in tables that are written in other ways.
const tablesPage = `<style>th, td { padding: 2px }</style>
<section id=plain><table><tr><th>Order<th>Status<th>Total<tr><td data-uid=p1>A-1<td data-uid=p2>Paid<td data-uid=p3>12<tr><td>A-2<td data-uid=p5>Open<td>A-1</table></section>
<section id=spans><table><thead><tr><th rowspan=2>Order<th colspan=2>2026<tr><th>Q1<th><button>Q2 ▲</button></thead>
 <tbody><tr><th scope=row rowspan=2>A-1<td data-uid=s1>10<td data-uid=s2>20<tr><td data-uid=s3>11<td data-uid=s4>21<tr><th scope=row>A-2<td>30<td data-uid=s6>40</table></section>
<section id=grid><div role=grid><div role=row><span role=columnheader>Order</span><span role=columnheader>Status</span></div>
 <div role=row><span role=gridcell>A-1</span><span role=gridcell data-uid=g1>Paid</span></div><div role=row><span role=gridcell>A-2</span><span role=gridcell data-uid=g2>Open</span></div></div></section>
<section id=pinned><div role=treegrid><div role=rowgroup><div role=row aria-rowindex=1><b role=columnheader aria-colindex=1>Order</b></div></div><div role=rowgroup><div role=row aria-rowindex=1><b role=columnheader aria-colindex=3>Total</b><b role=columnheader aria-colindex=2>Status</b></div></div>
 <div role=rowgroup><div role=row aria-rowindex=2><b role=rowheader aria-colindex=1>A-1</b></div></div><div role=rowgroup><div role=row aria-rowindex=2><b role=gridcell aria-colindex=3 data-uid=n3>12</b><b role=gridcell aria-colindex=2 data-uid=n2>Paid</b></div></div></div></section>
<section id=headless><table><tr><td>Order<td>Status<tr><td><a href=#>A-1</a><td data-uid=h2>Paid</table></section>
<section id=inner><table><tr><th>Order<th>Lines<tr><td>A-1<td data-uid=i1><table><tr><th>Article<th>Status<tr><td>Tea<td data-uid=i2>Sent</table></table></section>`

// Step 15, point 11: a cell is found by the heads of its row and its column, in tables and
// grids however they are written; where columns are swapped it is another cell.
func TestCellsByHeads(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, tablesPage)
	found := func(selector string) string {
		t.Helper()
		parsed, err := parseSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		all, err := parsed.locator(p).All()
		if err != nil {
			t.Fatal(err)
		}
		var uids []string
		for _, one := range all {
			uid, err := one.GetAttribute("data-uid")
			if err != nil {
				t.Fatal(err)
			}
			uids = append(uids, uid)
		}
		return strings.Join(uids, " ")
	}
	for selector, want := range map[string]string{
		`#plain >> row "A-1" column "Status"`:    "p2", // not the row that names A-1 in another column
		`#plain >> row "A-1" column "Total"`:     "p3",
		`#plain >> row "A-1" column "Nothing"`:   "",
		`#plain >> row "A-9" column "Status"`:    "",
		`#spans >> row "A-1" column "Q2"`:        "s2 s4",
		`#spans >> row "A-1" [2] column "Q1"`:    "s3",
		`#spans >> row "A-2" column "Q2"`:        "s6",
		`#spans >> row "A-1" column "2026 Q1"`:   "s1 s3", // a head below another
		`#spans >> row "A-1" column "2025 Q1"`:   "",
		`#grid >> row "A-2" column "Status"`:     "g2",
		`#pinned >> row "A-1" column "Status"`:   "n2",
		`#pinned >> row "A-1" column "Total"`:    "n3",
		`#headless >> row "A-1" column "Status"`: "h2",
		`#inner >> row "A-1" column "Lines"`:     "i1",
		`#inner >> row "Tea" column "Status"`:    "i2",
		`#inner >> row "A-1" column "Status"`:    "",
	} {
		if got := found(selector); got != want {
			t.Errorf("%s finds %q, want %q", selector, got, want)
		}
	}
	if _, err := p.Evaluate(`for (const row of document.querySelectorAll('#plain tr')) row.append(row.cells[1])`); err != nil {
		t.Fatal(err)
	}
	if got := found(`#plain >> row "A-1" column "Status"`); got != "p2" {
		t.Errorf("with the whole column moved: %q", got)
	}
	if _, err := p.Evaluate(`const row = document.querySelectorAll('#plain tr')[1]; row.insertBefore(row.cells[2], row.cells[1])`); err != nil {
		t.Fatal(err)
	}
	if got := found(`#plain >> row "A-1" column "Status"`); got != "p3" {
		t.Errorf("with the cells of a row swapped: %q", got)
	}
}
