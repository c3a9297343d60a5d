package watch

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// Case is what is known of a case that ran.
type Case struct {
	File   string   // absolute path of its own file
	Files  []string // absolute paths of the files that say what it does, its own among them
	Loaded []Loaded // what its pages loaded of the site under test; nil: that is not known
}

// Loaded is something that a page loaded.
type Loaded struct {
	Path     string // of its address, decoded
	Document bool   // it is a page or a frame: what is sent for its address may be made of any file
}

// Effect says which cases a change can affect.
type Effect struct {
	Files  []string // of the cases, each once; a changed file that may be a new case is among them
	All    bool     // what the change can affect is not known
	Unused []string // changed files that no case loaded, though cases loaded others of their kind from their folder
}

// Affected returns the effect of changed files, given by absolute paths: a case is affected by the files that say what it
// does, and by those that its pages loaded. root is the folder that is watched, names lists the files in it, with slashes,
// and isCase tells the files that may hold cases.
func Affected(root string, names, changed []string, cases []Case, isCase func(file string) bool) (e Effect) {
	loaded := loadedKinds(names, cases)
	for _, file := range changed {
		name, inside := disk.Inside(root, file)
		name = filepath.ToSlash(name)
		hit := false
		for _, c := range cases {
			if c.Loaded == nil && !isCase(file) { // what it loads is not known
				e.add(c.File)
			}
			if slices.Contains(c.Files, file) || inside && slices.ContainsFunc(c.Loaded, func(l Loaded) bool { return l.from(name) }) {
				e.add(c.File)
				hit = true
			}
		}
		switch {
		case hit:
		case isCase(file):
			e.add(file)
		case inside && loaded[kindOf(name)] && !namesake(name, cases):
			e.Unused = append(e.Unused, file)
		default:
			e.All = true
		}
	}
	return e
}

func (e *Effect) add(file string) {
	if !slices.Contains(e.Files, file) {
		e.Files = append(e.Files, file)
	}
}

// from reports whether something may have been loaded from a file, by its name below the watched folder: the one's path
// ends with the other's. A page has its file's name, the name without its ending, or the folder's.
func (l Loaded) from(name string) bool {
	if endsAlike(l.Path, name) {
		return true
	}
	if !l.Document || path.Ext(name) != ".html" {
		return false
	}
	bare := strings.TrimSuffix(name, ".html")
	if folder, index := strings.CutSuffix("/"+bare, "/index"); index {
		return l.Path == "/" || strings.HasSuffix(l.Path, "/") && path.Base(l.Path) == path.Base(folder)
	}
	return endsAlike(l.Path, bare)
}

// endsAlike reports whether an address's path and a file's name are alike in their last two parts, or in the only one
// that one of them has: what the folder of the site's files is called, and where the site lies, is not known.
func endsAlike(address, name string) bool {
	a, b := path.Clean(address), path.Clean("/"+name)
	if path.Base(a) != path.Base(b) {
		return false
	}
	over, under := path.Dir(a), path.Dir(b)
	return over == "/" || under == "/" || path.Base(over) == path.Base(under)
}

// kind is what files have alike that a site serves, or does not, as they are.
type kind struct{ folder, ending string }

func kindOf(name string) kind { return kind{path.Dir(name), path.Ext(name)} }

// namesake reports whether something was loaded by the name of a file that lies elsewhere.
func namesake(name string, cases []Case) bool {
	return slices.ContainsFunc(cases, func(c Case) bool {
		return slices.ContainsFunc(c.Loaded, func(l Loaded) bool { return path.Base(l.Path) == path.Base(name) })
	})
}

// loadedKinds returns the kinds of files that pages loaded as they are: pages themselves are made of others, an address
// that fits several files tells nothing, and the watched folder itself holds what makes the site, too.
func loadedKinds(names []string, cases []Case) map[kind]bool {
	out := map[kind]bool{}
	for _, c := range cases {
		for _, l := range c.Loaded {
			var fits []string
			for _, name := range names {
				if !l.Document && endsAlike(l.Path, name) {
					fits = append(fits, name)
				}
			}
			if len(fits) == 1 && path.Dir(fits[0]) != "." {
				out[kindOf(fits[0])] = true
			}
		}
	}
	return out
}
