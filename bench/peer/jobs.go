package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/wire"
)

// job describes a tester's task, in the calls that a model makes of either server.
type job struct {
	name    string
	outcome string // what the page says when it is done; it says something else where it has its fault
	calls   [bothSides][]jobCall
}

// jobCall describes one call. An argument `ref: button "Send"` stands for the reference
// that the last outline gave the element.
type jobCall struct {
	tool      string
	arguments map[string]any
	outline   bool   // the answer is an outline to take elements from
	shows     string // what the answer must say
	check     bool   // the call is a check that must hold
}

// jobRound holds what one job took on one side.
type jobRound struct {
	took     time.Duration
	bytes    int // of the answers' lines
	texts    int // of those, the texts of their content
	deadEnds int // answers that were errors: the call had to be made again
}

// withReferences returns arguments with elements replaced by what the outline calls them.
func withReferences(arguments any, outline string) (any, error) {
	switch v := arguments.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			replaced, err := withReferences(value, outline)
			if err != nil {
				return nil, err
			}
			out[key] = replaced
		}
		return out, nil
	case []map[string]any:
		out := make([]any, 0, len(v))
		for _, value := range v {
			replaced, err := withReferences(value, outline)
			if err != nil {
				return nil, err
			}
			out = append(out, replaced)
		}
		return out, nil
	case string:
		if v == hintedTab {
			found := regexp.MustCompile(`"tab": (\d+)`).FindStringSubmatch(outline)
			if found == nil {
				return nil, fmt.Errorf("no answer names a tab:\n%s", outline)
			}
			return strconv.Atoi(found[1])
		}
		element, is := strings.CutPrefix(v, "ref: ")
		if !is {
			return v, nil
		}
		found := regexp.MustCompile(referenceLine(element)).FindStringSubmatch(outline)
		if found == nil {
			return nil, fmt.Errorf("no outline has %s:\n%s", element, outline)
		}
		return found[1], nil
	}
	return arguments, nil
}

// referenceLine returns the pattern of an outline's line with a reference: of an element that has a
// name, or of a role that has the text after it (listitem: Drill).
func referenceLine(element string) string {
	role, text, hasText := strings.Cut(element, ": ")
	if !hasText || strings.Contains(role, `"`) {
		return `(?m)^ *- '?` + regexp.QuoteMeta(element) + `.*?\[ref=(\w+)\]`
	}
	return `(?m)^ *- '?` + regexp.QuoteMeta(role) + `.*?\[ref=(\w+)\].*?: ` + regexp.QuoteMeta(text)
}

// takeJobs does each job on both servers, one after the other in changing order, on
// browsers that run. Then ours is exported as a test, which is run with the site's fault and without.
func (m *measurement) takeJobs(ctx context.Context, rounds int) (err error) {
	site := newFaultySite()
	defer site.close()
	for who := range m.sides {
		if m.folders[who], err = m.jobFolder(who); err != nil {
			return err
		}
	}
	servers, stop, err := m.startForJobs(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	m.jobs, m.exports = map[string][][bothSides]jobRound{}, map[string]exported{}
	for _, j := range jobs(site.pages.URL, site.dashboard.URL, m.folders) {
		for i := range rounds + 1 {
			var pair [bothSides]jobRound
			for _, who := range order(i) {
				if pair[who], err = servers[who].work(j.calls[who], m.calls); err != nil {
					return fmt.Errorf("job %q, round %d: %w", j.name, i+1, err)
				}
			}
			if i > 0 { // the first warms up
				m.jobs[j.name] = append(m.jobs[j.name], pair)
			}
		}
		fmt.Fprintf(m.progress, "%d rounds of the job %q\n", rounds, j.name)
		if m.exports[j.name], err = m.export(ctx, servers[ours], j, site); err != nil {
			return fmt.Errorf("job %q, exported: %w", j.name, err)
		}
		fmt.Fprintf(m.progress, "… its exported test: %s\n", m.exports[j.name])
	}
	return nil
}

// jobFolder makes the files that jobs upload, and returns their folder.
func (m *measurement) jobFolder(who int) (string, error) {
	folder := m.sides[who].program.Dir
	for name, text := range map[string]string{photograph: "a photograph of the damage\n", articles: "N-100;Claw hammer\nN-101;Club hammer\nN-102;Hand saw\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// startForJobs starts both servers. Ours offers page_drag, which is in the full set, and has the secrets of the jobs.
func (m *measurement) startForJobs(ctx context.Context) (servers [bothSides]*server, stop func() error, err error) {
	own, err := m.ownSettings()
	if err != nil {
		return servers, nil, err
	}
	sides := m.sides
	sides[ours].program.Env = append([]string{"ASSAY_TOOLS_SETS=core,full"}, own...)
	var started []*server
	stop = func() (err error) {
		for _, s := range started {
			err = errors.Join(err, s.Stop())
		}
		return err
	}
	for who, one := range sides {
		s, err := one.start(ctx)
		if err != nil {
			return servers, nil, errors.Join(err, stop())
		}
		started = append(started, s)
		if _, err := s.Within(s.Client.Initialize); err != nil {
			return servers, nil, errors.Join(err, stop())
		}
		servers[who] = s
	}
	return servers, stop, nil
}

// work makes the calls of a job. A call whose answer is an error is made once more.
func (s *server) work(calls []jobCall, shown io.Writer) (r jobRound, err error) {
	outline := ""
	for i, c := range calls {
		if c.arguments == nil {
			c.arguments = map[string]any{}
		}
		arguments, err := withReferences(c.arguments, outline)
		if err != nil {
			return r, fmt.Errorf("%s: call %d, %s: %w", s.Name, i+1, c.tool, err)
		}
		var a wire.Answer
		for again := range 2 {
			a, err = s.Within(func() (wire.Answer, error) {
				return s.Client.Tool(wire.Call{Name: c.tool, Arguments: arguments.(map[string]any)}) //nolint:errcheck,forcetypeassert // a map gives a map
			})
			if err != nil {
				return r, err
			}
			fmt.Fprintf(shown, "\n%s: %s, %d ms, %d bytes, %d of them text\n%s\n%s\n", s.Name, c.tool, a.Took.Milliseconds(), a.Bytes, len(a.Text), a.Text, a.Structured())
			r.took += a.Took
			r.bytes += a.Bytes
			r.texts += len(a.Text)
			if !a.Failed || again > 0 {
				break
			}
			r.deadEnds++
		}
		if a.Failed || c.check && !s.hands.passed(a) || !strings.Contains(a.Text, c.shows) {
			return r, fmt.Errorf("%s: call %d, %s: %s", s.Name, i+1, c.tool, a.Text)
		}
		if c.outline || strings.Contains(a.Text, `"tab": `) {
			outline = a.Text + "\n" + outline // the newest first; those of other tabs still count
		}
	}
	return r, nil
}

// jobFigures returns the rows of the jobs, with the bars of the requirements.
func (m *measurement) jobFigures() []figure {
	var rows []figure
	for _, j := range jobs("", "", [bothSides]string{}) {
		row := func(what, unit string, b bar, of func(jobRound) float64) {
			var pairs [][bothSides]float64
			for _, r := range m.jobs[j.name] {
				pairs = append(pairs, [bothSides]float64{of(r[ours]), of(r[theirs])})
			}
			rows = append(rows, newFigure(j.name+": "+what, unit, b, pairs))
		}
		count := func(what string, b bar, of func(jobCall) bool) {
			var n [bothSides]float64
			for who, calls := range j.calls {
				for _, c := range calls {
					if of(c) {
						n[who]++
					}
				}
			}
			rows = append(rows, newFigure(j.name+": "+what, "", b, [][bothSides]float64{n}))
		}
		count("calls", bar{Ratio: 1}, func(jobCall) bool { return true })
		count("calls that look", bar{}, func(c jobCall) bool { return c.outline })
		row("answers, their text alone", "bytes", bar{Ratio: 0.5}, func(r jobRound) float64 { return float64(r.texts) })
		row("answers, text and structured", "bytes", bar{Ratio: 1}, func(r jobRound) float64 { return float64(r.bytes) })
		row("dead ends", "", bar{None: true}, func(r jobRound) float64 { return float64(r.deadEnds) })
		row("time", "ms", bar{Ratio: 1}, func(r jobRound) float64 { return float64(r.took.Microseconds()) / 1000 })
	}
	return rows
}
