package generate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
)

// maxInput bounds a plan or a site.json.
const maxInput = 256 << 20

// Request says which tests are made, and where they go.
type Request struct {
	Inputs  []string // files: plans and sites
	Dir     string   // of the tests
	BaseURL string   // the site is there instead
	Role    string   // who is signed in; empty: whom the plan names
	Compare bool     // compare with what is there, and write nothing
	Force   bool     // write over generated files that a person edited
	Draft   bool     // the tests are drafts, which no runner has run
	Resume  bool     // go on where an earlier request for the same ended
	Order   Order
	SignIn  *SignIn // its tests are made, too; nil: none

	Width, Height int // of the viewport
	Cookies       []testfile.Cookie
	// Verify tries a path on the live site, and returns what is left of it. It is nil
	// where there is no browser: Unverified says why.
	Verify     func(ctx context.Context, base, role string, p Path) (Path, []Dropped, error)
	Unverified string
	// Play runs tests by their runner on the site as it is; nil for drafts.
	Play Player
	// Prove runs tests under faults, and returns by name what is known of each. It is nil
	// where that is not asked for.
	Prove func(ctx context.Context, base, role string, files []File) (map[string]Proof, error)

	Limit    time.Duration    // no flow is begun after this time; 0: no limit
	Now      func() time.Time // nil: no time is told, and there is no limit
	Progress func(Progress)   // may be nil
}

// Progress says how far the making of tests is.
type Progress struct {
	Done, All int
	Left      time.Duration // that the rest will take; 0: it is not known yet
	Doing     string        // what begins; empty: a flow has ended
	Ended     string        // what came of a flow that has ended
}

// String tells how far it is: "12/48, about 3m0s left".
func (p Progress) String() string {
	return fmt.Sprintf("%d/%d%s", p.Done, p.All, text.Left(p.Left))
}

// UnreachableError says that a site's first page could not be opened.
type UnreachableError struct {
	Base string
	Err  error
}

func (e *UnreachableError) Error() string { return e.Base + " can't be reached: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Result says what was made.
type Result struct {
	Files      []File    `json:"files"`
	Kept       []string  `json:"kept"`    // files of a person, or edited by one, that were left as they are
	Dropped    []Dropped `json:"dropped"` // what the tests do not have, and why
	Unverified []string  `json:"unverified"`
	NotCovered []string  `json:"not_covered"`           // flows without a test, and why
	CannotFail []string  `json:"cannot_fail,omitempty"` // tests that no fault turns red: they are not written
	Unproved   []string  `json:"unproved,omitempty"`    // tests of which that is not known: they are not written
	NotWritten []File    `json:"-"`                     // the files of both
	Tests      int       `json:"tests"`
	Asserts    int       `json:"asserts"`

	Flows       int  `json:"flows"`
	Left        int  `json:"left,omitempty"`        // flows that were not begun or not ended: another request goes on
	Interrupted bool `json:"interrupted,omitempty"` // the context ended
}

// Run makes the tests of plans and sites. Each is written when all is known of it; what is known
// at the end of the context, or of the time, is in the result.
func Run(ctx context.Context, r Request) (Result, error) {
	m := &making{Request: r, names: map[string]bool{}, titles: map[string]bool{}, does: map[string]string{},
		out: Result{Files: []File{}, Kept: []string{}, Dropped: []Dropped{}, Unverified: []string{}, NotCovered: []string{}}}
	var sources []source
	for _, input := range r.Inputs {
		s, err := m.open(input)
		if err != nil {
			return m.out, err
		}
		sources = append(sources, s)
		m.out.Flows += len(s.paths)
	}
	if m.SignIn != nil {
		s, err := m.signIn()
		if err != nil {
			return m.out, err
		}
		sources = append(sources, s)
		m.out.Flows += len(s.paths)
	}
	if err := m.begin(sources); err != nil {
		return m.out, err
	}
	for _, s := range sources {
		if err := m.make(ctx, s); err != nil {
			return m.out, err
		}
	}
	m.out.Left = m.out.Flows - m.done()
	m.out.Interrupted = ctx.Err() != nil && m.out.Left > 0
	for _, f := range m.out.Files {
		if f.State != Stale {
			m.out.Tests++
			m.out.Asserts += f.Asserts
		}
	}
	return m.out, m.end()
}

// source is a plan or a site with its paths.
type source struct {
	options Options
	role    string
	digest  string
	paths   []Path
	untried bool // only the runner tries its paths
}

// open reads a plan or a site.
func (m *making) open(input string) (s source, err error) {
	p, data, err := read(input)
	if err != nil {
		return s, err
	}
	name := sourceName(input)
	p.Role = cmp.Or(m.Role, p.Role)
	if s.paths, err = Paths(p, name, m.Order); err != nil {
		return s, err
	}
	for _, e := range p.Left {
		m.out.Dropped = append(m.out.Dropped, Dropped{Flow: e.ID, Where: name, What: "edge", Reason: "no path from the start leads to it"})
	}
	base, err := Base(cmp.Or(m.BaseURL, p.StartURL))
	s.role, s.digest = p.Role, digestOf(data)
	s.options = Options{Source: name, Describe: describe(p), BaseURL: base, Width: m.Width, Height: m.Height, Cookies: m.Cookies, Draft: m.Draft}
	return s, err
}

// describe returns what a plan's site is called.
func describe(p plan.Plan) string {
	if p.Start != nil && oneLine(p.Start.Title) != "" {
		return oneLine(p.Start.Title)
	}
	u, err := url.Parse(p.StartURL)
	if err != nil {
		return p.StartURL
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// sourceName returns the name of a plan in its tests: its folder's name and its own.
func sourceName(input string) string {
	clean := filepath.ToSlash(filepath.Clean(input))
	if dir := path.Base(path.Dir(clean)); dir != "." && dir != "/" && dir != ".." {
		return dir + "/" + path.Base(clean)
	}
	return path.Base(clean)
}

// Read reads a plan, or makes one of a site.
func Read(file string) (p plan.Plan, err error) {
	p, _, err = read(file)
	return p, err
}

func read(file string) (p plan.Plan, data []byte, err error) {
	if data, err = disk.ReadPath(file, maxInput); err != nil {
		return p, nil, fmt.Errorf("read %s: %w", file, err)
	}
	p, err = parse(file, data)
	return p, data, err
}

func parse(file string, data []byte) (p plan.Plan, err error) {
	if filepath.Ext(file) != ".json" {
		if p, err = plan.Parse(file, data); err == nil {
			err = p.CheckLength(file)
		}
		return p, err
	}
	var s site.Site
	if err := json.Unmarshal(data, &s); err != nil {
		return p, fmt.Errorf("%s is no site.json: %w: write it again with assay explore", file, err)
	}
	if s.SchemaVersion != site.SchemaVersion {
		return p, fmt.Errorf("%s has schema version %d, and this assay reads %d: write it again with assay explore", file, s.SchemaVersion, site.SchemaVersion)
	}
	return plan.OfSite(s), nil
}
