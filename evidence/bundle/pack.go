package bundle

import (
	"archive/zip"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/disk"
)

// pack collects the contents of one bundle.
type pack struct {
	run  string
	root *os.Root // the run's folder
	runRecord
	logProofs
	left []string
}

// omit names what is not packed.
func (p *pack) omit(name, format string, args ...any) {
	p.left = append(p.left, fmt.Sprintf("%q: %s", name, fmt.Sprintf(format, args...)))
}

// write fills the zip: the run, the log, and what tells of both.
func (p *pack) write(ctx context.Context, file *os.File) (Bundle, error) {
	to := &destination{file: file, sum: sha256.New()}
	z := newArchive(ctx, to, p.finished)
	for _, name := range p.files() {
		if err := p.copy(z, name); err != nil {
			return Bundle{}, err
		}
	}
	documents, err := p.logFiles()
	if err != nil {
		return Bundle{}, err
	}
	for _, d := range documents {
		if err := z.add(d.name, strings.NewReader(d.text)); err != nil {
			return Bundle{}, err
		}
	}
	readme, err := p.readme()
	if err != nil {
		return Bundle{}, err
	}
	if err := z.add(attest.BundleReadme, strings.NewReader(readme)); err != nil {
		return Bundle{}, err
	}
	if err := z.add(attest.BundleSums, strings.NewReader(z.sums.String())); err != nil {
		return Bundle{}, err
	}
	if err := z.zip.Close(); err != nil {
		return Bundle{}, err
	}
	return Bundle{Files: z.files, Bytes: to.size, SHA256: hex.EncodeToString(to.sum.Sum(nil)), Left: p.left}, nil
}

// files returns the names of the run's files that are packed, sorted: what the run
// stored. Anything else is unsigned and of unknown origin.
func (p *pack) files() []string {
	var names []string
	seen := map[string]bool{}
	_ = fs.WalkDir(p.root.FS(), ".", func(name string, d fs.DirEntry, err error) error { // which returns no error but SkipDir
		switch {
		case err != nil:
			p.omit(attest.BundleRun+name, "can't be read: %v", err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
		case !d.Type().IsRegular():
			p.omit(attest.BundleRun+name, "is no regular file (%s), and is not followed", d.Type())
		case !p.listed[name]:
			p.omit(attest.BundleRun+name, "is not in the run's list of its files: somebody has put it there since")
		case !isPortable(name):
			p.omit(attest.BundleRun+name, "has a name that not every system can unpack")
		default:
			names = append(names, name)
		}
		seen[name] = true
		return nil
	})
	for name := range p.listed {
		if !seen[name] {
			p.omit(attest.BundleRun+name, "is in the run's list of its files, and is missing")
		}
	}
	slices.Sort(names)
	slices.Sort(p.left)
	return names
}

// isPortable reports whether a name means the same file to every unpacker.
func isPortable(name string) bool {
	return fs.ValidPath(name) && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == ':' })
}

// copy packs one file of the run, as long as it was when it was looked at.
func (p *pack) copy(z *archive, name string) error {
	file, err := p.root.Open(name)
	if err != nil {
		p.omit(attest.BundleRun+name, "can't be read: %v", err)
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return z.add(attest.BundleRun+name, io.LimitReader(file, info.Size()))
}

// destination writes the zip's file, and says what is in it.
type destination struct {
	file *os.File
	sum  hash.Hash
	size int64
}

func (d *destination) Write(data []byte) (int, error) {
	n, err := d.file.Write(data)
	_, _ = d.sum.Write(data[:n]) // never fails
	d.size += int64(n)
	return n, explainTarget(err)
}

// archive writes a zip whose bytes depend only on what is added.
type archive struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one Write
	zip   *zip.Writer
	at    time.Time // of every file
	files int
	sums  strings.Builder // as sha256sum -c reads them
}

func newArchive(ctx context.Context, w io.Writer, at time.Time) *archive {
	z := zip.NewWriter(w)
	// Most bytes are pictures and traces, which are packed already.
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	return &archive{ctx: ctx, zip: z, at: at}
}

func (a *archive) add(name string, from io.Reader) error {
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), disk.Reader(a.ctx, from)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a.files++
	fmt.Fprintf(&a.sums, "%x  %s\n", sum.Sum(nil), name)
	return nil
}
