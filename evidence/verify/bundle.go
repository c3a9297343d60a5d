package verify

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/disk"
)

// maxUnpacked bounds what a bundle may hold, in bytes: a zip of a few megabytes
// can unpack to as many terabytes.
const maxUnpacked = 64 << 30

const otherBundle = "get the bundle again from who made it"

// Bundle verifies a zip that assay export has written. The error is for what is
// no zip; everything else is in the report.
func Bundle(ctx context.Context, path string, o Options) (Report, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Report{}, fmt.Errorf("%w: bundle: %w", ErrNoSubject, err)
	}
	if !info.Mode().IsRegular() {
		return Report{}, fmt.Errorf("%w: bundle %s: %s", ErrNoSubject, path, kind(info.Mode()))
	}
	file, err := os.Open(path)
	if err != nil {
		return Report{}, fmt.Errorf("%w: bundle: %w", ErrNoSubject, err)
	}
	defer file.Close()
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return Report{}, fmt.Errorf("%w: bundle %s: %w", ErrNoSubject, path, err)
	}
	v, err := newVerification("bundle "+path, o)
	if err != nil {
		return Report{}, err
	}
	if err := v.verifyZip(ctx, z, io.NewSectionReader(file, 0, info.Size()), filepath.Base(path)); err != nil {
		return Report{}, err
	}
	v.report.conclude()
	return *v.report, nil
}

// verifyZip verifies what is in the zip.
func (v *verification) verifyZip(ctx context.Context, z *zip.Reader, bytes *io.SectionReader, name string) error {
	all, ok := unpack(v.findings, z, name)
	if !ok {
		return nil
	}
	if err := checkZipBytes(ctx, z, bytes); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		v.fault("bundle-altered", name, otherBundle, "the zip is not as it was written, whatever is in it: %v", err)
	}
	checkSums(ctx, v.findings, all)
	keys, err := all.read(ctx, attest.BundleKeys)
	v.ring.addNamed(v.findings, keys, err)
	run := runFiles{regular: map[string]bool{}, odd: map[string]string{}, open: func(name string) (io.ReadCloser, error) { return all.open(attest.BundleRun + name) }}
	for _, name := range all.names() {
		if inside, ok := strings.CutPrefix(name, attest.BundleRun); ok {
			run.regular[inside] = true
		}
	}
	v.run = subjectRun(ctx, run)
	v.packed = readProofs(ctx, v.findings, v.ring, all)
	v.prefix = attest.BundleRun
	if err := v.verifyRun(ctx, run); err != nil {
		return err
	}
	v.prefix = ""
	checkReadme(ctx, v.findings, all)
	if v.options.Checkpoint != nil {
		v.packed.checkPin(v.findings, v.ring, v.options.Checkpoint)
	}
	return ctx.Err()
}

// unpack lists the files of a zip. What could lead out of a folder, or mean two
// things, is refused.
func unpack(found *findings, z *zip.Reader, bundle string) (runFiles, bool) {
	byName := map[string]*zip.File{}
	f := runFiles{regular: map[string]bool{}, odd: map[string]string{}, open: func(name string) (io.ReadCloser, error) {
		file, ok := byName[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return file.Open()
	}}
	left := uint64(maxUnpacked)
	for _, file := range z.File {
		_, twice := byName[file.Name]
		switch {
		case twice || !fs.ValidPath(file.Name) || strings.ContainsAny(file.Name, "\\:\x00") || !file.Mode().IsRegular():
			found.fault("bundle-altered", file.Name, otherBundle, "the zip has a file that it has twice, that leads elsewhere, or that is no file")
			continue
		case file.UncompressedSize64 > left || len(byName) >= maxFiles:
			found.fault("bundle-altered", bundle, otherBundle, "the zip unpacks to more than %d bytes or %d files: nothing in it was looked at", int64(maxUnpacked), maxFiles)
			return f, false
		}
		left -= file.UncompressedSize64
		byName[file.Name], f.regular[file.Name] = file, true
		if !strings.HasPrefix(file.Name, attest.BundleRun) && !slices.Contains(bundleFiles(), file.Name) {
			found.fault("file-unknown", file.Name, otherBundle, "the bundle has a file that assay export does not write")
		}
	}
	return f, true
}

func bundleFiles() []string {
	return []string{attest.BundleReadme, attest.BundleSums, attest.BundleCheckpoint, attest.BundleKeys, attest.BundleEntries, attest.BundleProofs}
}

// checkZipBytes writes the zip anew from its own directory, and fails unless that
// gives the same bytes: two readers of a zip can see different files in it
// otherwise. What is packed is not packed again.
func checkZipBytes(ctx context.Context, z *zip.Reader, bytes io.Reader) error {
	for _, f := range z.File {
		first := z.File[0]
		if f.Comment != "" || f.ExternalAttrs != 0 || f.Method != zip.Deflate ||
			f.CreatorVersion != first.CreatorVersion || f.ReaderVersion != first.ReaderVersion || !slices.Equal(f.Extra, first.Extra) {
			return fmt.Errorf("%q: its header has what no bundle has", f.Name)
		}
		if f.UncompressedSize64 >= math.MaxUint32 || f.CompressedSize64 >= math.MaxUint32 {
			return nil // headers of large files have two forms
		}
	}
	same := &comparison{with: disk.Reader(ctx, bytes)}
	again := zip.NewWriter(same)
	for _, f := range z.File {
		raw, err := f.OpenRaw()
		if err != nil {
			return err
		}
		header := f.FileHeader
		to, err := again.CreateRaw(&header)
		if err == nil {
			_, err = io.Copy(to, raw)
		}
		if err != nil {
			return err
		}
	}
	if err := again.SetComment(z.Comment); err != nil || z.Comment != "" {
		return errors.New("it has a comment")
	}
	if err := again.Close(); err != nil {
		return err
	}
	if n, _ := same.with.Read(make([]byte, 1)); n > 0 {
		return errors.New("it goes on after its end")
	}
	return nil
}

// checkReadme compares the outcome in README.md with the report: README.md
// is not signed, and it is what a person reads first.
func checkReadme(ctx context.Context, found *findings, all runFiles) {
	text, err := all.read(ctx, attest.BundleReadme)
	if err != nil || found.report.Status == "" {
		return // SHA256SUMS or the report has a finding for it
	}
	expected := strconv.Quote(found.report.Status)
	for i, line := range strings.Split(string(text), "\n") {
		stated, ok := strings.CutPrefix(line, "    Result   ")
		if result, _, _ := strings.Cut(stated, ":"); ok && result != expected {
			found.add(Finding{Code: "view-wrong", Severity: Fault, File: attest.BundleReadme, Line: i +
				1, Expected: expected, Found: result, Problem: "the report has another outcome", Next: otherBundle})
		}
	}
}

// comparison implements a writer that fails at the first byte that differs.
type comparison struct {
	with io.Reader
	at   int64
}

func (c *comparison) Write(data []byte) (int, error) {
	want := make([]byte, len(data))
	n, err := io.ReadFull(c.with, want)
	for i := range n {
		if want[i] != data[i] {
			return i, fmt.Errorf("byte %d is not as it was written", c.at+int64(i))
		}
	}
	c.at += int64(n)
	if err != nil {
		return n, fmt.Errorf("byte %d is missing", c.at)
	}
	return n, nil
}

// checkSums checks SHA256SUMS. It proves nothing, as whoever changes a file can
// change it too; but it is what a person without this program goes by.
func checkSums(ctx context.Context, found *findings, all runFiles) {
	text, err := all.read(ctx, attest.BundleSums)
	if err != nil {
		found.unreadable(attest.BundleSums, err)
		return
	}
	listed := map[string]bool{attest.BundleSums: true}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		digest, name, ok := strings.Cut(line, "  ")
		got, _, err := all.sum(ctx, name)
		if !ok || listed[name] || err != nil || got != digest {
			found.add(Finding{Code: "sums-wrong", Severity: Fault, File: attest.BundleSums, Line: i + 1, Expected: digest, Found: cmp.Or(got, "nothing"),
				Problem: fmt.Sprintf("the list of digests does not fit the file %q", name), Next: otherBundle})
		}
		listed[name] = true
	}
	for _, name := range all.names() {
		if !listed[name] {
			found.fault("sums-wrong", attest.BundleSums, otherBundle, "the list of digests leaves out %q", name)
		}
	}
	if !strings.HasSuffix(string(text), "\n") {
		found.fault("sums-wrong", attest.BundleSums, otherBundle, "the list of digests is cut")
	}
}
