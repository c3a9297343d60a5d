package release_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/release"
)

// Issue 34: assay version tells how the way it was installed upgrades. The package says which
// way that is, and a program without one is of an unknown way, wherever it lies.
func TestInstalled(t *testing.T) {
	fetched := &debug.BuildInfo{Main: debug.Module{Path: "github.com/assay-qa/assay", Version: "v1.2.3", Sum: "h1:x="}}
	built := &debug.BuildInfo{Main: debug.Module{Path: "github.com/assay-qa/assay", Version: "(devel)"}}
	for name, c := range map[string]struct {
		folder, marker string
		build          *debug.BuildInfo
		want           release.Way
		upgrade        string
		command        string // where the PATH does not lead to it; % is the folder
	}{
		"an archive":          {"tools", "archive\n", built, release.ByArchive, "unpack a newer archive", "%/assay"},
		"a folder with space": {"my tools", "archive\n", built, release.ByArchive, "into '%'", "'%/assay'"},
		"a cask":              {"Caskroom/assay/1.2.3", "archive\n", built, release.ByHomebrew, "brew upgrade --cask assay", "%/assay"},
		"another's cask":      {"Caskroom/other/1.2.3", "archive\n", built, release.ByArchive, "unpack", "%/assay"},
		"deb":                 {"lib", "deb", built, release.ByDeb, "apt-get install ./assay_", "%/assay"},
		"rpm":                 {"lib", "rpm", nil, release.ByRPM, "rpm -U", "%/assay"},
		"npm":                 {"bin", "npm\n", built, release.ByNPM, "npx -y assay-qa version", "npx -y assay-qa"},
		"mcpb":                {"server", "mcpb\n", built, release.ByMCPB, ".mcpb", "%/assay"},
		"go install":          {"bin", "", fetched, release.ByGo, "go install github.com/assay-qa/assay/cmd/assay@latest", "%/assay"},
		"built by hand":       {"bin", "", built, release.Unknown, "the way this one was", "%/assay"},
		"no build info":       {"node_modules/assay-qa/Caskroom/assay", "", nil, release.Unknown, "the way this one was", "%/assay"},
		"a strange marker":    {"bin", "a friend", fetched, release.ByGo, "go install", "%/assay"},
		"half a marker":       {"bin", "np", built, release.Unknown, "the way this one was", "%/assay"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			folder, link := filepath.Join(dir, filepath.FromSlash(c.folder)), filepath.Join(dir, "assay-link")
			program := filepath.Join(folder, "assay")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(program, nil, 0o700); err != nil {
				t.Fatal(err)
			}
			if c.marker != "" {
				if err := os.WriteFile(filepath.Join(folder, release.MarkerFile), []byte(c.marker), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(program, link); err != nil {
				t.Fatal(err)
			}
			got := release.InstalledAt(link, c.build)
			if got.By != c.want || got.Path != program {
				t.Errorf("%+v, want %s at %s", got, c.want, program)
			}
			if want := strings.ReplaceAll(c.upgrade, "%", folder); !strings.Contains(got.Upgrade(), want) {
				t.Errorf("upgrade %q, want %q", got.Upgrade(), want)
			}
			if want := strings.ReplaceAll(c.command, "%", folder); got.Command(false) != want {
				t.Errorf("command %q, want %q", got.Command(false), want)
			}
			if want := "assay"; c.want != release.ByNPM && got.Command(true) != want {
				t.Errorf("command in the PATH %q, want %q", got.Command(true), want)
			}
		})
	}
}
