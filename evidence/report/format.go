package report

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// maxEmbedded bounds the pictures that go into one HTML page.
const maxEmbedded = 20 << 20

// formats returns the views by the names that a person has for them.
func formats(f Files, found *Verification) map[string]View {
	return map[string]View{"junit": JUnit, "junit-rich": RichJUnit, "ctrf": CTRF, "json": JSON, "qareport": Strict,
		"md": func(r qa.QAReport) ([]byte, error) { return VerifiedMarkdown(r, found), nil },
		"html": func(r qa.QAReport) ([]byte, error) {
			return HTML(r, Options{ArtifactURL: f.address(r), Verified: found})
		},
	}
}

// Format returns the format that is asked for, by name or by the ending of the file
// that is written.
func Format(format, out string) (string, error) {
	known := slices.Sorted(maps.Keys(formats(Files{}, nil)))
	if format == "" {
		format = "md"
		if out != "" {
			format = map[string]string{".html": "html", ".htm": "html", ".md": "md", ".xml": "junit", ".json": "json"}[strings.ToLower(filepath.Ext(out))]
		}
		if format == "" {
			return "", fmt.Errorf("--output %s: its ending tells no format; add --format %s", out, strings.Join(known, "|"))
		}
	}
	if !slices.Contains(known, format) {
		return "", fmt.Errorf("--format %q: use one of %s%s", format, strings.Join(known, ", "), texts.Hint(format, known))
	}
	return format, nil
}

// InFormat returns the view of a format, with what a verification has found.
func InFormat(format string, f Files, found *Verification) View { return formats(f, found)[format] }

// Files says where the files of a run are, for a page that may leave the run's
// folder.
type Files struct {
	Read   func(name string) ([]byte, error)
	Folder string // of the run
	Page   string // the file that is written; empty: it is printed, and has no folder
}

// address returns the addresses of a page's files: its pictures are in it. Where
// they are too many they are referred to, as other files are, by paths from the
// page's own folder.
func (f Files) address(r qa.QAReport) func(name string) string {
	size := int64(0)
	pictures := map[string]qa.Artifact{}
	for _, a := range r.Artifacts {
		if a.MIMEType == "image/png" || a.MIMEType == "image/jpeg" {
			size += a.Size
			pictures[a.Name] = a
		}
	}
	return func(name string) string {
		if a, ok := pictures[name]; ok && size <= maxEmbedded {
			if data, err := f.Read(name); err == nil { // it was read a moment ago: else it is referred to
				return "data:" + a.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(data)
			}
		}
		if f.Page == "" {
			return ""
		}
		return relativeURL(f.Page, filepath.Join(f.Folder, filepath.FromSlash(name)))
	}
}

// relativeURL leads from a page to a file, or is "" where no path does.
func relativeURL(page, file string) string {
	abs, err := filepath.Abs(page)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(abs), file)
	if err != nil {
		return ""
	}
	return (&url.URL{Path: filepath.ToSlash(rel)}).String()
}
