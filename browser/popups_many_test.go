package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/internal/pagetext"
)

// B6: a page that opens popups without end, with or without a way back to
// itself: some stay, the rest is closed and told, nothing is kept of them, and
// the page goes on.
func TestPopupsAreBounded(t *testing.T) {
	t.Parallel()
	for _, features := range []string{"", "noopener"} {
		if features != "" && !soak() {
			continue
		}
		t.Run("features "+features, func(t *testing.T) {
			s, web := show(t, `<button onclick="setInterval(() => { if (n < 25) { n++; window.open('/pop', '', '`+features+`') } }, 1)">Open</button><script>var n = 0</script>`)
			web.handle("/pop", text("<title>pop</title>"))
			if _, err := s.Click(within30s(t), `button "Open"`, 0); err != nil {
				t.Fatal(err)
			}
			becomes(t, "all are open, and most are closed again", func() error {
				open, notes := s.log.Held().Popups, string(pagetext.Join(s.log.NotesSince(eventlog.Mark{}), "\n"))
				if n := strings.Count(notes, "closed: more than the 10"); n != 15 || open != maxPopups {
					return fmt.Errorf("%d told, %d open", n, open)
				}
				return nil
			})
			becomes(t, "no more pages are known", func() error {
				if n := len(s.current().context.pw.Pages()); n != 1+maxPopups {
					return fmt.Errorf("%d pages", n)
				}
				return nil
			})
			if got := js(t, s, "n"); got != "25" {
				t.Errorf("the page opened %s", got)
			}
			visit(t, s, web.URL+"/pop")
			if n := s.log.Held().Pages; n > 3*(1+maxPopups) {
				t.Errorf("%d entries about pages are kept", n)
			}
		})
	}
}
