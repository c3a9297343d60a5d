package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/pattern"
	"github.com/assay-qa/assay/qa"
)

// front holds what stands between the --- lines at the top of a spec.
type front struct {
	ID          string            `yaml:"id"`
	Title       string            `yaml:"title"`
	Tags        []string          `yaml:"tags"`
	BaseURL     string            `yaml:"baseUrl"`
	Vars        map[string]any    `yaml:"vars"`
	Secrets     []string          `yaml:"secrets"`
	Auth        string            `yaml:"auth"`
	Budget      budget            `yaml:"budget"`
	Retries     int               `yaml:"retries"`
	Viewport    *viewport         `yaml:"viewport"`
	AllowHosts  []string          `yaml:"allowHosts"`
	Destructive string            `yaml:"destructive"`
	Changes     bool              `yaml:"changesState"`
	Include     []string          `yaml:"include"`
	Visual      []map[string]any  `yaml:"visual"`
	vars        map[string]string // as they are written: 007 is no 7
	visual      []qa.VisualCheck
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

// keys returns the yaml names of a struct's fields.
func keys(v any) (out []string) {
	for f := range reflect.TypeOf(v).Fields() {
		if name := f.Tag.Get("yaml"); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// readFront reads the front matter of the file d, whose first line is line 2.
func (d *document) readFront(head string) {
	const above = 1 // the line ---
	parsed, err := parser.ParseBytes([]byte(head), 0)
	if err != nil {
		d.yamlProblem(err, above)
		return
	}
	if len(parsed.Docs) == 0 || parsed.Docs[0].Body == nil {
		return
	}
	body, ok := parsed.Docs[0].Body.(*ast.MappingNode)
	if !ok {
		d.problem(above+1, "the front matter must be a list of keys with values, such as tags: [smoke]")
		return
	}
	before := len(d.problems)
	ast.Walk(plainYAML{d, above}, body)
	at := map[string]int{}
	for _, pair := range body.Values {
		key := pair.Key.String()
		at[key] = pair.Key.GetToken().Position.Line + above
		if known := keys(front{}); !slices.Contains(known, key) {
			d.problem(at[key], "unknown key %q%s; known: %s", key, nearest.Hint(key, known), strings.Join(known, ", "))
		}
		if inner, ok := pair.Value.(*ast.MappingNode); ok {
			d.innerKeys(key, inner, above)
			if key == "vars" {
				d.readVars(inner, above)
			}
		}
	}
	if len(d.problems) > before {
		return
	}
	if err := yaml.NodeToValue(body, &d.front, yaml.Strict()); err != nil {
		d.yamlProblem(err, above)
		return
	}
	line := func(key string) int { return max(1, at[key]) }
	d.checkFront(line)
	d.readVisual(line("visual"))
	d.at = line
}

// plainYAML refuses what turns one value into another, or into many.
type plainYAML struct {
	d     *document
	above int
}

// Visit looks at one node.
func (p plainYAML) Visit(n ast.Node) ast.Visitor {
	switch n.Type() {
	case ast.TagType, ast.AnchorType, ast.AliasType, ast.MergeKeyType:
		p.d.problem(n.GetToken().Position.Line+p.above, "front matter: tags (!), anchors (&), aliases (*) and merges (<<) are not accepted; put the text in quotes if it is one")
		return nil
	default:
		return p
	}
}

// innerKeys finds unknown keys of budget and viewport.
func (d *document) innerKeys(key string, inner *ast.MappingNode, above int) {
	var known []string
	switch key {
	case "budget":
		known = keys(budget{})
	case "viewport":
		known = keys(viewport{})
	default:
		return
	}
	for _, pair := range inner.Values {
		if name := pair.Key.String(); !slices.Contains(known, name) {
			d.problem(pair.Key.GetToken().Position.Line+above, "unknown key %q in %s%s; known: %s", name, key, nearest.Hint(name, known), strings.Join(known, ", "))
		}
	}
}

// readVars reads the variables as they are written.
func (d *document) readVars(inner *ast.MappingNode, above int) {
	d.front.vars = map[string]string{}
	for _, pair := range inner.Values {
		name := pair.Key.GetToken().Value
		switch value := pair.Value.(type) {
		case *ast.StringNode:
			d.front.vars[name] = value.Value
		case *ast.LiteralNode:
			d.front.vars[name] = value.Value.Value
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
			d.front.vars[name] = value.GetToken().Value
		default:
			d.problem(pair.Key.GetToken().Position.Line+above, "vars: %s: give it a text, in quotes where it is empty", name)
		}
	}
}

func (d *document) yamlProblem(err error, above int) {
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil {
		message, _, _ := strings.Cut(ye.GetMessage(), "\n")
		message = strings.ReplaceAll(message, "front.", "")
		d.problem(ye.GetToken().Position.Line+above, "front matter: %s", message)
		return
	}
	message, _, _ := strings.Cut(err.Error(), "\n")
	d.problem(above+1, "front matter: %s", message)
}

// readVisual reads the pictures as task files have them.
func (d *document) readVisual(line int) {
	if len(d.front.Visual) == 0 {
		return
	}
	doc, err := json.Marshal(d.front.Visual)
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(doc))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&d.front.visual)
	}
	if err == nil {
		err = qa.TaskSpec{Goal: "pictures", Visual: d.front.visual}.Validate()
	}
	for _, e := range parts(err) {
		d.problem(line, "visual: %s", strings.TrimPrefix(e.Error(), "json: "))
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
	for name, value := range f.vars {
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
