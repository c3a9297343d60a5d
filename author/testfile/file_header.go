package testfile

import (
	"fmt"
	"strings"
)

// fileHeader writes the imports, settings and helper functions before the test: only those that it needs.
func (w *writer) fileHeader(o Options) string {
	var b strings.Builder
	switch {
	case o.Draft:
		b.WriteString(Mark + quote(o.Source) + ": recorded, not run. Look through it before you keep it.\n")
	default:
		b.WriteString(Mark + quote(o.Source) + ", which it is made from again: changes belong there.\n")
	}
	w.needs["dialogs"] = w.needs["dialogs"] || w.needs["happened"] // whose listener replaces the default answers
	b.WriteString(w.imports())
	use := []string{fmt.Sprintf("actionTimeout: %d", stepMS), fmt.Sprintf("navigationTimeout: %d", stepMS)}
	if o.Width > 0 && o.Height > 0 {
		use = append(use, fmt.Sprintf("viewport: { width: %d, height: %d }", o.Width, o.Height))
	}
	if o.SignedIn || w.flow.Role != "" {
		w.needs["variable"] = true
		use = append(use, `storageState: variable("STORAGE_STATE")`)
	}
	if w.needs["variable"] {
		b.WriteString(variable)
	}
	if w.needs["at"] {
		b.WriteString(at)
	}
	b.WriteString("test.use(" + options(use...) + ");\n\n")
	for _, part := range []string{"errors", "requests", "answers", "happened", "dialogs"} {
		if w.needs[part] {
			b.WriteString(kept(part))
		}
	}
	for _, name := range []string{"compared", "reading", "sorted", "before", "lines", "upload", "drop", "code", "tab", "popup", "close"} {
		if w.needs[name] {
			b.WriteString(checkHelper(name))
		}
	}
	if w.tabs {
		b.WriteString("test.beforeEach(({ page }) => {\n" + brokenInAnyTab)
	} else {
		b.WriteString("test.beforeEach(({ page }) => {\n" + broken)
	}
	for _, part := range []string{"errors", "requests", "answers", "happened", "dialogs"} {
		if w.needs[part] {
			b.WriteString(listener(part))
		}
	}
	b.WriteString("});\n")
	return b.String()
}

// imports returns what the file takes from elsewhere.
func (w *writer) imports() string {
	node, from := "", ""
	if w.needs["code"] {
		node += "import { createHmac } from 'node:crypto';\n"
	}
	if w.needs["drop"] {
		node += "import * as fs from 'node:fs';\n"
	}
	if w.needs["upload"] || w.needs["drop"] {
		node += "import * as path from 'node:path';\n"
	}
	if node != "" {
		node += "\n"
	}
	if w.needs["dialogs"] {
		from += "type Dialog, "
	}
	if w.needs["upload"] || w.needs["drop"] || w.needs["compared"] || w.needs["before"] {
		from += "type Locator, "
	}
	if w.tabs || w.needs["dialogs"] {
		from += "type Page, "
	}
	return node + "import { " + from + "expect, test } from '@playwright/test';\n\n"
}

const variable = `function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error('set ' + name + ' in the environment: the test needs it');
  return value;
}

`

const at = `function at(path: string): string {
  const base = process.env.BASE_URL ?? test.info().project.use.baseURL;
  if (!base) throw new Error('set BASE_URL, or use.baseURL of the configuration: the test opens ' + path);
  return base.replace(/\/+$/, '') + path;
}

`

// broken fails a test whose page answers 5xx, wherever it came from.
const broken = `  page.on('response', (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame()) expect.soft(r.status(), 'status of ' + r.url()).toBeLessThan(500);
  });
`

// brokenInAnyTab does so for each of several tabs.
const brokenInAnyTab = `  page.context().on('response', (r) => {
    if (r.request().isNavigationRequest() && !r.frame().parentFrame()) expect.soft(r.status(), 'status of ' + r.url()).toBeLessThan(500);
  });
`

// kept declares what a listener keeps.
func kept(part string) string {
	return map[string]string{
		"errors": "let errors: string[] = [];\n",
		"requests": "let requests: { of: unknown; method: string; url: string; status: number; failed: boolean }[] = [];\n" +
			"let acted = 0; // how many there were before the last act\nlet opened = 0; // and before the page's document was asked for\n",
		"answers": "let answers: number[] = []; // status of each of the page's documents\n",
		"dialogs": "let next: { page: Page; answer: (dialog: Dialog) => Promise<void> }[] = []; // the answers to the dialogs that a page will show, one each\n",
		"happened": "let happened: { kind: string; dialog?: string; text: () => string }[] = []; // dialogs, popups and downloads\n" +
			"let brought = 0; // how many there were before the last act\n" +
			"const keep = (dialog: Dialog) => happened.push({ kind: 'dialog', dialog: dialog.type(), text: () => dialog.message() });\n",
	}[part]
}

// listener returns the code that collects what an assertion reads. Errors
// count since the page's own document was requested.
func listener(part string) string {
	return map[string]string{
		"errors": `  let before = 0;
  errors = [];
  page.on('request', (r) => {
    if (r.isNavigationRequest() && r.frame() === page.mainFrame()) before = errors.length;
  });
  page.on('framenavigated', (f) => {
    if (f !== page.mainFrame()) return;
    errors = errors.slice(before);
    before = 0;
  });
  page.on('console', (m) => {
    if (m.type() === 'error') errors.push(m.text());
  });
  page.on('pageerror', (e) => errors.push(String(e)));
`,
		"requests": `  requests = [];
  acted = opened = 0;
  page.context().on('request', (r) => {
    if (r.isNavigationRequest() && r.frame() === page.mainFrame()) opened = requests.length;
    requests.push({ of: r, method: r.method(), url: r.url(), status: 0, failed: false });
  });
  page.context().on('response', (r) => {
    for (const sent of requests) if (sent.of === r.request()) sent.status = r.status();
  });
  page.context().on('requestfailed', (r) => {
    for (const sent of requests) {
      if (sent.of !== r || (sent.status > 0 && r.failure()?.errorText.includes('ERR_ABORTED'))) continue;
      sent.failed = true;
      sent.status = 0;
    }
  });
`,
		"happened": `  happened = [];
  brought = 0;
  page.on('dialog', keep);
  page.on('popup', (popup) => happened.push({ kind: 'popup', text: () => popup.url() }));
  page.on('download', async (d) => {
    if (!(await d.failure())) happened.push({ kind: 'download', text: () => d.suggestedFilename() });
  });
`,
		"dialogs": `  next = [];
  page.context().on('dialog', (dialog) => {
    const usual = () => (['alert', 'beforeunload'].includes(dialog.type()) ? dialog.accept() : dialog.dismiss());
    const at = next.findIndex((n) => n.page === dialog.page());
    return at < 0 ? usual() : next.splice(at, 1)[0].answer(dialog);
  });
`,
		"answers": `  answers = [];
  page.on('response', (r) => {
    if (r.request().isNavigationRequest() && r.frame() === page.mainFrame()) answers.push(r.status());
  });
`,
	}[part]
}
