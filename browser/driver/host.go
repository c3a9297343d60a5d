package driver

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// hostSystem describes the machine that the search depends on, in one place so that each system's
// layout can be tested on any of them.
type hostSystem struct {
	goos, goarch string
	root         bool   // may install OS packages
	filesystem   string // prefix for absolute system paths; empty outside tests
	home         string // of the user
	getenv       func(string) string
	openFiles    uint64   // that a process may have at once; 0: no bound
	environ      []string // of npm and apt; nil: as [installCommand] has it
}

func thisHost(home string, getenv func(string) string) hostSystem {
	return hostSystem{goos: runtime.GOOS, goarch: runtime.GOARCH, root: os.Geteuid() == 0, home: home, getenv: getenv, openFiles: openFiles()}
}

// osRelease returns what the system says of itself, e.g. "debian" and "Debian GNU/Linux 12 (bookworm)".
func (h hostSystem) osRelease() (ids []string, pretty string) {
	f, err := os.Open(filepath.Join(h.filesystem, "/etc/os-release"))
	if err != nil {
		return nil, ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		value = strings.Trim(value, `"'`)
		switch key {
		case "ID", "ID_LIKE":
			ids = append(ids, strings.Fields(value)...)
		case "PRETTY_NAME":
			pretty = value
		}
	}
	return ids, pretty
}

func (h hostSystem) isDebianLike() bool {
	ids, _ := h.osRelease()
	return h.goos == "linux" && (slices.Contains(ids, "debian") || slices.Contains(ids, "ubuntu"))
}

// sudo prefixes a command that needs root, for a reader who is not.
func (h hostSystem) sudo(command string) string {
	if h.root {
		return command
	}
	return "sudo " + command
}

// lookPath finds a program on the PATH of the given environment. exec.LookPath reads the process's own.
func (h hostSystem) lookPath(name string) (string, bool) {
	names := []string{name}
	if h.goos == "windows" {
		names = []string{name + ".exe", name + ".cmd", name + ".bat"}
	}
	for _, dir := range filepath.SplitList(h.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // a program of the current folder was not chosen on purpose
		}
		for _, name := range names {
			if path := filepath.Join(dir, name); h.isExecutable(path) {
				return path, true
			}
		}
	}
	return "", false
}

// isExecutable reports whether path is, or leads to, a file that may be run.
func (h hostSystem) isExecutable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	return h.goos == "windows" || info.Mode().Perm()&0o111 != 0
}

// userCacheDir returns the system's cache folder of the user, as Playwright computes it.
func (h hostSystem) userCacheDir() string {
	variable, below := "XDG_CACHE_HOME", ".cache"
	switch h.goos {
	case "darwin":
		variable, below = "", filepath.Join("Library", "Caches")
	case "windows":
		variable, below = "LOCALAPPDATA", filepath.Join("AppData", "Local")
	}
	if variable != "" {
		if dir := h.getenv(variable); dir != "" {
			return dir
		}
	}
	if h.home == "" {
		return ""
	}
	return filepath.Join(h.home, below)
}

// cacheElsewhere returns what names another cache folder, before a command.
func (h hostSystem) cacheElsewhere() string {
	switch h.goos {
	case "darwin": // no variable names that folder alone
		return "HOME=FOLDER"
	case "windows":
		return `set "LOCALAPPDATA=FOLDER" &&`
	}
	return "XDG_CACHE_HOME=FOLDER"
}

func (h hostSystem) nodeName() string {
	if h.goos == "windows" {
		return "node.exe"
	}
	return "node"
}
