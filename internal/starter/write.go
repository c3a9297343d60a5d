package starter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Outcome says what became of a file.
type Outcome struct {
	Path   string `json:"path"`
	Done   string `json:"done"` // created, changed, removed, kept or left
	Reason string `json:"reason,omitempty"`
}

// String returns the outcome as a line.
func (o Outcome) String() string {
	line := fmt.Sprintf("%-8s %s", o.Done, o.Path)
	if o.Reason != "" {
		line += " (" + o.Reason + ")"
	}
	return line
}

// Write writes the files that are not there yet into dir, and keeps runs out of the project's
// history. What is there already stays, and nothing is written through a symbolic link: it may
// lead out of the project.
func Write(dir string, files []File) ([]Outcome, error) {
	return inNewFolder(dir, func(w *writer) error {
		for _, f := range files {
			if err := w.add(f.To, func() (Outcome, error) { return w.put(f.To, f.Text) }); err != nil {
				return err
			}
		}
		const ignored = ".gitignore"
		return w.add(ignored, func() (Outcome, error) { return w.ignoreRuns(ignored) })
	})
}

// writer writes into one folder. Names have slashes.
type writer struct {
	root *os.Root
	dir  string
	all  []Outcome
}

func (w *writer) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// add notes what becomes of a file, which is left where a link stands in its place or on the way to it.
func (w *writer) add(name string, write func() (Outcome, error)) error {
	link, err := w.linkOnTheWay(name)
	if err != nil {
		return err
	}
	if link != "" {
		w.all = append(w.all, Outcome{w.path(name), "left", w.path(link) + " is a symbolic link, and nothing is written through one"})
		return nil
	}
	o, err := write()
	if err == nil {
		o.Path = w.path(name)
		w.all = append(w.all, o)
	}
	return err
}

// linkOnTheWay returns the first part of a name that is a symbolic link; empty: there is none.
func (w *writer) linkOnTheWay(name string) (string, error) {
	parts := strings.Split(name, "/")
	for i := range parts {
		part := strings.Join(parts[:i+1], "/")
		info, err := w.root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", nil
		case err != nil:
			return "", err
		case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // a junction of Windows is irregular
			return part, nil
		}
	}
	return "", nil
}

// addToClient adds the server to a client's settings. Settings that are no JSON are
// left alone.
func (w *writer) addToClient(c Client, server Server) (Outcome, error) {
	old, err := w.root.ReadFile(c.File)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return Outcome{}, err
	}
	merged, changed, err := addServer(old, c.Section, c.entry(server))
	switch {
	case err != nil:
		return Outcome{Done: "left", Reason: fmt.Sprintf("%v: fix it and run assay init again", err)}, nil
	case !changed:
		return Outcome{Done: "kept", Reason: "it has assay already"}, nil
	case missing:
		return w.put(c.File, string(merged))
	}
	return Outcome{Done: "changed", Reason: "assay added"}, w.root.WriteFile(c.File, merged, 0o644)
}

// put writes a file that is not there yet.
func (w *writer) put(name, text string) (Outcome, error) {
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return Outcome{}, err
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Outcome{Done: "kept", Reason: "it is there already"}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	_, err = f.WriteString(text)
	return Outcome{Done: "created"}, errors.Join(err, f.Close())
}

// ignoreRuns keeps the runs out of the project's history: they hold pictures of
// the site, and grow.
func (w *writer) ignoreRuns(name string) (Outcome, error) {
	const line = ".assay/"
	old, err := w.root.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.put(name, line+"\n")
	case err != nil:
		return Outcome{}, err
	}
	text := string(old)
	if slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return strings.Trim(l, "/ \r") == ".assay" }) {
		return Outcome{Done: "kept", Reason: "it has " + line + " already"}, nil
	}
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += end
	}
	return Outcome{Done: "changed", Reason: line + " added"}, w.root.WriteFile(name, []byte(text+line+end), 0o644)
}
