package laws_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/packaging/site"
	"github.com/assay-qa/assay/tools/resources"
)

// promisedNames lists what docs/compatibility.md promises, a name in each line.
const promisedNames = "internal/laws/promised.txt"

// TestPromiseDocsAreCurrent: a name that users' files, programs and clients rely on is still there.
// -update adds the new ones, and takes none out: whoever ends a promise deletes its line by hand.
func TestPromiseDocsAreCurrent(t *testing.T) {
	now, err := names()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(promisedNames)
	if err != nil && !*update {
		t.Fatalf("%v; to write it run: make generate", err)
	}
	promised := slices.DeleteFunc(strings.Split(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n"), func(line string) bool { return line == "" })
	for _, name := range promised {
		if !slices.Contains(now, name) {
			t.Errorf("%s is gone: docs/compatibility.md promises it. Bring it back; or, where a release may end it, delete its line in %s and say in CHANGELOG.md what to do", name, promisedNames)
		}
	}
	all := slices.Concat(promised, now)
	slices.Sort(all)
	all = slices.Compact(all)
	if *update {
		if err := os.WriteFile(promisedNames, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range all {
		if !slices.Contains(promised, name) {
			t.Errorf("%s is new and not in %s; to add it run: make generate", name, promisedNames)
		}
	}
}

// names are all names that are promised, as they are now.
func names() (all []string, err error) {
	for _, tool := range site.Catalogue() {
		d := tool.Definition
		input, err := site.ReadSchema(d.RawInputSchema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		output, err := site.ReadSchema(d.RawOutputSchema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		all = append(all, fmt.Sprintf("tool %s (%s)", d.Name, tool.Set))
		all = append(all, fields("argument "+d.Name, &input)...)
		if data := output.Property("data"); data != nil {
			all = append(all, fields("answer "+d.Name, data)...)
		}
	}
	for _, key := range config.Keys() {
		all = append(all, "setting "+key.Name)
		if key.Env != "" {
			all = append(all, "variable "+key.Env)
		}
		if key.Flag != "" {
			all = append(all, "flag --"+key.Flag)
		}
	}
	codes, err := os.ReadFile("qa/code/code.go")
	if err != nil {
		return nil, err
	}
	for _, code := range regexp.MustCompile(`(?m)^\t\w+ += "([A-Z_]+)"`).FindAllStringSubmatch(string(codes), -1) {
		all = append(all, "code "+code[1])
	}
	for name, of := range resources.Schemas() {
		s, err := asListed(of())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, "schema assay://schemas/"+name+".json")
		all = append(all, fields("document "+name, &s)...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// asListed reads a schema as a client does.
func asListed(of *jsonschema.Schema) (site.Schema, error) {
	raw, err := json.Marshal(of)
	if err != nil {
		return site.Schema{}, err
	}
	return site.ReadSchema(raw)
}

// fields are the names of the fields of a schema, those within objects and lists too, the
// values that they may have, and which arguments need not be given.
func fields(of string, s *site.Schema) (all []string) {
	if s.Items != nil {
		return fields(of, s.Items)
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		all = append(all, of+"."+p.Name)
		if strings.HasPrefix(of, "argument ") && !slices.Contains(s.Required, p.Name) {
			all = append(all, of+"."+p.Name+" may be left out")
		}
		all = append(all, fields(of+"."+p.Name, &p.Schema)...)
		for _, value := range p.Enum {
			all = append(all, of+"."+p.Name+" = "+value)
		}
	}
	return all
}
