package driver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shimDriver returns a driver whose cli.js is the given code, run by the machine's Node.
func shimDriver(t *testing.T, code string) DriverInfo {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("Node.js runs the driver and these tests: %v", err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "package"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package", "cli.js"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	return DriverInfo{Dir: dir, Version: driverVersion, Node: node, CodeCache: filepath.Join(t.TempDir(), "code")}
}

// start runs a launcher as playwright-go does, with stdin open until the driver ends by itself.
func (l *Launcher) start(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(l.Dir, thisHost("", nil).nodeName()),
		append([]string{filepath.Join(l.Dir, "package", "cli.js")}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestLauncherRunsTheDriver(t *testing.T) {
	inst := shimDriver(t, `#!/usr/bin/env node
		const os = require('os'), fs = require('fs');
		console.log(JSON.stringify({args: process.argv.slice(1), temp: os.tmpdir(), name: __filename}));
		fs.mkdirSync(os.tmpdir() + '/left/behind', {recursive: true});
		process.on('exit', () => fs.writeFileSync(os.tmpdir() + '/late', ''));
		setTimeout(() => {}, 20); // lets nextTick run, as the real driver does`)
	l, err := NewLauncher(inst, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	printed := l.start(t, "run-driver", "more")
	cli, err := filepath.EvalSymlinks(filepath.Join(inst.Dir, "package", "cli.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"args":["` + cli + `","run-driver","more"]`, `"temp":"` + l.TempDir + `"`, `"name":"` + cli + `"`} {
		if !strings.Contains(printed, want) {
			t.Errorf("the driver saw %s, want %s", printed, want)
		}
	}
	if _, err := os.Stat(l.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder stays although the driver ended, with an exit handler that still wrote into it: %v", err)
	}
}

// The version is answered without loading the driver: playwright-go asks before each start.
func TestLauncherVersion(t *testing.T) {
	inst := shimDriver(t, `throw new Error('loaded')`)
	l, err := NewLauncher(inst, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := l.start(t, "--version"); got != "Version "+driverVersion+"\n" {
		t.Errorf("got %q", got)
	}
	// Where a script cannot run, a link to Node takes its place; the shim answers then.
	node := filepath.Join(l.Dir, "node")
	if err := os.Remove(node); err != nil {
		t.Fatal(err)
	}
	if err := placeLinkOrCopy(inst.Node, node); err != nil {
		t.Fatal(err)
	}
	if got := l.start(t, "--version"); got != "Version "+driverVersion+"\n" {
		t.Errorf("through a link: got %q", got)
	}
	if _, ok := l.PID(); ok {
		t.Error("asking for the version left a pid")
	}
	if err := l.Remove(); err != nil {
		t.Error(err)
	}
}

// Compiled code is kept, used again, and a damaged store is no harm.
func TestLauncherCodeCache(t *testing.T) {
	inst := shimDriver(t, `const other = require('./other.js'); console.log(other(20)); if (process.argv[2] === 'stay') setTimeout(() => {}, 1300)`)
	module := filepath.Join(inst.Dir, "package", "other.js")
	if err := os.WriteFile(module, []byte(`module.exports = n => n * 2 + (module === require.cache[__filename] ? 2 : 0)`), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(command string) { // "stay" lives until the code would be stored
		t.Helper()
		l, err := NewLauncher(inst, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got := l.start(t, command); got != "42\n" {
			t.Fatalf("got %q", got)
		}
	}
	stored := func() string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(inst.CodeCache, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("expected is one stored file: %v, %v", files, err)
		}
		return files[0]
	}
	run("stay")
	file := stored()
	first, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	run("stay")
	if second, err := os.Stat(file); err != nil || !second.ModTime().Equal(first.ModTime()) {
		t.Errorf("the stored code was not used: written again (%v)", err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	garbled := append([]byte(nil), good...)
	for i := len(garbled) / 2; i < len(garbled); i++ {
		garbled[i] ^= 0x5a
	}
	for name, damage := range map[string][]byte{"empty": {}, "cut": good[:len(good)/2], "garbled": garbled, "a huge length": {255, 255, 255, 255, 1}} {
		if err := os.WriteFile(file, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		run("go")
		if t.Failed() {
			t.Fatalf("with a store that is %s", name)
		}
	}
}

// A module's source is kept in one byte a character, and means what it meant: in strings, templates, patterns, names and
// comments, behind a backslash, and where a character has two units.
func TestLauncherKeepsSourcesSmall(t *testing.T) {
	inst := shimDriver(t, `console.log(require('./words.js').join('|') + require('./kept.js'))`)
	for name, code := range map[string]string{
		"words.js": "// — a comment\nconst größe = '→ é 😀', Ω = `—${größe}`;\nmodule.exports = [größe, Ω, /^[—-―]$/.test('—'), /^😀$/u.test('😀'), (() => '—').toString().includes('u2014')];\n",
		"kept.js":  "module.exports = '\\—' + (() => '→').toString().includes('u2192');\n",
	} {
		if err := os.WriteFile(filepath.Join(inst.Dir, "package", name), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := NewLauncher(inst, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.start(t, "go"), "→ é 😀|—→ é 😀|true|true|true—false\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLauncherWithoutDriver(t *testing.T) {
	parent := t.TempDir()
	if _, err := NewLauncher(DriverInfo{Dir: t.TempDir(), Node: "node"}, parent); err == nil {
		t.Error("a launcher for a driver that is not there")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A module of the driver may import while it runs: with the Node that is here, and with one that
// has no default loader for what is compiled by vm, as Node 18 of Debian 12.
func TestLauncherImports(t *testing.T) {
	inst := shimDriver(t, `import('node:path').then((m) => console.log(typeof m.join))`)
	old := filepath.Join(t.TempDir(), "old.cjs")
	if err := os.WriteFile(old, []byte("delete require('vm').constants"), 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "node")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+shellQuote(inst.Node)+" -r "+shellQuote(old)+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, node := range map[string]string{"this Node": inst.Node, "an old Node": script} {
		inst.Node = node
		l, err := NewLauncher(inst, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got := l.start(t, "go"); !strings.HasSuffix(got, "function\n") { // behind a warning of Node 20
			t.Errorf("%s: %q", name, got)
		}
	}
}
