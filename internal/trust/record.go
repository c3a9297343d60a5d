package trust

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/secrets"
)

// Record is what a person trusted, or what there is to trust.
type Record struct {
	// Folder that is trusted, without symbolic links: one that is moved or copied is another one.
	Folder string `json:"folder"`
	// Config is the configuration that is read there, without symbolic links; empty: none.
	Config string `json:"config,omitempty"`
	// Whole says that the folder's own tests may be run while Tests stay what they are, and that secrets of the person's own file may be typed on
	// any page there.
	Whole    bool      `json:"whole"`
	Settings []Setting `json:"settings"`
	Files    []File    `json:"files"`
	// Tests are the files that decide what the folder's own tests run.
	Tests []File    `json:"tests,omitempty"`
	Since time.Time `json:"since"`
}

// Setting is one that takes a person's word.
type Setting struct {
	Key string `json:"key"`
	// Value as it may be shown.
	Value string `json:"value"`
	Sum   string `json:"sha256"`
}

// File is one that a setting starts.
type File struct {
	// Path without symbolic links, or the name of a program that is not there.
	Path string `json:"path"`
	// Sum is the SHA-256 of its content; empty: it is not there.
	Sum string `json:"sha256"`
}

// Place says which folder is trusted: that of the configuration, or without one the working folder.
type Place struct {
	// Work is the working folder: relative paths of programs lead from it, but that of explore.reset_command.
	Work string
	// Config is the configuration; empty: there is none.
	Config string
}

func (p Place) folder() string {
	if p.Config != "" {
		return filepath.Dir(p.Config)
	}
	return p.Work
}

// Look returns what there is to trust at a place whose folder claims settings.
func Look(at Place, claims []config.Claim) (Record, error) {
	r, err := settings(at, claims)
	if err == nil {
		r.Files, err = files(at, claims)
	}
	if err == nil {
		r.Tests, err = tests(r.Folder)
	}
	return r, err
}

// settings returns a record without the files that are started.
func settings(at Place, claims []config.Claim) (r Record, err error) {
	if r.Folder, err = RealPath(at.folder()); err != nil {
		return r, err
	}
	if at.Config != "" {
		if r.Config, err = RealPath(at.Config); err != nil {
			return r, err
		}
	}
	for _, c := range claims {
		r.Settings = append(r.Settings, Setting{Key: c.Key, Value: c.Value, Sum: c.Sum})
	}
	sort.Slice(r.Settings, func(i, j int) bool { return r.Settings[i].Key+r.Settings[i].Sum < r.Settings[j].Key+r.Settings[j].Sum })
	return r, nil
}

// ResetCommand is the setting whose program runs beside the configuration, and not in the working folder.
const ResetCommand = "explore.reset_command"

// files returns what the claims start.
func files(at Place, claims []config.Claim) (all []File, err error) {
	work, err := RealPath(at.Work)
	if err != nil {
		return nil, err
	}
	folder, err := RealPath(at.folder())
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		from := work
		if c.Key == ResetCommand {
			from = folder
		}
		some, err := started(from, c)
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all, nil
}

// RealPath returns the full path of a file or a folder, without symbolic links.
func RealPath(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return "", fmt.Errorf("find out where %s is: %w", path, err)
	}
	return whole, nil
}

// Command returns the words of what a claim starts; nil where it starts nothing.
func Command(c config.Claim) []string {
	if len(c.Starts) == 1 {
		if line, ok := strings.CutPrefix(c.Starts[0], "cmd:"); ok {
			words, err := secrets.Words(line)
			if err != nil {
				return nil // it can't be started either
			}
			return words
		}
	}
	return c.Starts
}

// Within reports whether a folder, or one above it, is one of some others. All are full paths without symbolic links.
func Within(folder string, others []string) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		_, inside := disk.Inside(other, folder)
		return inside
	})
}

// started returns the files that a claim starts: the program, and those of its arguments that are files, such as a
// script.
func started(work string, c config.Claim) ([]File, error) {
	var out []File
	for i, word := range Command(c) {
		path := word
		if i == 0 && filepath.Base(word) == word && c.Key != "browser.executable_path" {
			found, err := exec.LookPath(word)
			if err != nil {
				out = append(out, File{Path: word})
				continue
			}
			path = found
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(work, path)
		}
		f, err := digest(path)
		switch {
		case errors.Is(err, errNoFile) && i > 0:
			continue
		case errors.Is(err, errNoFile):
			f = File{Path: path}
		case err != nil:
			return nil, fmt.Errorf("read what %s of %s starts: %w", c.Key, c.Where, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// maxStarted bounds a file that is started, in bytes: a browser has some hundred megabytes.
const maxStarted = 1 << 30

// errNoFile says that there is no regular file at a path.
var errNoFile = errors.New("no regular file")

func digest(path string) (File, error) {
	whole, err := filepath.EvalSymlinks(path)
	if err != nil {
		return File{}, errNoFile
	}
	info, err := os.Stat(whole)
	if err != nil || !info.Mode().IsRegular() {
		return File{}, errNoFile
	}
	f, err := os.Open(whole)
	if err != nil {
		return File{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	if n, err := io.Copy(sum, io.LimitReader(f, maxStarted+1)); err != nil || n > maxStarted {
		return File{}, cmp.Or(err, fmt.Errorf("%s has more than %d GB", whole, maxStarted>>30))
	}
	return File{Path: whole, Sum: hex.EncodeToString(sum.Sum(nil))}, nil
}

// Relative returns the first of a person's own settings that starts a program by a relative path: it would lead into
// whichever folder the person works in.
func Relative(own []config.Claim) (c config.Claim, program string, found bool) {
	for _, c := range own {
		words := Command(c)
		if len(words) == 0 || filepath.IsAbs(words[0]) {
			continue
		}
		if filepath.Base(words[0]) != words[0] || c.Key == "browser.executable_path" {
			return c, words[0], true
		}
	}
	return c, "", false
}
