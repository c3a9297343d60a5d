package release

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// Way names how a copy of the program was installed.
type Way string

// The ways to install.
const (
	ByArchive  Way = "archive"
	ByDeb      Way = "deb"
	ByRPM      Way = "rpm"
	ByNPM      Way = "npm"
	ByMCPB     Way = "mcpb"
	ByHomebrew Way = "homebrew"
	ByGo       Way = "go install"
	Unknown    Way = "unknown"
)

// MarkerFile names the file beside the program that holds the [Way] of the package it came in.
const MarkerFile = "installed-by.txt"

// packaged are the ways that a package can name.
func packaged() []Way { return []Way{ByArchive, ByDeb, ByRPM, ByNPM, ByMCPB} }

const (
	modulePath = "github.com/assay-qa/assay"
	releases   = "https://" + modulePath + "/releases"
)

// Installed describes a copy of the program.
type Installed struct {
	By   Way    `json:"by"`
	Path string `json:"path"` // of the program, behind symbolic links
}

// InstalledAt returns how the program at a path was installed. Build is what its linker
// wrote down; nil where that is missing.
func InstalledAt(path string, build *debug.BuildInfo) Installed {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	copied := Installed{By: Unknown, Path: path}
	said, err := os.ReadFile(filepath.Join(filepath.Dir(path), MarkerFile))
	way := Way(strings.TrimSpace(string(said)))
	switch {
	case err == nil && way == ByArchive && inCaskroom(path):
		copied.By = ByHomebrew // its cask unpacks the archive
	case err == nil && slices.Contains(packaged(), way):
		copied.By = way
	case build != nil && build.Main.Sum != "": // a module from a proxy has a checksum, a working tree has none
		copied.By = ByGo
	}
	return copied
}

// inCaskroom reports whether Homebrew keeps the program of our cask at a path.
func inCaskroom(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/Caskroom/assay/")
}

// Upgrade returns what a person does to get a newer version the same way.
func (i Installed) Upgrade() string {
	folder := shellPath(filepath.Dir(i.Path))
	switch i.By {
	case ByArchive:
		return fmt.Sprintf("unpack a newer archive of %s into %s", releases, folder)
	case ByDeb:
		return fmt.Sprintf("download the newer package from %s, then: sudo apt-get install ./assay_*.deb", releases)
	case ByRPM:
		return fmt.Sprintf("download the newer package from %s, then: sudo rpm -U assay-*.rpm", releases)
	case ByNPM:
		return "npx -y assay-qa version, which fetches the newest; npm install assay-qa@latest where a project has it, with -g where it is global"
	case ByMCPB:
		return fmt.Sprintf("open the newer .mcpb of %s in the client", releases)
	case ByHomebrew:
		return "brew upgrade --cask assay"
	case ByGo:
		return "go install " + modulePath + "/cmd/assay@latest"
	}
	return "install a newer one the way this one was; docs/install.md has the ways"
}

// Command returns how a person calls the program in a terminal. OnPath reports whether its
// name leads there.
func (i Installed) Command(onPath bool) string {
	switch {
	case i.By == ByNPM: // the file lies in a folder of npm's, which the next version replaces
		return "npx -y assay-qa"
	case onPath:
		return "assay"
	}
	return shellPath(i.Path)
}

// ForClients returns the words by which clients start the program, where its path does not last; nil:
// it lasts.
func (i Installed) ForClients() []string {
	if i.By == ByNPM { // npx starts the version that it has, and asks no network
		return []string{"npx", "-y", "--prefer-offline", "assay-qa"}
	}
	return nil
}

var plainPath = pattern.New(`^[\w@%+=:,./\\-]+$`)

// shellPath returns a path as one word of a command line of this system.
func shellPath(path string) string {
	switch {
	case plainPath.MatchString(path):
		return path
	case runtime.GOOS == "windows": // where a path has no quotation mark
		return `"` + path + `"`
	}
	return text.ShellWord(path)
}
