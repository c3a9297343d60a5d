package kpicheck

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Issue 29, item 1: no figure that does not hold is said to be expected as it was observed,
// in the table, in the check, or in the title of the finding.
func TestNoFigureIsToldAsExpectedAndWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, shown, want string
		unseen            string
		status            qa.KPIStatus
		says              string
	}{
		"as written in another language": {"de", "1,234 €", "1,234 €", "", qa.KPIMismatch, "1,234 €, which the page writes for 1.234"},
		"with another space":             {"de", "1,234\u00a0€", "1,234 €", "", qa.KPIMismatch, "which the page writes for 1.234"},
		"there, and not seen":            {"en", "30", "30", "transparent", qa.KPIMissing, "is on the page, but can't be seen"},
		"another figure":                 {"en", "31", "30", "", qa.KPIMismatch, "shows 31 (+1"},
	} {
		page := layout("main\n\tdiv\n\t\th3 Revenue\n\t\tp " + c.shown + "\n")
		page.Lang = c.lang
		if c.unseen != "" {
			last := &page.Texts[len(page.Texts)-1]
			last.Kind, last.Why = "unseen", c.unseen
		}
		row, filed, said := recordedOf(t, page, "Revenue", c.want)
		if row.Status != c.status {
			t.Errorf("%s: %s, want %s: %s", name, row.Status, c.status, said)
			continue
		}
		if len(filed) != 1 || filed[0].Check.Observed.LooksLike(filed[0].Check.Expected) || pagetext.Text(row.Observed).LooksLike(row.Expected) {
			t.Errorf("%s: expected %s, observed %s", name, row.Expected, row.Observed)
		}
		if title := string(filed[0].Finding.Headline()) + " " + said; !strings.Contains(title, c.says) {
			t.Errorf("%s: %q does not say %q", name, title, c.says)
		}
	}
}
