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

// Write writes the files that are not there yet into dir, and the .gitignore that keeps
// runs out of the project's history. It says of each file which of both it was.
func Write(dir string, files []File, say func(line string)) error {
	for _, f := range files {
		if err := put(filepath.Join(dir, filepath.FromSlash(f.To)), f.Text, say); err != nil {
			return err
		}
	}
	return ignoreRuns(filepath.Join(dir, ".gitignore"), say)
}

// put writes a file that is not there yet, and says which of both it was.
func put(path, text string, say func(string)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		say(fmt.Sprintf("kept     %s (it is there already)", path))
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	say(fmt.Sprintf("created  %s", path))
	return nil
}

// ignoreRuns keeps the runs out of the project's history: they hold pictures of
// the site, and grow.
func ignoreRuns(path string, say func(string)) error {
	const line = ".assay/"
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return put(path, line+"\n", say)
	case err != nil:
		return err
	}
	if !slices.ContainsFunc(strings.Split(string(old), "\n"), func(l string) bool { return strings.Trim(l, "/ \r") == ".assay" }) {
		say(fmt.Sprintf("kept     %s: add the line %s to it", path, line))
	}
	return nil
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
