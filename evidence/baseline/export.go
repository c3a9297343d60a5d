package baseline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

const (
	recordFile   = "baseline.json"
	exportFormat = 1
)

// exported describes baseline.json: a version, and where its bytes lie beside it.
type exported struct {
	Format  int         `json:"format"`
	Version Version     `json:"baseline"`
	Files   []fileEntry `json:"files"` // sorted
}

// fileEntry describes one file beside baseline.json.
type fileEntry struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // of the bytes in the store; JSON is indented in the file
}

// Export writes versions in force, by name or all of them, as PNG and JSON to a
// folder that fits in git, and returns what it wrote. Each has a folder of its
// own: its name, then its environment. The same versions give the same bytes.
// What is in dir beside them stays.
func (s *Store) Export(ctx context.Context, dir string, names []string) ([]Version, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, fmt.Errorf("export baselines: %w", err)
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(v Version) bool { return v.Name == name && v.inForce() }) {
			return nil, fmt.Errorf("export baselines: %w", all.unknownName(name))
		}
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(v Version) bool {
		return !v.inForce() || len(names) > 0 && !slices.Contains(names, v.Name)
	})
	if len(chosen) == 0 {
		return nil, nil
	}
	if err := os.MkdirAll(dir, disk.DirPerm); err != nil {
		return nil, fmt.Errorf("export baselines: %w", disk.Explain(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("export baselines to %s: %w", dir, disk.Explain(err))
	}
	defer root.Close()
	for _, v := range chosen {
		if err := s.export(root, v); err != nil {
			return nil, fmt.Errorf("export baseline %q to %s: %w", v.Name, dir, err)
		}
	}
	return chosen, nil
}

// export writes one version: its files first, then the record that names them,
// then it removes those that only the record before named.
func (s *Store) export(root *os.Root, v Version) error {
	folder := path.Join(nameFolder(v.Name), environmentFolder(v))
	v.Replaces, v.Imported, v.Diffs = "", "", nil // of this store, not of the baseline
	doc := exported{Format: exportFormat, Version: v}
	for file, digest := range filesOf(v) {
		data, err := s.blobs.Get(digest)
		if err != nil {
			return err
		}
		if err := writeChanged(root, path.Join(folder, file), indented(data)); err != nil {
			return err
		}
		doc.Files = append(doc.Files, fileEntry{File: file, SHA256: digest})
	}
	sort.Slice(doc.Files, func(i, j int) bool { return doc.Files[i].File < doc.Files[j].File })
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a selector with > in it should read as one
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return err
	}
	record := path.Join(folder, recordFile)
	before, err := disk.Read(root, record, maxRecord)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, disk.ErrNotRegular) {
		return fmt.Errorf("read %s: %w", record, disk.Explain(err))
	}
	if err := writeChanged(root, record, text.Bytes()); err != nil {
		return err
	}
	return removeOld(root, folder, before, doc)
}

// removeOld removes the files that the record before named and this one does not.
func removeOld(root *os.Root, folder string, before []byte, now exported) error {
	var old exported
	_ = json.Unmarshal(before, &old) // where there was none, or none of ours, nothing is out of date
	for _, f := range old.Files {
		if !plainFile(f.File) || slices.ContainsFunc(now.Files, func(n fileEntry) bool { return n.File == f.File }) {
			continue
		}
		if err := root.Remove(path.Join(folder, f.File)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s, which is out of date: %w", f.File, disk.Explain(err))
		}
	}
	return nil
}

// writeChanged leaves a file alone that has these bytes already.
func writeChanged(root *os.Root, name string, data []byte) error {
	if there, err := disk.Read(root, name, ledger.MaxBlob); err == nil && bytes.Equal(there, data) {
		return nil
	}
	return disk.Write(root, name, data)
}

// filesOf names the files of a version. What a difference looked like is not of
// the baseline.
func filesOf(v Version) map[string]string {
	files := map[string]string{}
	for _, p := range v.Pictures {
		base := "page"
		if p.Part != "" {
			base = "element-" + slug(p.Part)
		}
		files[base+".png"] = p.SHA256
		if p.Layout != "" {
			files[base+".layout.json"] = p.Layout
		}
	}
	return files
}

// indented indents JSON if the bytes that were stored can be recovered from it.
func indented(data []byte) []byte {
	var compact, indented bytes.Buffer
	if json.Compact(&compact, data) != nil || !bytes.Equal(compact.Bytes(), data) || json.Indent(&indented, data, "", "  ") != nil {
		return data
	}
	indented.WriteByte('\n')
	return indented.Bytes()
}

// nameFolder returns the folder of a name. It differs for names that differ, also
// where a file system takes upper and lower case for the same.
func nameFolder(name string) string {
	if folderName.MatchString(name) && len(name) <= 40 && !reservedName(name) {
		return name
	}
	return slug(name)
}

var (
	folderName = pattern.New(`^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$`)
	reserved   = pattern.New(`^(?:con|prn|aux|nul|com\d|lpt\d)$|-[0-9a-f]{12}$`)
	unsafe     = pattern.New(`[^a-z0-9]+`)
	fileName   = pattern.New(`^(?:page|element-[a-z0-9-]{1,60})(?:\.png|\.layout\.json)$`)
)

// reservedName reports names that Windows has devices for, and those that look
// like a slug.
func reservedName(name string) bool {
	return reserved.MatchString(name)
}

func environmentFolder(v Version) string {
	e := v.Environment
	readable := fmt.Sprintf("%s-%s-%gx-%s-%s", e.Browser, strings.ReplaceAll(e.Viewport, "×", "x"), e.Scale, e.Locale, e.OS)
	return slugged(readable, fmt.Sprintf("%q %q %q", environmentLine(e), e.Version, e.Fonts))
}

func slug(text string) string { return slugged(text, text) }

// slugged returns the part of text that any file system takes, and a digest that
// distinguishes it from others.
func slugged(text, identity string) string {
	safe := unsafe.ReplaceAllString(strings.ToLower(text), "-")
	safe = strings.Trim(safe[:min(len(safe), 40)], "-")
	return strings.TrimPrefix(safe+"-"+ledger.BlobDigest([]byte(identity))[:12], "-")
}

// plainFile reports a name of a file beside baseline.json.
func plainFile(name string) bool {
	return fileName.MatchString(name)
}
