package config_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
)

// Ways to set a site back that don't go together are refused with their places.
func TestWaysToSetASiteBack(t *testing.T) {
	const both, elsewhere = "are both set", "another site than explore.start_url"
	for name, c := range map[string]struct {
		own, folder string
		flags       map[string]string
		want        string // in the only problem; empty: there is none
	}{
		"a path":                 {folder: "reset = \"/test/reset\"\nstart_url = \"http://a.test/shop\""},
		"an address of the site": {folder: "reset = \"http://a.test/test/reset\"\nstart_url = \"http://A.test:80/shop\""},
		"an address alone":       {folder: "reset = \"http://a.test/test/reset\""},
		"a command":              {own: "reset_command = \"make seed\""},
		"both":                   {folder: "reset = \"/r\"\nreset_command = \"make seed\"", want: "mcp.toml:3: explore.reset and explore.reset_command (mcp.toml:4) " + both},
		"one in each file":       {own: "reset_command = \"make seed\"", folder: "reset = \"/r\"", want: "mcp.toml:3: explore.reset and explore.reset_command (own.toml:3) " + both},
		"both, and a flag":       {folder: "reset = \"/r\"\nreset_command = \"make seed\"", flags: map[string]string{"explore.reset": ""}},
		"another site":           {folder: "start_url = \"http://a.test/\"\nreset = \"http://b.test/r\"", want: "mcp.toml:4: explore.reset is an address of " + elsewhere + " (mcp.toml:3)"},
		"another site by a flag": {folder: "reset = \"http://a.test/r\"", flags: map[string]string{"explore.start_url": "http://a.test:81/"}, want: elsewhere + " (--explore-start-url)"},
		"no address":             {folder: "reset = \"test/reset\"", want: "mcp.toml:3: explore.reset = \"test/reset\"; accepted: a path that starts with /"},
	} {
		src := config.Source{Name: "own.toml", Flags: c.flags}
		if c.own != "" {
			src.File = []byte(header + "[explore]\n" + c.own + "\n")
		}
		if c.folder != "" {
			src.Folder.File = []byte(header + "[explore]\n" + c.folder + "\n")
		}
		_, err := config.Read(src)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
