package driver

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// chromiumPlaces lists where the system keeps Chromium's family, the quickest to launch first. The
// headless shell is no use where a window is wanted.
func (h hostSystem) chromiumPlaces(headed bool) []browserPlace {
	full := []browserPlace{
		{source: "system Chrome", paths: h.chromePaths()},
		{source: "system Chromium", paths: h.chromiumPaths()},
	}
	if headed {
		return full
	}
	return append([]browserPlace{{source: "system headless shell", paths: h.headlessShellPaths()}}, full...)
}

func (h hostSystem) headlessShellPaths() []string {
	paths := h.onPath("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
	if h.goos == "linux" {
		paths = append(paths, h.absolute(
			"/usr/lib/chromium/chromium-headless-shell",
			"/usr/lib64/chromium-browser/headless_shell",
			"/usr/lib64/chromium/headless_shell",
		)...)
	}
	return paths
}

func (h hostSystem) chromePaths() []string {
	switch h.goos {
	case "windows":
		return h.inProgramFolders(`Google\Chrome\Application\chrome.exe`)
	case "darwin":
		return h.inApplications("Google Chrome.app/Contents/MacOS/Google Chrome")
	}
	return append(h.absolute("/opt/google/chrome/chrome"), h.onPath("google-chrome-stable", "google-chrome", "chrome")...)
}

func (h hostSystem) chromiumPaths() []string {
	switch h.goos {
	case "windows":
		return h.inProgramFolders(`Chromium\Application\chrome.exe`)
	case "darwin":
		return h.inApplications("Chromium.app/Contents/MacOS/Chromium")
	}
	return append(h.onPath("chromium", "chromium-browser"), h.absolute(
		"/usr/lib/chromium/chromium",
		"/usr/lib/chromium-browser/chromium-browser",
		"/usr/lib64/chromium-browser/chromium-browser",
		"/usr/lib64/chromium/chromium",
	)...)
}

// onPath returns the programs of these names that the PATH has.
func (h hostSystem) onPath(names ...string) []string {
	var found []string
	for _, name := range names {
		if path, ok := h.lookPath(name); ok {
			found = append(found, path)
		}
	}
	return found
}

func (h hostSystem) absolute(paths ...string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = filepath.Join(h.filesystem, path)
	}
	return out
}

func (h hostSystem) inApplications(app string) []string {
	paths := h.absolute("/Applications/" + app)
	if h.home != "" {
		paths = append(paths, filepath.Join(h.home, "Applications", app))
	}
	return paths
}

func (h hostSystem) inProgramFolders(program string) []string {
	var paths []string
	for _, variable := range []string{"ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"} {
		if folder := h.getenv(variable); folder != "" {
			paths = append(paths, filepath.Join(folder, filepath.FromSlash(strings.ReplaceAll(program, `\`, "/"))))
		}
	}
	return paths
}

// maxWrapperBytes bounds how much of a wrapper script is read. Real ones are below 10 KB.
const maxWrapperBytes = 64 << 10

var absolutePathPattern = pattern.New(`/[A-Za-z0-9._+@/-]+`)

// realExecutable returns the program behind a symbolic link or a wrapper script. A wrapper that does not
// exec would be what the driver kills, and the browser behind it would go on running.
func (h hostSystem) realExecutable(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("following %s: %w", path, err)
	}
	if h.goos == "windows" {
		return target, nil
	}
	if isSnap(target) || isSnap(path) {
		return "", fmt.Errorf("%s is a snap, whose confinement keeps it from being driven", path)
	}
	script, err := readScript(target)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", target, err)
	}
	if script == nil {
		return target, nil
	}
	for _, candidate := range wrapped(target, script) {
		if h.isExecutable(candidate) && !isScript(candidate) && !isSnap(candidate) {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("%s is a script that names no browser", target)
}

// isSnap recognises snap's own paths: a snap's command is a link to the program snap.
func isSnap(path string) bool {
	return strings.HasPrefix(path, "/snap/") || filepath.Base(path) == "snap"
}

// readScript returns the beginning of a script without its first line, nil when the file is none.
func readScript(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(f, head); err != nil || string(head) != "#!" {
		return nil, nil // too short for a script, or a binary
	}
	text, err := io.ReadAll(io.LimitReader(f, maxWrapperBytes))
	if err != nil {
		return nil, err
	}
	_, body, _ := bytes.Cut(text, []byte("\n"))
	return append([]byte{}, body...), nil
}

func isScript(path string) bool {
	script, err := readScript(path)
	return err != nil || script != nil
}

// browserFileNames returns what distributions call the real file beside, or in a folder named by, a wrapper.
func browserFileNames() []string {
	return []string{"chrome", "chromium", "chromium-browser", "chromium-headless-shell", "headless_shell"}
}

// wrapped lists what a wrapper script may start: the browsers it names, the browsers in folders it
// names (LIBDIR=/usr/lib/chromium), the browsers beside it. Its own name comes first, so that the
// wrapper of the headless shell does not lead to the full browser.
func wrapped(script string, text []byte) []string {
	own := strings.TrimSuffix(filepath.Base(script), ".sh")
	names := append([]string{own}, slices.DeleteFunc(browserFileNames(), func(n string) bool { return n == own })...)
	var named, within []string
	for _, token := range absolutePathPattern.FindAll(text, -1) {
		path := filepath.Clean(string(token))
		if looksLikeBrowser(path) {
			named = append(named, path)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() && strings.Contains(path, "chrom") {
			for _, name := range names {
				within = append(within, filepath.Join(path, name))
			}
		}
	}
	for _, name := range names {
		within = append(within, filepath.Join(filepath.Dir(script), name))
	}
	return append(named, within...)
}

// looksLikeBrowser distinguishes /usr/lib/chromium/chromium from the sandbox and crash programs beside it.
func looksLikeBrowser(path string) bool {
	name := filepath.Base(path)
	for _, other := range []string{"crashpad", "sandbox", "wrapper", "driver"} {
		if strings.Contains(name, other) {
			return false
		}
	}
	return strings.Contains(name, "chrom") || strings.Contains(name, "headless_shell")
}
