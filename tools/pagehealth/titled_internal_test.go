package pagehealth

import (
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Issue 29, item 1: a title that could not be read is not one that the page lacks, whatever
// was read instead of it.
func TestAnUnreadTitleIsNoMissingOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		title  pagetext.Text
		unread bool
		want   qa.Status
		says   pagetext.Text
	}{
		"read":                 {"Shop", false, qa.Passed, ""},
		"empty":                {"", false, qa.Failed, "The page has no title"},
		"white space":          {" \n", false, qa.Failed, "The page has no title"},
		"unread":               {"", true, qa.Inconclusive, "Not judged: title: http://a.test/: the title could not be read, as the page was busy"},
		"unread, an older one": {"Shop", true, qa.Inconclusive, "Not judged: title: http://a.test/: the title could not be read, as the page was busy"},
	} {
		check := qa.Check{ID: "C1", Kind: "title", Subject: "http://a.test/", Source: qa.SourceRule}
		check.Take(titled(c.title, c.unread))
		if got := qa.Judge(qa.Record{Checks: []qa.Check{check}}); got.Status != c.want {
			t.Errorf("%s: %s: %s", name, got.Status, got.Reason)
		}
		if title := check.AsFinding().Headline(); c.want != qa.Passed && title != c.says {
			t.Errorf("%s: %q", name, title)
		}
	}
}
