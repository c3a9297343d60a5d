package spec

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	doc "github.com/assay-qa/assay/internal/document"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// front holds what stands between the --- lines at the top of a spec.
type front struct {
	ID          string            `yaml:"id"`
	Title       string            `yaml:"title"`
	Tags        []string          `yaml:"tags"`
	BaseURL     string            `yaml:"baseUrl"`
	Vars        map[string]string `yaml:"vars"` // as they are written: 007 is no 7
	Secrets     []string          `yaml:"secrets"`
	Auth        string            `yaml:"auth"`
	Budget      budget            `yaml:"budget"`
	Retries     int               `yaml:"retries"`
	Viewport    *viewport         `yaml:"viewport"`
	AllowHosts  []string          `yaml:"allowHosts"`
	Destructive string            `yaml:"destructive"`
	Changes     bool              `yaml:"changesState"`
	Include     []string          `yaml:"include"`
	Visual      doc.Node          `yaml:"visual"`
	visual      []qa.VisualCheck  `yaml:"-"`
}

type budget struct {
	MaxToolCalls   int `yaml:"maxToolCalls"`
	MaxTimeMS      int `yaml:"maxTimeMs"`
	MaxScreenshots int `yaml:"maxScreenshots"`
	MaxTokens      int `yaml:"maxTokens"`
}

type viewport struct {
	Width  int `yaml:"width"`
	Height int `yaml:"height"`
}

// maxRetries bounds how often a spec is run again: what needs more than four
// attempts is no test.
const maxRetries = 3

var (
	specIDForm  = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$`)
	varForm     = pattern.New(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)
	hostForm    = pattern.New(`^(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$|^[0-9A-Fa-f:.]+$`)
	controlForm = pattern.New(`[\x00-\x08\x0b\x0c\x0e-\x1f]`)
)

// cutFront splits a spec into front matter and the rest, which keeps its line
// numbers. found is false for a spec without front matter.
func cutFront(text string) (head, rest string, found bool, err error) {
	lines := strings.SplitAfter(text, "\n")
	if strings.TrimRight(lines[0], " \t\n") != "---" {
		return "", text, false, nil
	}
	for i, line := range lines[1:] {
		if strings.TrimRight(line, " \t\n") == "---" {
			return strings.Join(lines[1:i+1], ""), strings.Repeat("\n", i+2) + strings.Join(lines[i+2:], ""), true, nil
		}
	}
	return "", text, false, errors.New("the front matter has no end: close it with a line ---")
}

// readFront reads the front matter of the file d, whose first line is line 2.
func (d *document) readFront(head string) {
	const above = 1 // the line ---
	n, err := doc.Parse(doc.YAML, []byte(head))
	switch {
	case err != nil:
		d.problem(doc.LineOf(err)+above, "front matter: %v", err)
		return
	case n.Null:
		return
	case n.Kind != doc.Table:
		d.problem(above+1, "the front matter must be a list of keys with values, such as tags: [smoke]")
		return
	}
	decoder := doc.Decoder{Tag: "yaml"}
	decoder.Decode(n, &d.front, "")
	for _, p := range decoder.Problems {
		d.problem(p.Line+above, "front matter: %s", p.Message)
	}
	if len(decoder.Problems) > 0 {
		return
	}
	line := func(key string) int { return decoder.Lines[key] + above }
	d.checkFront(line)
	d.readVisual(above)
	d.at = line
}

// readVisual reads the pictures as task files have them. Lines are counted from above.
func (d *document) readVisual(above int) {
	if d.front.Visual.Line == 0 {
		return
	}
	decoder := doc.Decoder{Tag: "json"}
	decoder.Decode(d.front.Visual, &d.front.visual, "visual")
	for _, p := range decoder.Problems {
		d.problem(p.Line+above, "visual: %s", p.Message)
	}
	if len(decoder.Problems) > 0 || len(d.front.visual) == 0 {
		return
	}
	for _, e := range parts(qa.TaskSpec{Goal: "pictures", Visual: d.front.visual}.Validate()) {
		line := decoder.Lines["visual"]
		if at := decoder.Lines[field(e.Error())]; at > 0 {
			line = at
		}
		d.problem(line+above, "visual: %v", e)
	}
}

// checkFront checks the values.
func (d *document) checkFront(line func(key string) int) {
	f := &d.front
	wrong := func(key, format string, args ...any) { d.problem(line(key), key+": "+format, args...) }
	if f.ID != "" && !specIDForm.MatchString(f.ID) {
		wrong("id", "%q: use letters, digits and . _ / -, at most 100", f.ID)
	}
	if f.Retries < 0 || f.Retries > maxRetries {
		wrong("retries", "%d: use 0 to %d", f.Retries, maxRetries)
	}
	if v := f.Viewport; v != nil && (v.Width < 1 || v.Height < 1 || v.Width > 10000 || v.Height > 10000) {
		wrong("viewport", "%d×%d is out of range: give width and height, 1 to 10000 pixels each", v.Width, v.Height)
	}
	if b := f.Budget; min(b.MaxToolCalls, b.MaxTimeMS, b.MaxScreenshots, b.MaxTokens) < 0 {
		wrong("budget", "use positive numbers, or leave a limit out")
	}
	if !slices.Contains([]string{"", "deny", "ask"}, f.Destructive) {
		wrong("destructive", "%q: use deny or ask; only the configuration allows what destroys", f.Destructive)
	}
	for _, host := range f.AllowHosts {
		if !hostForm.MatchString(host) {
			wrong("allowHosts", "%q: give host names, *.domain or IP addresses, without scheme, port and path", host)
		}
	}
	for _, tag := range f.Tags {
		if tag == "" || strings.ContainsAny(tag, ", \t\n") {
			wrong("tags", "%q: a tag has no spaces and no commas", tag)
		}
	}
	for name, value := range f.Vars {
		if !varForm.MatchString(name) {
			wrong("vars", "%q: a name has letters, digits and _ . -, and begins with a letter", name)
		}
		if strings.Contains(value, "{{") {
			wrong("vars", "%s: a value can't hold {{…}}: it is put in as it is", name)
		}
	}
}

// checkBase refuses what no address can be appended to.
func checkBase(address string) error {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return fmt.Errorf("baseUrl: %q: give a full http or https address", address)
	}
	return nil
}
