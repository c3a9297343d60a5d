package author_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

const cartPlan = "# Test Plan\n\n**Start URL**: http://shop.test/\n\n## Steps to Reproduce: Add a thing\n\n### Step 2: CLICK\n\n**Action:** click on element\n- **Selector**: `#add`\n\n**Expected Results:**\n"

// C4: a client makes tests of an exploration in short calls; only the exploration's
// folder is read and written.
func TestGenerateInTheBackground(t *testing.T) {
	ws := desk(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><title>Shop</title><main><h1>Shop</h1><button id=add onclick="document.querySelector('p').textContent='One thing'">Add</button><p></p></main>`))
	}))
	defer server.Close()
	dir := t.TempDir()
	const id = "20260102-030405"
	if err := disk.MakeDataFolder(dir); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := disk.Write(root, "explorations/"+id+"/"+author.PlanName, []byte(cartPlan)); err != nil {
		t.Fatal(err)
	}
	g := &author.Generating{DataDir: dir}
	for _, r := range []workspace.GenerateRequest{{ExplorationID: "../" + id}, {ExplorationID: id}, {ExplorationID: "20260102-030406"}, {ExplorationID: id, FromPlan: true, Locators: "best"}} {
		if s, err := g.Start(t.Context(), ws, r); !errors.Is(err, workspace.ErrGenerationRefused) {
			t.Errorf("%+v: %+v %v", r, s, err)
		}
	}
	if _, err := g.Status(t.Context(), id); !errors.Is(err, workspace.ErrGenerationRefused) {
		t.Errorf("status of nothing: %v", err)
	}
	request := workspace.GenerateRequest{ExplorationID: id, FromPlan: true, BaseURL: server.URL}
	missing := &driver.InstallError{}
	g.Runner = func() (testrun.Runner, error) { return testrun.Runner{}, missing }
	if s, err := g.Start(t.Context(), ws, request); !errors.As(err, &missing) || s.State != "" {
		t.Errorf("without a runner: %+v %v", s, err)
	}
	request.Draft = true
	if s, err := g.Start(t.Context(), ws, request); err != nil || s.State != "running" {
		t.Fatalf("%+v %v", s, err)
	}
	s, err := g.Status(t.Context(), id)
	if err != nil || s.State != "finished" || s.Tests != 1 || s.Asserts < 3 || s.Problem != "" {
		t.Fatalf("%+v %v", s, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "explorations", id, author.TestFolder, "add-a-thing.draft.ts"))
	if err != nil || !strings.Contains(string(text), `locator('text="One thing"')`) {
		t.Errorf("%v\n%s", err, text)
	}
	g.Close(context.Background())
}
