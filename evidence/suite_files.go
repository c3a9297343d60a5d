package evidence

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
)

// WriteSuite writes the documents of a suite (index.html, summary.md, …) into
// a folder, which is made if need be. Each is replaced as a whole, so
// that whoever reads it while the suite runs sees the old one or the new one,
// whole. Secrets are masked. A name has no folder.
func (s *Store) WriteSuite(dir string, files map[string][]byte) (err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("write the suite's reports to %s: %w", dir, err)
	}
	if err := os.MkdirAll(abs, dirPerm); err != nil {
		return fmt.Errorf("write the suite's reports: %w", disk.Explain(err))
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return fmt.Errorf("write the suite's reports: %w", disk.Explain(err))
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !fs.ValidPath(name) || path.Base(name) != name || name == "." || strings.ContainsAny(name, "\\:\x00") {
			return fmt.Errorf("write the suite's reports: %q is no file name", name)
		}
		data := s.masked(suiteFileType(name), files[name])
		if err := disk.WriteUnsynced(root, name, data); err != nil {
			return fmt.Errorf("write the suite's reports to %s: %w", abs, err)
		}
	}
	return nil
}

// suiteFileType returns the media type by which a document is masked. What we don't
// know is text: nothing else is written here.
func suiteFileType(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".jpg":
		return "image/jpeg"
	}
	return "text/plain"
}
