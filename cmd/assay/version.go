package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/release"
)

// The linker sets these.
var (
	version = "dev"
	commit  = "" // that was built; empty: not told
	date    = "" // of the commit, in RFC 3339
)

// ownVersion returns the version of this build: what the linker was told, or that of the
// module which go install fetched.
func ownVersion() string {
	build, ok := debug.ReadBuildInfo()
	if version == "dev" && ok && strings.HasPrefix(build.Main.Version, "v") {
		return build.Main.Version
	}
	return version
}

// facts are what assay version tells.
type facts struct {
	Version   string            `json:"version"`
	Commit    string            `json:"commit"`
	Date      string            `json:"date"`
	Go        string            `json:"go"`
	OS        string            `json:"os"`
	Arch      string            `json:"arch"`
	Driver    component         `json:"driver"`
	Browser   component         `json:"browser"`
	Installed release.Installed `json:"installed"`
	Upgrade   string            `json:"upgrade"`
}

// component is a driver or a browser that was looked for.
type component struct {
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Source  string `json:"source,omitempty"`
	Missing string `json:"missing,omitempty"` // why it is not there
}

func versionCommand(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the driver and browser that are used, and how to upgrade",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := factsOf(a, cmd)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(f)
			}
			f.print(a.stdout)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the same as JSON")
	return c
}

func licensesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licence of assay, and those of everything that is linked into it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.stdout, release.Licences())
			return err
		},
	}
}

// factsOf looks at this program and at what it would use. Nothing is fetched or started but
// Node, for its version.
func factsOf(a *app, cmd *cobra.Command) (facts, error) {
	copied, _, err := installed(a)
	if err != nil {
		return facts{}, err
	}
	f := facts{Version: ownVersion(), Commit: commit, Date: date, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Installed: copied, Upgrade: copied.Upgrade()}
	cfg, err := a.settings(cmd)
	if err == nil {
		var o driver.Options
		if o, err = a.program().Install(cfg); err == nil {
			var found driver.Installation
			found, err = driver.Locate(cmd.Context(), o)
			f.Driver = component{Version: found.Driver.Version, Path: found.Driver.Dir, Source: found.Driver.Source}
			f.Browser = component{Version: found.Browser.Version, Path: found.Browser.Path, Source: found.Browser.Source}
		}
	}
	if err == nil {
		return f, nil
	}
	if f.Driver.Path == "" {
		f.Driver.Missing, f.Browser.Missing = err.Error(), "not looked for without a driver"
	} else {
		f.Browser.Missing = err.Error()
	}
	return f, nil
}

func (f facts) print(w io.Writer) {
	fmt.Fprintf(w, "assay version %s\n", f.Version)
	if f.Commit != "" {
		fmt.Fprintf(w, "commit    %s of %s\n", f.Commit, f.Date)
	}
	fmt.Fprintf(w, "built     with %s for %s/%s\n", f.Go, f.OS, f.Arch)
	fmt.Fprintf(w, "driver    %s\n", f.Driver.line("Playwright"))
	fmt.Fprintf(w, "browser   %s\n", f.Browser.line("version"))
	fmt.Fprintf(w, "installed %s (%s)\n", f.Installed.Path, f.Installed.By)
	fmt.Fprintf(w, "upgrade   %s\n", f.Upgrade)
}

func (c component) line(what string) string {
	switch {
	case c.Missing != "":
		return c.Missing
	case c.Version == "":
		return fmt.Sprintf("%s (%s)", c.Path, c.Source)
	}
	return fmt.Sprintf("%s %s, %s (%s)", what, c.Version, c.Path, c.Source)
}

// installed returns how this program was installed, and the command by which a person calls
// it.
func installed(a *app) (copied release.Installed, command string, err error) {
	program, called, err := a.ownProgram()
	if err != nil {
		return copied, "", err
	}
	build, _ := debug.ReadBuildInfo() // nil where there is none
	copied = release.InstalledAt(program, build)
	return copied, copied.Command(called == "assay"), nil
}
