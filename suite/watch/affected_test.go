package watch_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/suite/watch"
)

// 33 E: a change affects the cases whose files or loaded files it is in. It affects none only where cases loaded files of
// its kind from its folder, and not this one; what else it affects is not known.
func TestAffected(t *testing.T) {
	names := []string{"a.flow.toml", "login.flow.toml", "site/index.html", "site/about.html", "site/js/app.js", "site/js/admin.js", "site/js/server.ts", "site/de/index.html",
		"server.js", "client.js", "src/img/logo.svg", "dist/img/logo.svg", "templates/base.html"}
	cases := []watch.Case{
		{File: "/p/a.flow.toml", Files: []string{"/p/a.flow.toml", "/p/login.flow.toml"}, Loaded: []watch.Loaded{
			{Path: "/", Document: true}, {Path: "/about", Document: true}, {Path: "/js/app.js"}, {Path: "/client.js"}, {Path: "/img/logo.svg"}, {Path: "/api/orders"}}},
		{File: "/p/b.flow.toml", Files: []string{"/p/b.flow.toml", "/p/login.flow.toml"}, Loaded: []watch.Loaded{{Path: "/shop/de/", Document: true}, {Path: "/shop/js/app.js"}}},
	}
	unknown := []watch.Case{cases[0], {File: "/p/c.flow.toml", Files: []string{"/p/c.flow.toml"}}}
	isCase := func(file string) bool { return strings.HasSuffix(file, ".flow.toml") }
	for name, want := range map[string]struct {
		files  []string
		unused bool
		all    bool
	}{
		"a.flow.toml":         {files: []string{"/p/a.flow.toml"}},
		"login.flow.toml":     {files: []string{"/p/a.flow.toml", "/p/b.flow.toml"}},
		"new.flow.toml":       {files: []string{"/p/new.flow.toml"}},
		"site/js/app.js":      {files: []string{"/p/a.flow.toml", "/p/b.flow.toml"}},
		"site/index.html":     {files: []string{"/p/a.flow.toml"}},
		"site/about.html":     {files: []string{"/p/a.flow.toml"}},
		"site/de/index.html":  {files: []string{"/p/a.flow.toml", "/p/b.flow.toml"}},
		"site/js/admin.js":    {unused: true},
		"site/js/client.js":   {files: []string{"/p/a.flow.toml"}}, // the site may be served from there
		"site/js/server.ts":   {all: true},                         // no file of this kind was loaded from there
		"server.js":           {all: true},                         // the folder that is watched holds what makes the site, too
		"src/img/logo.svg":    {files: []string{"/p/a.flow.toml"}},
		"dist/img/other.svg":  {all: true}, // which of the two folders is served is not known
		"templates/base.html": {all: true},
		"orders.db":           {all: true},
	} {
		e := watch.Affected("/p", names, []string{"/p/" + name}, cases, isCase)
		if strings.Join(e.Files, " ") != strings.Join(want.files, " ") || e.All != want.all || (len(e.Unused) > 0) != want.unused {
			t.Errorf("%s: %+v, want %+v", name, e, want)
		}
		if e := watch.Affected("/p", names, []string{"/p/" + name}, unknown, isCase); !isCase(name) && !e.All && !strings.Contains(strings.Join(e.Files, " "), "/p/c.flow.toml") {
			t.Errorf("%s: %+v leaves out a case of which nobody knows what it loads", name, e)
		}
	}
}
