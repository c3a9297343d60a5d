package driver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

//go:embed driver_shim.js
var driverShim []byte

// launcherPrefix begins the name of every driver launcher in the temp folder.
const launcherPrefix = "assay-"

// removePatience bounds how long Remove waits for a dying browser to let go of its files.
const removePatience = 3 * time.Second

// Launcher owns a per-process folder in the shape of a Playwright driver (a node, a package/cli.js)
// that starts the real one. All temporary files of the driver and its browsers are below it, and
// whichever process survives removes it: the driver when the server dies, the server when the
// driver does, and the next server's sweepStaleLaunchers when both were killed at once.
type Launcher struct {
	Dir     string // for playwright-go's RunOptions.DriverDirectory
	TempDir string // the driver's and the browsers' temporary files

	tree processTree
}

// launchOrder describes what the shim reads: driver_shim.js.
type launchOrder struct {
	CLI       string `json:"cli"`
	Version   string `json:"version"`
	Temp      string `json:"temp"`
	CodeCache string `json:"codeCache"`
	Observer  string `json:"observer,omitempty"`
}

// NewLauncher makes a launcher for inst below parentTemp.
func NewLauncher(inst DriverInfo, parentTemp string) (_ *Launcher, err error) {
	dir, err := makeOwnedDir(parentTemp, launcherPrefix)
	if err != nil {
		return nil, err
	}
	l := &Launcher{Dir: dir, TempDir: filepath.Join(dir, "t")} // short: sockets below it have 104 bytes for their path
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	cli, err := filepath.Abs(filepath.Join(inst.Dir, "package", "cli.js"))
	if err != nil {
		return nil, fmt.Errorf("finding the driver: %w", err)
	}
	if cli, err = filepath.EvalSymlinks(cli); err != nil { // Node resolves links, and compares
		return nil, fmt.Errorf("finding the driver: %w", err)
	}
	order, err := json.Marshal(launchOrder{CLI: cli, Version: inst.Version, Temp: l.TempDir, CodeCache: inst.CodeCache, Observer: inst.Observer})
	if err != nil {
		return nil, fmt.Errorf("preparing the driver: %w", err)
	}
	for _, folder := range []string{l.TempDir, filepath.Join(dir, "package")} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, fmt.Errorf("preparing the driver: %w", err)
		}
	}
	for name, content := range map[string][]byte{"launch.json": order, filepath.Join("package", "cli.js"): driverShim} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, fmt.Errorf("preparing the driver: %w", err)
		}
	}
	if err := l.placeNode(inst); err != nil {
		return nil, err
	}
	return l, nil
}

// placeNode puts Node where playwright-go looks for it. On Unix a two-line script saves a start of Node
// (80 ms of every driver start) by answering the version question itself; where a script cannot run, as in a
// temp folder mounted noexec, a link does.
func (l *Launcher) placeNode(inst DriverInfo) error {
	if runtime.GOOS == "windows" {
		return placeLinkOrCopy(inst.Node, filepath.Join(l.Dir, "node.exe"))
	}
	node := filepath.Join(l.Dir, "node")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$2\" = --version ] && echo 'Version %s' && exit\nexec %s \"$@\"\n",
		inst.Version, shellQuote(inst.Node))
	if err := os.WriteFile(node, []byte(script), 0o700); err != nil {
		return fmt.Errorf("preparing Node: %w", err)
	}
	// Tried once here, because it may also be held open for writing by a process that forked meanwhile.
	probe := installCommand{path: node, args: []string{"", "--version"}, timeout: nodeProbeTimeout}
	if printed, err := probe.run(context.Background()); err == nil && strings.Contains(printed, inst.Version) {
		return nil
	}
	if err := os.Remove(node); err != nil {
		return fmt.Errorf("preparing Node: %w", err)
	}
	return placeLinkOrCopy(inst.Node, node)
}

func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// placeLinkOrCopy links, and copies where links need a privilege (Windows).
func placeLinkOrCopy(from, to string) (err error) {
	if errLink := os.Symlink(from, to); errLink == nil {
		return nil
	}
	if errLink := os.Link(from, to); errLink == nil {
		return nil
	}
	source, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copying Node: %w", err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return fmt.Errorf("copying Node: %w", err)
	}
	_, err = io.Copy(target, source)
	if err = errors.Join(err, target.Close()); err != nil {
		return fmt.Errorf("copying Node: %w", err)
	}
	return nil
}

// PID returns the driver's process, once it has started.
func (l *Launcher) PID() (int, bool) {
	return readPIDFile(filepath.Join(l.Dir, driverPIDFile))
}

// Hold binds what the driver starts to this process, where the system can: on Windows all
// of it ends with this process, however that ends. It is called once, before the driver
// starts a browser.
func (l *Launcher) Hold() error {
	pid, ok := l.PID()
	if !ok {
		return fmt.Errorf("holding the driver's processes: %s names no process", filepath.Join(l.Dir, driverPIDFile))
	}
	return l.tree.hold(pid)
}

// KillBrowsers kills what the driver has started and not seen the end of, stopped or not,
// with all that it has started in turn. It is for when the driver can't do that any more.
func (l *Launcher) KillBrowsers() { l.tree.kill(l.Dir) }

// Remove removes the launcher and every temporary file of its driver. It is for after the driver's end
// and may be called again. A browser whose driver was killed takes a moment to go: Remove waits for it.
func (l *Launcher) Remove() error {
	patience, cancel := context.WithTimeout(context.Background(), removePatience)
	defer cancel()
	for {
		err := os.RemoveAll(l.Dir)
		if err == nil {
			l.tree.release()
			return nil
		}
		if wait.For(patience, 20*time.Millisecond) != nil {
			return fmt.Errorf("removing the driver's temporary folder: %w", err)
		}
	}
}

// RemoveStaleLaunchers removes the launchers of servers that were killed together with their driver. A
// driver or a browser that was stopped when its server was killed could not end by itself: it is killed.
func RemoveStaleLaunchers(parentTemp string) error {
	return errors.Join(killOrphans(parentTemp), removeStale(parentTemp, launcherPrefix))
}

// killOrphans kills drivers and browsers whose server is gone.
func killOrphans(parentTemp string) error {
	dirs, err := filepath.Glob(filepath.Join(parentTemp, launcherPrefix+"*"))
	if err != nil {
		return fmt.Errorf("looking for what killed servers left: %w", err)
	}
	for _, dir := range dirs {
		if owner, ok := ownerOf(dir, launcherPrefix); ok && !ProcessAlive(owner) {
			killOrphansOf(dir)
		}
	}
	return nil
}
