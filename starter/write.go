package starter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Outcome says what became of a file.
type Outcome struct {
	Path   string `json:"path"`
	Done   string `json:"done"` // created, changed, kept or left
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

// Write writes the files that are not there yet into dir, adds assay to the settings of
// clients, and keeps runs out of the project's history. What is there already stays.
func Write(dir string, files []File, server Server) ([]Outcome, error) {
	var all []Outcome
	for _, f := range files {
		o, err := put(filepath.Join(dir, filepath.FromSlash(f.To)), f.Text)
		if err != nil {
			return all, err
		}
		all = append(all, o)
	}
	for _, f := range ClientFiles() {
		o, err := addToClient(filepath.Join(dir, filepath.FromSlash(f.To)), f, server)
		if err != nil {
			return all, err
		}
		all = append(all, o)
	}
	o, err := ignoreRuns(filepath.Join(dir, ".gitignore"))
	return append(all, o), err
}

// addToClient adds the server to a client's settings. Settings that are no JSON are
// left alone.
func addToClient(path string, f ClientFile, server Server) (Outcome, error) {
	old, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return Outcome{}, err
	}
	merged, changed, err := addServer(old, f.Section, f.entry(server))
	switch {
	case err != nil:
		return Outcome{path, "left", fmt.Sprintf("%v: fix it and run assay init again", err)}, nil
	case !changed:
		return Outcome{path, "kept", "it has assay already"}, nil
	case missing:
		return put(path, string(merged))
	}
	return Outcome{Path: path, Done: "changed", Reason: "assay added"}, os.WriteFile(path, merged, 0o644)
}

// put writes a file that is not there yet.
func put(path, text string) (Outcome, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return Outcome{}, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Outcome{path, "kept", "it is there already"}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	_, err = f.WriteString(text)
	return Outcome{Path: path, Done: "created"}, errors.Join(err, f.Close())
}

// ignoreRuns keeps the runs out of the project's history: they hold pictures of
// the site, and grow.
func ignoreRuns(path string) (Outcome, error) {
	const line = ".assay/"
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return put(path, line+"\n")
	case err != nil:
		return Outcome{}, err
	}
	text := string(old)
	if slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return strings.Trim(l, "/ \r") == ".assay" }) {
		return Outcome{path, "kept", "it has " + line + " already"}, nil
	}
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += end
	}
	return Outcome{Path: path, Done: "changed", Reason: line + " added"}, os.WriteFile(path, []byte(text+line+end), 0o644)
}

// ClaudeDesktop returns what goes into the configuration of Claude Desktop, for a
// program and a project's folder. A desktop program has neither this folder nor the
// shell's PATH.
func ClaudeDesktop(program, dir string) (string, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	server := map[string]any{"command": program, "args": []string{"serve", "--config", filepath.Join(whole, Settings), "--data-dir", filepath.Join(whole, ".assay")}}
	snippet, err := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{"assay": server}}, "", "  ")
	return string(snippet), err
}
