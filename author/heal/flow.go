package heal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/rules"
)

// flowSource is a flow or a recording, which runs as the Playwright test that says the
// same.
type flowSource struct {
	path string
	base string // address that relative ones belong to
	text []byte
	flow flow.Flow
}

func readFlow(path, base string) (*flowSource, error) {
	f, problems, err := load.FlowFile(path, base)
	if err == nil && len(problems) > 0 {
		err = problems
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := os.ReadFile(path)
	return &flowSource{path: path, base: base, text: text, flow: f.Flow}, err
}

// readFlows reads flows by the tests that they were made into.
func readFlows(made prove.Flows, base string) (map[string]*flowSource, error) {
	out := map[string]*flowSource{}
	for test, path := range made.Sources {
		f, err := readFlow(path, base)
		if err != nil {
			return nil, err
		}
		out[test] = f
	}
	return out, nil
}

// find returns the step whose selector a line of the test comes from.
func (f *flowSource) find(c prove.Call, _ []edit) (int, string, error) {
	_, lines, err := testfile.WithLines(f.flow, f.options())
	if err != nil || c.At == nil {
		return 0, "", errElsewhere
	}
	for i, s := range f.flow.Steps {
		if s.Selector != "" && s.Action != "assert" && lines[i].Has(c.At.Line) {
			return i, s.Selector, nil
		}
	}
	return 0, "", errors.New("no step of the flow with a selector stands there")
}

func (f *flowSource) options() testfile.Options {
	return testfile.Options{Source: filepath.Base(f.path)}
}

func (f *flowSource) test(of flow.Flow) (string, error) {
	return testfile.Of(of, f.options())
}

// after replaces the selectors of steps where they stand, and makes sure that nothing
// else became of the flow.
func (f *flowSource) after(edits []edit) (file, test []byte, err error) {
	want := f.flow
	want.Steps = slices.Clone(f.flow.Steps)
	file = f.text
	for _, e := range edits {
		if e.text == "" {
			return nil, nil, errors.New("steps of flows wait by themselves")
		}
		old := want.Steps[e.n].Selector
		want.Steps[e.n].Selector = e.text
		if f.flow.Recorded == nil {
			if file, err = f.replace(file, e.n, old, e.text); err != nil {
				return nil, nil, err
			}
		}
	}
	if f.flow.Recorded != nil && len(edits) > 0 {
		if file, err = f.recording(edits); err != nil {
			return nil, nil, err
		}
	}
	text, err := f.test(want)
	if err != nil {
		return nil, nil, err
	}
	return file, []byte(text), f.holds(file, edits)
}

// origin returns where a step stands; line 0: that is not known.
func (f *flowSource) origin(step int) (file string, line int) {
	if step >= len(f.flow.Origins) {
		return "", 0
	}
	file = f.flow.Origins[step]
	at := strings.LastIndexByte(file, ':')
	line, err := strconv.Atoi(file[at+1:])
	if at < 0 || err != nil {
		return file, 0
	}
	return file[:at], line
}

// line returns the line of a step in the flow's own file; 1 where it has none.
func (f *flowSource) line(step int) int {
	if file, line := f.origin(step); filepath.Base(file) == filepath.Base(f.path) {
		return max(line, 1)
	}
	return 1
}

// replace replaces the selector of a step in the text of a flow.
func (f *flowSource) replace(text []byte, step int, old, now string) ([]byte, error) {
	file, line := f.origin(step)
	if line == 0 || filepath.Base(file) != filepath.Base(f.path) {
		return nil, fmt.Errorf("step %d stands in %s, which other flows may include: only a person can tell", step+1, file)
	}
	all := strings.SplitAfter(string(text), "\n")
	for i := max(line-1, 0); i < len(all); i++ {
		for _, quote := range []func(string) string{func(s string) string { return "'" + s + "'" }, strconv.Quote, jsonText} {
			if strings.Contains(all[i], "selector") && strings.Contains(all[i], quote(old)) {
				written := jsonText(now) // a basic string of TOML, too
				if quote(old)[0] == '\'' && !strings.Contains(now, "'") {
					written = "'" + now + "'"
				}
				all[i] = strings.Replace(all[i], quote(old), written, 1)
				return []byte(strings.Join(all, "")), nil
			}
		}
	}
	return nil, fmt.Errorf("the selector of step %d is not found in the file", step+1)
}

func jsonText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSpace(b.String())
}

// recording returns a recording with other selectors, which become the first locators of
// their elements.
func (f *flowSource) recording(edits []edit) ([]byte, error) {
	var out flow.Flow
	if err := json.Unmarshal(f.text, &out); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	for _, e := range edits {
		old := out.Steps[e.n].Selector
		out.Steps[e.n].Selector = e.text
		if known := out.Recorded.Element(e.n); known != nil {
			known.Locators = append([]string{e.text}, slices.DeleteFunc(slices.Clone(known.Locators), func(s string) bool { return s == e.text || s == old })...)
		}
	}
	return out.JSON()
}

// holds reports an error unless a text reads as the flow with other selectors does, but
// for what a recording knows of elements.
func (f *flowSource) holds(text []byte, edits []edit) error {
	read := func(own []byte) (flow.Flow, error) {
		out, problems := flow.Load(filepath.Base(f.path), func(name string) ([]byte, error) {
			if name == filepath.Base(f.path) {
				return own, nil
			}
			return os.ReadFile(filepath.Join(filepath.Dir(f.path), filepath.FromSlash(name)))
		}, rules.Flows())
		if len(problems) > 0 {
			return out, problems
		}
		out.Origins, out.Recorded = nil, nil
		return out, nil
	}
	want, err := read(f.text)
	if err != nil {
		return err
	}
	for _, e := range edits {
		want.Steps[e.n].Selector = e.text
	}
	got, err := read(text)
	if err == nil && !reflect.DeepEqual(got, want) {
		err = errors.New("the flow would say something else than before")
	}
	return err
}

// write says a locator as flows have it, in the frame that the step's selector leads into.
func (f *flowSource) write(step int, locator string) string {
	old, err := selectors.Parse(f.flow.Steps[step].Selector)
	if err != nil {
		return ""
	}
	return old.Prefix() + locator
}

// quotes lists the texts that the flow's assertions name.
func (f *flowSource) quotes() []string {
	var out []string
	for _, s := range f.flow.Steps {
		out = append(out, assertTexts(s)...)
	}
	return append(out, f.flow.SuccessCondition)
}

// expected lists the selectors of the flow's assertions.
func (f *flowSource) expected() (out [][]string) {
	for _, s := range f.flow.Steps {
		if s.Action == "assert" && s.Selector != "" {
			out = append(out, []string{s.Selector})
		}
	}
	return out
}

func assertTexts(s qa.FlowStep) []string {
	if s.Action != "assert" || s.Assertion == nil {
		return nil
	}
	out := []string{fmt.Sprint(s.Assertion.Expected)}
	return append(out, literals(s.Selector)...)
}
