package main

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/assay-qa/assay/packaging/site"
)

// document is what links and anchors of a page of the site are.
type document struct {
	ids     map[string]bool
	links   []string // of a
	assets  []string // what a browser loads by itself
	words   map[string]string
	heading string
}

// Issue 34: the pages of the documentation are made of README.md and docs/, of the catalogue and
// of the program's help. They work without a server: every link leads to a page or a heading,
// and nothing is loaded from elsewhere.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the generator of the pages, which npm fetches")
	}
	b := buildOfOne(t, "1.2.3")
	if _, err := os.Stat("site/node_modules/.package-lock.json"); errors.Is(err, fs.ErrNotExist) {
		const missing = "the generator of the pages is not there; run: npm ci --prefix packaging/site"
		if os.Getenv("CI") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	temp := t.TempDir()
	file, err := b.docs(t.Context(), temp)
	if err != nil {
		t.Fatal(err)
	}
	contents, _ := archived(t, file)
	for name, content := range contents {
		target := filepath.Join(temp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(temp, "assay_1.2.3_docs")
	pages := readSite(t, folder)
	for name, page := range pages {
		for _, link := range append(page.links, page.assets...) {
			follow(t, folder, pages, name, link)
		}
		for _, asset := range page.assets {
			if strings.Contains(asset, ":") && asset != "data:," {
				t.Errorf("%s loads %s: a page loads nothing from elsewhere", name, asset)
			}
		}
		for _, what := range []string{"lang", "title", "description"} {
			if page.words[what] == "" {
				t.Errorf("%s has no %s", name, what)
			}
		}
	}
	searched(t, folder, pages)
	for _, want := range wantedPages(t, b.programs[0].path) {
		page, is := pages[want]
		switch {
		case !is:
			t.Errorf("there is no page %s", want)
		case strings.HasPrefix(want, "tools/") && (page.heading != strings.TrimSuffix(path.Base(want), ".html") || !page.ids["arguments"] || !page.ids["example"]):
			t.Errorf("%s is headed %q, and shows these parts: %v", want, page.heading, page.ids)
		case strings.HasPrefix(want, "commands/") && (!page.ids["examples"] || !page.ids["exit-codes"] || !page.ids["flags"]):
			t.Errorf("%s is headed %q, and shows these parts: %v", want, page.heading, page.ids)
		}
	}
	if run := pages["docs/decisions.html"]; len(pages) < 100 || len(run.links) < 100 {
		t.Errorf("%d pages, of which that of decisions has %d links: these tests would pass on nothing", len(pages), len(run.links))
	}
}

// readSite reads the pages of a folder, by their paths in it.
func readSite(t *testing.T, folder string) map[string]document {
	t.Helper()
	pages := map[string]document{}
	if err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch path.Ext(name) {
		case ".html":
			root, err := html.Parse(strings.NewReader(string(raw)))
			if err != nil {
				return err
			}
			page := document{ids: map[string]bool{}, words: map[string]string{}}
			page.read(t, name, root)
			pages[name] = page
		case ".css":
			if at := regexp.MustCompile(`url\(|@import|//`).FindString(string(raw)); at != "" {
				t.Errorf("%s has %q: a sheet loads nothing", name, at)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return pages
}

// read takes note of a part of a page.
func (d *document) read(t *testing.T, name string, n *html.Node) {
	attribute := func(key string) string {
		for _, a := range n.Attr {
			if a.Key == key {
				return a.Val
			}
		}
		return ""
	}
	if n.Type == html.CommentNode {
		t.Errorf("%s has a remark: %q", name, n.Data)
	}
	if n.Type == html.ElementNode {
		if id := attribute("id"); id != "" {
			if d.ids[id] {
				t.Errorf("%s has two elements with the id %s", name, id)
			}
			d.ids[id] = true
		}
		switch n.Data {
		case "html":
			d.words["lang"] = attribute("lang")
		case "title":
			d.words["title"] = n.FirstChild.Data
		case "h1":
			d.heading = n.FirstChild.Data
		case "meta":
			d.words[attribute("name")] = attribute("content")
		case "a":
			d.links = append(d.links, attribute("href"))
		case "link":
			d.assets = append(d.assets, attribute("href"))
		case "script", "img", "source", "iframe":
			if at := attribute("src"); at != "" {
				d.assets = append(d.assets, at)
			}
		}
	}
	for child := range n.ChildNodes() {
		d.read(t, name, child)
	}
}

// follow holds a link against what there is.
func follow(t *testing.T, folder string, pages map[string]document, from, link string) {
	t.Helper()
	at, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s links to %s: %v", from, link, err)
		return
	}
	if at.Scheme != "" {
		return
	}
	to := from
	if at.Path != "" {
		to = path.Join(path.Dir(from), at.Path)
	}
	if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(to))); err != nil || strings.HasSuffix(to, ".md") || path.IsAbs(at.Path) {
		t.Errorf("%s links to %s, which is no page", from, link)
	} else if at.Fragment != "" && !pages[to].ids[at.Fragment] {
		t.Errorf("%s links to %s: that page has no such heading", from, link)
	}
}

// searched holds what the search leads to against the pages.
func searched(t *testing.T, folder string, pages map[string]document) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, "assets", "search-index.js"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`\["([^"]+\.html#[^"]*)","`).FindAllStringSubmatch(string(raw), -1)
	for _, row := range found {
		follow(t, folder, pages, "index.html", row[1])
	}
	if len(found) < len(pages) {
		t.Errorf("the search knows %d headings of %d pages", len(found), len(pages))
	}
}

// wantedPages are the pages of the documents, the tools and the commands. The program names its
// commands to a shell that completes a line.
func wantedPages(t *testing.T, program string) []string {
	t.Helper()
	wanted := []string{"index.html", "settings.html"}
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		wanted = append(wanted, "docs/"+strings.TrimSuffix(filepath.Base(document), ".md")+".html")
	}
	for _, tool := range site.Catalogue() {
		wanted = append(wanted, "tools/"+tool.Definition.Name+".html")
	}
	for _, group := range []string{"", "baseline", "demo", "key", "runs"} {
		cmd := exec.Command(program, append(append([]string{"__complete"}, strings.Fields(group)...), "")...)
		cmd.Env = environment()
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if name, _, listed := strings.Cut(line, "\t"); listed && name != "completion" { // whose help is the library's
				wanted = append(wanted, "commands/"+strings.TrimPrefix(group+"-"+name, "-")+".html")
			}
		}
	}
	if len(wanted) < 100 {
		t.Errorf("only %d pages are wanted: %v", len(wanted), wanted)
	}
	return wanted
}
