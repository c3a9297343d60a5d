package explore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-qa/assay/internal/helpdesk"
)

// deskActions bounds the exploration of the help desk.
const deskActions = 120

// desk serves a help desk, which can be exchanged for another one at the same address.
type desk struct {
	url    string
	server *http.Server
	now    atomic.Pointer[helpdesk.Server]
}

func startDesk(ctx context.Context) (*desk, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &desk{url: "http://" + listener.Addr().String()}
	d.serve(helpdesk.Options{})
	d.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.now.Load().ServeHTTP(w, r) })}
	go func() { _ = d.server.Serve(listener) }() // until Close
	return d, nil
}

// serve puts a new help desk at the address.
func (d *desk) serve(o helpdesk.Options) {
	o.Clock = time.Now
	d.now.Store(helpdesk.New(o))
}

// helpdeskFiles are what a team writes before the first command: the environment with a role, and how the role signs in.
func helpdeskFiles(address string) map[string]string {
	return map[string]string{
		"mcp.toml": fmt.Sprintf("schema_version = 1\n\n[env.desk]\nbase_url = %q\nlogin_page = \"/sign-in\"\n\n[env.desk.roles.agent]\nlogin_flow = \"login.flow.toml\"\n\n[secrets]\nDESK_PASSWORD = \"env:DESK_PASSWORD\"\n", address),
		"login.flow.toml": `start_url = "/sign-in"

[[steps]]
action = "fill"
selector = 'textbox "Name"'
value = "` + helpdesk.User + `"

[[steps]]
action = "fill"
selector = 'textbox "Password"'
value = "${secret:DESK_PASSWORD}"

[[steps]]
action = "click"
selector = 'button "Sign in"'
`,
	}
}

// played is what a run of generated tests said.
type played struct {
	Tests []struct {
		Title  string `json:"title"`
		Status string `json:"status"`
		Error  string `json:"error"`
	} `json:"tests"`
}

// red are the titles of the tests that are not green.
func (p played) red() (red []string) {
	for _, one := range p.Tests {
		if one.Status != "passed" {
			red = append(red, one.Title)
		}
	}
	return red
}

// measureHelpdesk explores the help desk with writes, makes tests of it and runs them: some
// rounds on one server, then once with each fault and with each harmless change. A test that
// is red in a round notices nothing.
func measureHelpdesk(ctx context.Context, b *bench) (t table, err error) {
	t = table{Head: []string{"what", "tests red", "which"}}
	d, err := startDesk(ctx)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, d.server.Close()) }()
	dir := b.folder("helpdesk")
	if err := d.explore(ctx, b, &t, dir); err != nil {
		return t, err
	}
	run := func() (played, error) {
		var p played
		err := b.assayJSON(ctx, dir, &p, "test", "tests", "--role", "agent", "--workers", "2", "--json")
		return p, err
	}
	d.serve(helpdesk.Options{})
	anyway := map[string]bool{} // red without a fault, so they notice none
	for i := range b.rounds {
		p, err := run()
		if err != nil {
			return t, err
		}
		for _, title := range p.red() {
			anyway[title] = true
		}
		t.row(fmt.Sprintf("round %d on one server", i+1), fmt.Sprintf("%d of %d", len(p.red()), len(p.Tests)), strings.Join(p.red(), "; "))
	}
	for _, kind := range []struct {
		name  string
		all   []string
		with  func(string) helpdesk.Options
		toBe  string
		count int
	}{
		{"fault", helpdesk.Faults(), func(name string) helpdesk.Options { return helpdesk.Options{Fault: name} }, "noticed (goal ≥ 85 %)", 0},
		{"change", helpdesk.Changes(), func(name string) helpdesk.Options { return helpdesk.Options{Change: name} }, "raised a false alarm (goal ≤ 5 %)", 0},
	} {
		for _, name := range kind.all {
			d.serve(kind.with(name))
			p, err := run()
			if err != nil {
				return t, err
			}
			because := slices.DeleteFunc(p.red(), func(title string) bool { return anyway[title] })
			if len(because) > 0 {
				kind.count++
			}
			fmt.Fprintf(b.progress, "%s %s: %d red\n", kind.name, name, len(because))
			t.row(kind.name+" "+name, fmt.Sprintf("%d of %d", len(because), len(p.Tests)), strings.Join(because, "; "))
		}
		t.note("%d of %d %ss %s.", kind.count, len(kind.all), kind.name, kind.toBe)
	}
	return t, nil
}

// explore explores the help desk and makes tests, and notes what both took.
func (d *desk) explore(ctx context.Context, b *bench, t *table, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, text := range helpdeskFiles(d.url) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if err := os.Setenv("DESK_PASSWORD", helpdesk.Password); err != nil { // for the program that is run
		return err
	}
	actions := deskActions
	if b.actions > 0 {
		actions = b.actions
	}
	began := time.Now()
	var explored map[string]any
	if err := b.assayJSON(ctx, dir, &explored, "explore", d.url+"/tickets", "--role", "agent", "--allow-writes", "--max-actions", fmt.Sprint(actions), "--max-time", b.limit.String(), "--json"); err != nil {
		return err
	}
	t.note("Explored in %d s; POST requests: %s.", int(time.Since(began).Seconds()), strings.Join(d.now.Load().Writes(), " "))
	began = time.Now()
	var made struct {
		Tests, Asserts int
		Files          []struct{ Flow, Name string }
	}
	if err := b.assayJSON(ctx, dir, &made, "generate", filepath.Join("exploration", "site.json"), "--role", "agent", "--sign-in", "--wrong-password-account", helpdesk.User, "--out", "tests", "--json"); err != nil {
		return err
	}
	t.note("%d tests with %d assertions were made in %d s.", made.Tests, made.Asserts, int(time.Since(began).Seconds()))
	for _, file := range made.Files {
		t.note("- %s (%s)", file.Flow, file.Name)
	}
	return nil
}
