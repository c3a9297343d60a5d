package generate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/disk"
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
	Order   Order
	SignIn  *SignIn // its tests are made, too; nil: none

	Width, Height int // of the viewport
	Cookies       []testfile.Cookie
	// Verify tries a path on the live site, and returns what is left of it. It is nil
	// where there is no browser: Unverified says why.
	Verify     func(ctx context.Context, base, role string, p Path) (Path, []Dropped, error)
	Unverified string
	// Prove runs tests under faults, and returns by name what is known of each. It is nil
	// where that is not asked for.
	Prove    func(ctx context.Context, base, role string, files []File) (map[string]Proof, error)
	Progress func(done, all int, name string)
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
	CannotFail []string  `json:"cannot_fail,omitempty"` // tests that no fault turns red: they are not written
	Unproved   []string  `json:"unproved,omitempty"`    // tests of which that is not known: they are not written
	NotWritten []File    `json:"-"`                     // the files of both
	Tests      int       `json:"tests"`
	Asserts    int       `json:"asserts"`
}

// Run makes the tests of plans and sites, and writes them.
func Run(ctx context.Context, r Request) (Result, error) {
	out := Result{Files: []File{}, Kept: []string{}, Dropped: []Dropped{}, Unverified: []string{}}
	names := map[string]bool{}
	for _, input := range r.Inputs {
		files, err := r.one(ctx, input, names, &out)
		if err != nil {
			return out, err
		}
		source := sourceName(input)
		if files, err = Compare(r.Dir, source, files); err != nil {
			return out, err
		}
		out.Files = append(out.Files, files...)
	}
	if r.SignIn != nil {
		files, err := r.signIn(names, &out)
		if err == nil {
			files, err = Compare(r.Dir, r.SignIn.Source(), files)
		}
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, files...)
	}
	for _, f := range out.Files {
		if f.State != Stale {
			out.Tests++
			out.Asserts += f.Asserts
		}
	}
	if r.Compare {
		return out, nil
	}
	kept, err := Write(r.Dir, out.Files, r.Force)
	out.Kept = append(out.Kept, kept...)
	return out, err
}

// one makes the tests of one plan or site.
func (r Request) one(ctx context.Context, input string, names map[string]bool, out *Result) ([]File, error) {
	p, left, err := Read(input)
	if err != nil {
		return nil, err
	}
	source := sourceName(input)
	p.Role = cmp.Or(r.Role, p.Role)
	paths, err := Paths(p, source, r.Order)
	if err != nil {
		return nil, err
	}
	for _, e := range left {
		out.Dropped = append(out.Dropped, Dropped{Flow: e.ID, Where: source, What: "edge", Reason: "no path from the start leads to it"})
	}
	base, err := Base(cmp.Or(r.BaseURL, p.StartURL))
	if err != nil {
		return nil, err
	}
	paths, why, err := r.verify(ctx, base, p.Role, paths, out)
	if err != nil {
		return nil, err
	}
	if why != "" {
		out.Unverified = append(out.Unverified, source+": "+why)
	}
	options := Options{Source: source, Describe: describe(p), BaseURL: base, Width: r.Width, Height: r.Height, Cookies: r.Cookies, Unverified: why}
	files, dropped, err := Files(paths, names, options)
	out.Dropped = append(out.Dropped, dropped...)
	if err != nil || r.Prove == nil || why != "" || len(files) == 0 {
		return files, err
	}
	return r.prove(ctx, base, p.Role, files, options, out)
}

// verify tries all paths on the live site. why says why that is not possible.
func (r Request) verify(ctx context.Context, base, role string, paths []Path, out *Result) (left []Path, why string, err error) {
	if r.Verify == nil {
		return paths, r.Unverified, nil
	}
	var dropped []Dropped
	for i, p := range paths {
		if r.Progress != nil {
			r.Progress(i, len(paths), p.Name)
		}
		p, d, err := r.Verify(ctx, base, role, p)
		var lost *UnreachableError
		if errors.As(err, &lost) {
			return paths, lost.Error(), nil
		}
		if err != nil {
			return nil, "", err
		}
		left, dropped = append(left, p), append(dropped, d...)
	}
	out.Dropped = append(out.Dropped, dropped...)
	return left, "", nil
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

// Read reads a plan, or makes one of a site. left are the edges that no path reaches.
func Read(file string) (p plan.Plan, left []site.Edge, err error) {
	data, err := disk.ReadPath(file, maxInput)
	if err != nil {
		return p, nil, fmt.Errorf("read %s: %w", file, err)
	}
	if filepath.Ext(file) != ".json" {
		if p, err = plan.Parse(file, data); err == nil {
			err = p.CheckLength(file)
		}
		return p, nil, err
	}
	var s site.Site
	if err := json.Unmarshal(data, &s); err != nil {
		return p, nil, fmt.Errorf("%s is no site.json: %w: write it again with assay explore", file, err)
	}
	if s.SchemaVersion != site.SchemaVersion {
		return p, nil, fmt.Errorf("%s has schema version %d, and this assay reads %d: write it again with assay explore", file, s.SchemaVersion, site.SchemaVersion)
	}
	_, left = plan.Cover(s)
	return plan.OfSite(s), left, nil
}
