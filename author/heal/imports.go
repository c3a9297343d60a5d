package heal

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// imports says for each script of a project what it imports and what words it has.
type imports map[string]script

type script struct {
	modules []string // as they are written
	text    string
}

var imported = pattern.New(`(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"` + "`" + `]([^'"` + "`" + `\n]+)['"` + "`" + `]`)

// endings lists those of files that tests may consist of.
func endings() []string {
	return []string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}
}

// readImports reads all scripts below a folder, but for those of one.
func readImports(root, skip string) (imports, error) {
	out := imports{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err == nil && e.IsDir() && path != root && left(path, e.Name(), skip):
			return filepath.SkipDir
		case err != nil, !e.Type().IsRegular() && path != root && e.Type()&fs.ModeSymlink == 0, e.IsDir(), !slices.Contains(endings(), filepath.Ext(path)):
			return err
		}
		return out.read(path)
	})
	return out, err
}

// read adds a script. One that is too large to be of a test is left out, and so is a
// link that leads nowhere.
func (all imports) read(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostFileSize {
		return nil //nolint:nilerr // the runner says what it lacks
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s := script{text: string(text)}
	for _, m := range imported.FindAllStringSubmatch(s.text, -1) {
		s.modules = append(s.modules, m[1])
	}
	all[path] = s
	return nil
}

// outside lists the files outside of a folder that scripts import, and those that these
// import.
func (all imports) outside(root string) []string {
	reached := imports{}
	var files []string
	for next := all; len(next) > 0; {
		more := imports{}
		for path, s := range next {
			for _, module := range s.modules {
				if !strings.HasPrefix(module, ".") {
					continue
				}
				file := existing(filepath.Join(filepath.Dir(path), filepath.FromSlash(module)))
				if _, known := reached[file]; file == "" || known || within(root, file) {
					continue
				}
				reached[file] = script{}
				files = append(files, file)
				if more.read(file) != nil {
					continue // the runner says that it can't be read
				}
			}
		}
		next = more
	}
	slices.Sort(files)
	return files
}

// existing returns the file that a module's path stands for, or "".
func existing(path string) string {
	stem := path
	if ending := filepath.Ext(path); ending == ".js" || ending == ".mjs" || ending == ".cjs" { // TypeScript calls its files so
		stem = strings.TrimSuffix(path, ending)
	}
	for _, ending := range append([]string{""}, endings()...) {
		for _, name := range []string{path + ending, stem + ending, filepath.Join(path, "index"+ending)} {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				return name
			}
		}
	}
	return ""
}

// users lists the files that have a word and import a file, or one that does, and so on.
func (all imports) users(file, word string) []string {
	has := regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(strings.TrimPrefix(word, "#")) + `(?:[^\w$]|$)`)
	reached := map[string]bool{file: true}
	for more := true; more; {
		more = false
		for path, s := range all {
			if reached[path] || !slices.ContainsFunc(s.modules, func(module string) bool {
				for to := range reached {
					if leads(path, module, to) {
						return true
					}
				}
				return false
			}) {
				continue
			}
			reached[path], more = true, true
		}
	}
	var out []string
	for path := range reached {
		if path != file && has.MatchString(all[path].text) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// reached lists files and what they import, and so on.
func (all imports) reached(files ...string) []string {
	out := slices.Compact(files)
	for i := 0; i < len(out); i++ {
		for path := range all {
			if !slices.Contains(out, path) && slices.ContainsFunc(all[out[i]].modules, func(module string) bool { return leads(out[i], module, path) }) {
				out = append(out, path)
			}
		}
	}
	return out
}

// leads reports whether a module that a file imports is, or may be, another file. One
// that is not relative may be an alias of the project: its last name decides.
func leads(from, module, to string) bool {
	bare := func(path string) string {
		path = filepath.ToSlash(path)
		for _, ending := range endings() {
			if cut, ok := strings.CutSuffix(path, ending); ok {
				path = cut
				break
			}
		}
		return strings.TrimSuffix(path, "/index")
	}
	if strings.HasPrefix(module, ".") {
		return bare(filepath.Join(filepath.Dir(from), filepath.FromSlash(module))) == bare(to)
	}
	name := bare(module)
	return strings.HasSuffix(bare(to), "/"+name[strings.LastIndexByte(name, '/')+1:])
}
