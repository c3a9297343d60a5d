package testrun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ConfineLimits say what a program may use.
type ConfineLimits struct {
	Home  string   // of the program, made where it is missing; it may be written
	Temp  string   // folder for what the program leaves; it may be written
	Write []string // further folders that may be written
	Keep  []string // files and folders below a write folder that stay as they are
	Read  []string // files and folders that stay visible where others around them are hidden
	Hide  []string // folders that are not seen: a person's home
	Bwrap string   // the program bwrap; empty: files and processes are not hidden
}

// What a process may use at most.
const (
	cpuSeconds = 600
	fileBlocks = 2 << 20 // of 512 bytes: 1 GB
	openFiles  = 4096
	heapMB     = 1024 // of JavaScript
)

// passed are the variables that a program is given, by name.
func passed() []string {
	out := []string{"PATH", "LANG", "LANGUAGE", "TZ"}
	if runtime.GOOS == "windows" {
		out = append(out, "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE")
	}
	return out
}

// Environ returns the variables that the program is given: of a person's own only those
// that name no secret, and a home and a folder for temporary files of its own.
func (l ConfineLimits) Environ(environ []string) []string {
	var out []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		name = strings.ToUpper(name)
		if slices.Contains(passed(), name) || strings.HasPrefix(name, "LC_") {
			out = append(out, entry)
		}
	}
	for _, name := range []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"} {
		out = append(out, name+"="+l.Home)
	}
	for _, name := range []string{"CONFIG", "CACHE", "DATA", "STATE"} {
		out = append(out, "XDG_"+name+"_HOME="+filepath.Join(l.Home, strings.ToLower(name)))
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		out = append(out, name+"="+l.Temp)
	}
	return append(out, fmt.Sprintf("NODE_OPTIONS=--max-old-space-size=%d", heapMB))
}

// Apply makes a command that was not started yet run within the limits. Its variables
// are those that the caller gives it (see [Limits.Environ]).
func (l ConfineLimits) Apply(cmd *exec.Cmd) error {
	if err := os.MkdirAll(l.Home, 0o700); err != nil {
		return fmt.Errorf("make a home for the test run: %w", err)
	}
	args := append([]string{cmd.Path}, cmd.Args[1:]...)
	if l.Bwrap != "" {
		args = slices.Concat([]string{l.Bwrap}, l.walls(cmd.Dir), args)
	}
	if runtime.GOOS == "windows" { // the group of processes is all that there is
		return nil
	}
	// A limit that the system or the user has set lower stays.
	script := fmt.Sprintf(`for l in "c 0" "t %d" "f %d" "n %d"; do ulimit -${l} 2>/dev/null || :; done; exec "$@"`, cpuSeconds, fileBlocks, openFiles)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"/bin/sh", "-c", script, "sh"}, args...)
	return nil
}

// walls are the arguments of bwrap. What is mounted later lies on top.
func (l ConfineLimits) walls(folder string) []string {
	args := []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"}
	for _, dir := range l.Hide {
		if at, err := filepath.EvalSymlinks(dir); err == nil && at != "/" {
			args = append(args, "--tmpfs", at)
		}
	}
	bind := func(how string, paths []string) {
		for _, p := range paths {
			if at, err := filepath.EvalSymlinks(p); err == nil {
				args = append(args, how, at, at)
			}
		}
	}
	bind("--ro-bind", l.Read)
	bind("--bind", append([]string{l.Home, l.Temp}, l.Write...))
	bind("--ro-bind", l.Keep)
	return append(args, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session", "--chdir", folder, "--")
}

// FindBwrap returns the path of bwrap where it is installed and works; otherwise why it
// does not serve.
func FindBwrap(ctx context.Context, search string) (path, why string) {
	if runtime.GOOS != "linux" {
		return "", "bwrap is for Linux"
	}
	for _, dir := range filepath.SplitList(search) {
		path = filepath.Join(dir, "bwrap")
		if info, err := os.Stat(path); err != nil || info.IsDir() || info.Mode()&0o111 == 0 || !filepath.IsAbs(path) {
			continue
		}
		args := append([]string{}, ConfineLimits{}.walls("/")...)
		try := exec.CommandContext(ctx, path, append(args, "/bin/true")...)
		try.Env = []string{"PATH=" + search}
		if out, err := try.CombinedOutput(); err != nil {
			return "", fmt.Sprintf("%s does not work here: %v: %.200s", path, err, strings.TrimSpace(string(out)))
		}
		return path, ""
	}
	return "", "bwrap is not installed"
}
