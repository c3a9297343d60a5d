package browser

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// The outlines of whole pages, one file a subject. Not external: what is
// tested has no exported name below a session.
func TestOutlineOfPages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/outline/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := newOutlinePage(t)
			setContent(t, p, string(archive.Files[0].Data))
			got, err := takeOutline(p, OutlineOptions{}, 5000)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got.Text); diff != "" {
				t.Errorf("outline (-want +got):\n%s", diff)
			}
		})
	}
}

// A frame that a rule refused shows the browser's own page: its line says so, and not that it
// is on its way.
func TestOutlineOfABlockedFrame(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><h1>Team</h1><iframe title="Dead" src="/dead"></iframe>`, "/dead": `<p>never</p>`})
	s := launch(t, poolOf(t), LaunchOptions{})
	intercept(t, s, Block, nil, "/dead")
	visit(t, s, web.URL+"/")
	got, _, err := s.Snapshot(within30s(t), OutlineOptions{})
	if err != nil || !strings.Contains(got.Text, `frame "Dead" (not readable: it was blocked, or could not be loaded)`) {
		t.Errorf("%v\n%s", err, got.Text)
	}
}
