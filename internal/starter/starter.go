package starter

import (
	"embed"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/config"
)

//go:embed files
var files embed.FS

// Project says what the files are filled in with.
type Project struct {
	Base                     *url.URL // of the site under test
	Provider, Model, Profile string
	Headless                 bool
	// Release names the released version that a CI workflow installs, and Source the
	// folder of the project that it builds assay from. Without both there is no
	// workflow: it could not install anything.
	Release, Source string
}

// File holds one file of a project: its place there, and its text.
type File struct{ To, Text string }

// Settings names the file with the project's settings.
const Settings = "mcp.toml"

// Workflow names the file of the CI workflow.
const Workflow = ".github/workflows/assay.yml"

// Files returns the files, the settings first. Closed forms read the whole of the spec, so it
// runs without a model, too.
func (p Project) Files() ([]File, error) {
	settings, err := p.settings()
	if err != nil {
		return nil, err
	}
	fill := p.filler()
	out := []File{{Settings, fill.Replace(settings)}}
	for _, f := range []struct{ to, from string }{
		{"tasks/first.task.toml", "tasks/first.task.toml"},
		{"flows/first.flow.toml", "flows/first.flow.toml"},
		{"specs/first.md", "specs/first.md"},
		{Workflow, "workflow.yml"},
	} {
		if f.to == Workflow && p.Release == "" && p.Source == "" {
			continue
		}
		data, err := files.ReadFile("files/" + f.from)
		if err != nil {
			return nil, err
		}
		out = append(out, File{f.to, fill.Replace(string(data))})
	}
	return out, nil
}

// qaAgent names the profile with the defaults of the specification of a QA
// agent's browser automation (B14).
const qaAgent = "qa-agent"

// settings returns mcp.toml before it is filled in.
func (p Project) settings() (string, error) {
	text, err := files.ReadFile("files/mcp.toml")
	if err != nil {
		return "", err
	}
	switch p.Profile {
	case "":
		if !p.Headless {
			text = append(text, "\n[browser]\nheadless = false\n"...)
		}
		return string(text), nil
	case qaAgent:
		more, err := files.ReadFile("files/qa-agent.toml")
		return string(text) + string(more), err
	default:
		return "", config.Usage("--profile %q is unknown; accepted: %s", p.Profile, qaAgent)
	}
}

// filler fills in what the files leave open.
func (p Project) filler() *strings.Replacer {
	hosts, block, model := []string{p.Base.Hostname()}, "", ""
	if p.Profile == qaAgent {
		block = "block_external = true\n"
		for _, host := range []string{"localhost", "*.test.example"} {
			if host != p.Base.Hostname() {
				hosts = append(hosts, host)
			}
		}
	}
	if p.Model != "" {
		model = "model = " + strconv.Quote(p.Model) + "\n"
	}
	install := "go install github.com/assay-qa/assay/cmd/assay@" + p.Release
	if p.Source != "" {
		install = "GOBIN=\"$(go env GOPATH)/bin\" go -C " + strconv.Quote(p.Source) + " install ./cmd/assay"
	}
	return strings.NewReplacer("@INSTALL@", install, "@HOSTS@", `"`+strings.Join(hosts, `", "`)+`"`, "@BLOCK@", block, "@BASE_URL@", p.Base.String(), "@PROVIDER@", p.Provider,
		"@MODEL@", model, "@HEADLESS@", strconv.FormatBool(p.Headless))
}
