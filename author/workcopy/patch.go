package workcopy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Limits of one patch, and of one proposal.
const (
	MaxFiles = 50
	MaxBytes = 256 << 10
)

// regular is the mode of a file that is neither a link nor a program.
const regular os.FileMode = 0o100644

// File is a file that a patch makes or changes.
type File struct {
	Path string
	New  bool
	diff *gitdiff.File
}

// Parse takes a patch in git's format apart. Every file of it may be written, or
// nothing of it is accepted.
func (r Rules) Parse(text string) (files []File, err error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the patch has %d bytes, more than %d: send several", len(text), MaxBytes)
	}
	if strings.ContainsRune(text, 0) {
		return nil, errors.New("the patch has NUL characters: binary content is not accepted")
	}
	if !strings.HasPrefix(text, "diff --git ") {
		return nil, errors.New(`the patch has to begin with "diff --git a/PATH b/PATH", as git diff writes it; or send the whole file as content`)
	}
	defer func() { // the parser is not ours: no input may end the process
		if p := recover(); p != nil {
			files, err = nil, fmt.Errorf("the patch does not parse: %v", p)
		}
	}()
	parsed, preamble, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the patch does not parse: %w", err)
	}
	if strings.TrimSpace(preamble) != "" {
		return nil, errors.New("the patch has text before its first file")
	}
	headers := headerLines(text)
	if len(headers) != len(parsed) {
		return nil, fmt.Errorf("the patch names %d files and changes %d: each needs lines that change", len(headers), len(parsed))
	}
	if len(parsed) > MaxFiles {
		return nil, fmt.Errorf("the patch has %d files, more than %d", len(parsed), MaxFiles)
	}
	seen := map[string]bool{}
	for i, f := range parsed {
		file, err := r.file(f)
		if err != nil {
			return nil, err
		}
		if wanted := "diff --git a/" + file.Path + " b/" + file.Path; headers[i] != wanted {
			return nil, fmt.Errorf("the patch says %q where %q belongs", headers[i], wanted)
		}
		folded := strings.ToLower(file.Path)
		if seen[folded] {
			return nil, fmt.Errorf("%s: the patch has this file twice", file.Path)
		}
		seen[folded] = true
		files = append(files, file)
	}
	return files, nil
}

// headerLines returns the lines that begin a file. Lines of content begin with a blank,
// a plus or a minus.
func headerLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "diff --git ") {
			out = append(out, strings.TrimRight(line, "\r\n"))
		}
	}
	return out
}

// file accepts one file of a patch.
func (r Rules) file(f *gitdiff.File) (File, error) {
	name := f.NewName
	if name == "" {
		name = f.OldName
	}
	switch {
	case f.IsDelete:
		return File{}, fmt.Errorf("%s: files are not deleted", name)
	case f.IsRename || f.IsCopy || !f.IsNew && f.OldName != f.NewName:
		return File{}, fmt.Errorf("%s: files are not renamed or copied", name)
	case f.IsBinary || f.BinaryFragment != nil:
		return File{}, fmt.Errorf("%s: binary content is not accepted", name)
	case f.OldMode != 0 && f.OldMode != regular || f.NewMode != 0 && f.NewMode != regular:
		return File{}, fmt.Errorf("%s: only regular files with mode 100644 are written: no links, no programs, no change of mode", name)
	case len(f.TextFragments) == 0:
		return File{}, fmt.Errorf("%s: the patch changes no line of it", name)
	}
	if err := r.CheckPath(name); err != nil {
		return File{}, err
	}
	return File{Path: name, New: f.IsNew, diff: f}, nil
}

// Apply returns the content that the patch makes of a file's content. Each line has to
// be where the patch says.
func (f File) Apply(old []byte) (content []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			content, err = nil, fmt.Errorf("%s: the patch does not fit: %v", f.Path, p)
		}
	}()
	var out bytes.Buffer
	if err := gitdiff.Apply(&out, bytes.NewReader(old), f.diff); err != nil {
		return nil, fmt.Errorf("%s: the patch does not fit: %w; read the file again, or send the whole file as content", f.Path, err)
	}
	if out.Len() > MaxBytes {
		return nil, fmt.Errorf("%s: the file would have %d bytes, more than %d", f.Path, out.Len(), MaxBytes)
	}
	return out.Bytes(), nil
}
