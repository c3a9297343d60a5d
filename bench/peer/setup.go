package peer

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/browser/driver"
)

// side describes one of the two servers: how it is started, and the functions
// that call its tools.
type side struct {
	program wire.Program
	hands   hands
}

// The places of the two sides in every pair.
const (
	ours = iota
	theirs
	bothSides
)

// about describes what was measured on, for the reader of the table.
type about struct {
	OS      string `json:"os"`
	CPUs    int    `json:"cpus"`
	Browser string `json:"browser"`
	Node    string `json:"node"`
	Peer    string `json:"peer"`
}

// setup holds all that is measured, and what it runs on.
type setup struct {
	sides  [bothSides]side
	script wire.ScriptHome
	about  about
}

// setUp finds what all run on: the browser and the Node that assay itself would
// take.
func setUp(ctx context.Context, o options) (s setup, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return s, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return s, err
	}
	found, err := driver.Locate(ctx, driver.Options{
		CacheDir: filepath.Join(cache, "assay"), HomeDir: home, ExecutablePath: o.browser, Getenv: os.Getenv,
	})
	if err != nil {
		return s, fmt.Errorf("find driver and browser: %w; run: make install", err)
	}
	assay, err := existing(o.assay, "make build")
	if err != nil {
		return s, err
	}
	peer, err := existing(o.peer, "npm ci --prefix bench")
	if err != nil {
		return s, err
	}
	s.sides[ours] = side{hands: ourHands{}, program: wire.Program{Name: "ours", Dir: filepath.Join(o.temporary, "ours"),
		Argv: []string{assay, "serve", "--data-dir", filepath.Join(o.temporary, "ours", "data"), "--network-upload-roots", filepath.Join(o.temporary, "ours"), "--browser-executable-path", found.Browser.Path}}}
	s.sides[theirs] = side{hands: theirHands{}, program: wire.Program{Name: "theirs", Dir: filepath.Join(o.temporary, "theirs"),
		Argv: []string{found.Driver.Node, peer, "--headless", "--isolated", "--caps=testing", "--executable-path", found.Browser.Path,
			"--output-dir", filepath.Join(o.temporary, "theirs", "output")}}}
	if os.Geteuid() == 0 { // Chromium refuses its sandbox to root; ours then runs without, too
		s.sides[theirs].program.Argv = append(s.sides[theirs].program.Argv, "--no-sandbox")
	}
	for _, one := range s.sides {
		if err := os.Mkdir(one.program.Dir, 0o700); err != nil {
			return s, err
		}
	}
	s.script = wire.ScriptHome{Node: found.Driver.Node, Driver: found.Driver.Dir, Browser: found.Browser.Path}
	s.about = about{OS: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), Node: found.Driver.NodeVersion, Peer: packageVersion(peer),
		Browser: browserVersion(ctx, found.Browser)}
	return s, nil
}

// browserVersion returns what the browser says of itself, and who found it.
func browserVersion(ctx context.Context, b driver.BrowserInfo) string {
	name := strings.TrimSpace(b.Type + " " + b.Version)
	if b.Version == "" {
		if said, err := exec.CommandContext(ctx, b.Path, "--version").Output(); err == nil { // not every browser says
			name = strings.TrimSpace(string(said))
		}
	}
	return name + " (" + b.Source + ")"
}

// existing returns the absolute path of a program that must be there.
func existing(path, remedy string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", fmt.Errorf("%s: %w; run: %s", path, fs.ErrNotExist, remedy)
	}
	return path, nil
}
