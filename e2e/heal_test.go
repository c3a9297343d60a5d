package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// healPage is a page of a shop; the variants replace parts of it.
const healPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head><body>
<header><a href="/">Shop</a> <a href="/help">Help</a></header>
<main><h1>Orders</h1>
<ul><li><span>Pen</span> <button class="pick" data-pick="Pen">Pick the pen</button></li>
<li><span>Ink</span> <button class="pick" data-pick="Ink">Pick the ink</button></li></ul>
<form><label>Note <input id="note" class="field" name="note"></label> <button id="keep" class="btn-primary">Keep the note</button></form>
<p role="status"></p></main>
<footer><form action="/news"><input aria-label="Email"><button>Subscribe to news</button></form></footer>
<script>
const say = (text) => document.querySelector('[role=status]').textContent = text;
const form = document.querySelector('main form');
if (form) form.onsubmit = (e) => { e.preventDefault(); say('kept: ' + form.elements[0].value); };
document.onclick = (e) => { if (e.target.dataset.pick) say('picked: ' + e.target.dataset.pick); };
</script></body></html>`

const healSpec = `import { expect, test } from '@playwright/test';

test('keeps a note', async ({ page }) => {
  await page.goto('/');
  await page.locator('#note').fill('milk');
  await page.locator('.btn-primary').click();
  await expect(page.getByRole('status')).toHaveText('kept: milk');
});

test('picks the second', async ({ page }) => {
  await page.goto('/');
  await page.locator('li:nth-child(2) button').click();
  await expect(page.getByRole('status')).toHaveText('picked: Ink');
});
`

// variant replaces parts of the page: old, new, old, new, …
func variant(edits ...string) string { return strings.NewReplacer(edits...).Replace(healPage) }

// healRig is a project with tests, and a site that can be changed.
type healRig struct {
	t    *testing.T
	dir  string
	site *httptest.Server
	page atomic.Value
}

func newHealRig(t *testing.T, files map[string]string) *healRig {
	t.Helper()
	rig := &healRig{t: t, dir: testProject(t)}
	rig.page.Store(healPage)
	rig.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, rig.page.Load())
	}))
	t.Cleanup(rig.site.Close)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(rig.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return rig
}

// healAnswer is what assay heal prints as JSON.
type healAnswer struct {
	Healed    []struct{ Test, Old, New, By string }
	Proposals []struct {
		Test, Old, Why string
		Choices        []struct{ New, Picture string }
	}
	Unhealed []struct{ Test, Reason, Detail string }
	Rerun    []struct {
		Green, Runs, Before, Killed int
		Lost                        []string
	}
	Diff    string
	Green   int
	Written []string
}

func (rig *healRig) heal(args ...string) (out healAnswer, code int, said string) {
	rig.t.Helper()
	code, said = author(rig.t, rig.dir, &out, append([]string{"heal", "--json", "--base-url", rig.site.URL}, args...)...)
	return out, code, said
}

func (rig *healRig) read(name string) string {
	rig.t.Helper()
	text, err := os.ReadFile(filepath.Join(rig.dir, name))
	if err != nil {
		rig.t.Fatal(err)
	}
	return string(text)
}

// C5, C8: tests are healed after edits of ids, classes and order, and hold what they
// held; nothing is written unless that is asked for. After an edit of a text, and where
// the element is gone, they are left, with a proposal or a finding.
func TestHealTests(t *testing.T) {
	t.Parallel()
	rig := newHealRig(t, map[string]string{"shop.spec.ts": healSpec})
	if code, said := author(t, rig.dir, nil, "prove", ".", "--mutants", "4", "--base-url", rig.site.URL); code != 0 {
		t.Fatalf("prove: exit %d: %s", code, said)
	}
	rig.page.Store(variant(`id="note" class="field"`, `id="memo" class="input"`, `id="keep" class="btn-primary"`, `id="k-2" class="button strong"`,
		`<ul><li><span>Pen</span> <button class="pick" data-pick="Pen">Pick the pen</button></li>`, `<ul>`,
		`Pick the ink</button></li></ul>`, `Pick the ink</button></li><li><span>Pen</span> <button class="pick" data-pick="Pen">Pick the pen</button></li></ul>`))
	out, code, said := rig.heal(".")
	if code != 0 || len(out.Healed) != 3 || len(out.Rerun) != 2 || len(out.Unhealed) != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	for _, r := range out.Rerun {
		if r.Green != 10 || r.Before == 0 || len(r.Lost) > 0 {
			t.Errorf("%+v", r)
		}
	}
	if rig.read("shop.spec.ts") != healSpec {
		t.Error("the file was written without --write")
	}
	if !strings.Contains(out.Diff, "-  await page.locator('#note').fill('milk');\n") || strings.Contains(out.Diff, "\n-  await expect") {
		t.Errorf("diff:\n%s", out.Diff)
	}

	rig.page.Store(variant(`id="keep" class="btn-primary">Keep the note`, `id="k-2" class="strong">Send it`))
	if out, code, said = rig.heal(".", "--grep", "keeps"); code != 1 || len(out.Healed) != 0 || out.Unhealed[0].Reason != "ambiguous" || len(out.Proposals) != 1 {
		t.Fatalf("another text: exit %d: %s", code, said)
	}
	if c := out.Proposals[0].Choices; !strings.Contains(c[0].New, "Send it") || c[0].Picture == "" {
		t.Errorf("another text: %+v", out.Proposals)
	}

	// healenium#88: what is gone is not healed onto what is left.
	rig.page.Store(variant(`<button id="keep" class="btn-primary">Keep the note</button>`, ``))
	if out, code, said = rig.heal(".", "--grep", "keeps"); code != 1 || len(out.Healed) != 0 || len(out.Unhealed) != 1 {
		t.Fatalf("gone: exit %d: %s", code, said)
	}
	t.Log(out.Unhealed, out.Proposals)
}
