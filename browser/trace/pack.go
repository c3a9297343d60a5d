package trace

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds on a packed trace.
const (
	maxBytes    = 200 << 20 // bytes of the zip
	maxLine     = 64 << 20  // of one event: the DOM of a page
	maxResource = 32 << 20  // of one text that must be looked through whole
	sniffed     = 256       // bytes by which a text is known
)

// ErrTooLarge reports that a trace was given up because of its size.
var ErrTooLarge = fmt.Errorf("the trace is larger than %d MB", maxBytes>>20)

// Part describes the trace of one browser context, as the driver wrote it.
type Part struct {
	folder *Folder
	name   string // of its files there
	Groups []Group
	frames []string // pictures of the page, which are this part's own
}

// MaskFile hides secrets in a document of a media type, which it stays.
type MaskFile func(mime string, data []byte) []byte

// Pack writes the part as a zip that Playwright's trace viewer opens. Secrets,
// passwords, cookies and other credentials are taken out of every entry. It
// fails with [ErrTraceTooLarge] when the zip becomes too large. It reads and
// writes piece by piece. What was left out stands in notes.txt, if anything was.
func (p *Part) Pack(w io.Writer, mask MaskFile) error {
	root, err := os.OpenRoot(p.folder.Dir)
	if err != nil {
		return fmt.Errorf("read the trace: %w", err)
	}
	defer root.Close()
	k := &packer{root: root, mask: mask, out: zip.NewWriter(&capped{w: w, left: maxBytes}),
		scrub: newScrubber(mask, p.folder.engine, p.Groups)}
	k.out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	err = k.pack(p.name)
	p.frames = k.scrub.frames
	if err != nil {
		return fmt.Errorf("pack the trace: %w", err)
	}
	return nil
}

// packer writes one zip.
type packer struct {
	root  *os.Root
	mask  MaskFile
	out   *zip.Writer
	scrub *scrubber
	notes []string
}

func (k *packer) pack(name string) error {
	if err := k.lines(name+".trace", k.scrub.survey); err != nil {
		return err
	}
	if k.scrub.line == 0 {
		return errHeadless
	}
	k.scrub.arrange()
	if err := k.entry("trace.trace", name+".trace", k.scrub.event); err != nil {
		return err
	}
	if err := k.entry("trace.network", name+".network", k.scrub.exchange); err != nil {
		return err
	}
	names := make([]string, 0, len(k.scrub.resources))
	for name := range k.scrub.resources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := k.resource(name, k.scrub.resources[name]); err != nil {
			return err
		}
	}
	if notes := append(k.scrub.notes(), k.notes...); len(notes) > 0 {
		w, err := k.create("notes.txt", zip.Deflate)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, strings.Join(notes, "\n")+"\n"); err != nil {
			return err
		}
	}
	return k.out.Close()
}

// lines reads a file line by line. A last line that was not finished, because
// its writer died, is left out.
func (k *packer) lines(name string, line func([]byte) error) error {
	file, err := k.root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 256<<10)
	var whole []byte
	for {
		piece, err := in.ReadSlice('\n')
		if len(whole)+len(piece) > maxLine {
			return fmt.Errorf("%w: one event of it has more than %d MB", ErrTooLarge, maxLine>>20)
		}
		whole = append(whole, piece...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := line(whole[:len(whole)-1]); err != nil {
			return err
		}
		whole = whole[:0]
	}
}

// entry writes a file of events, each as rewrite leaves it.
func (k *packer) entry(name, from string, rewrite func([]byte) ([]byte, error)) error {
	w, err := k.create(name, zip.Deflate)
	if err != nil {
		return err
	}
	return k.lines(from, func(line []byte) error {
		out, err := rewrite(line)
		if err != nil || len(out) == 0 {
			return err
		}
		_, err = w.Write(append(out, '\n'))
		return err
	})
}

// create begins an entry. They all have the same time: the same trace makes the
// same zip.
func (k *packer) create(name string, method uint16) (io.Writer, error) {
	return k.out.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: time.Unix(0, 0).UTC()})
}

// resource copies a picture, and masks a text.
func (k *packer) resource(name string, kind resourceKind) error {
	file, err := k.root.Open("resources/" + name)
	if errors.Is(err, os.ErrNotExist) {
		return nil // its browser died before it was written
	}
	if err != nil {
		return err
	}
	defer file.Close()
	entry := "resources/" + string(k.mask("text/plain", []byte(name))) // as the events call it now
	in := bufio.NewReader(file)
	if head, _ := in.Peek(sniffed); kind == picture && !utf8.Valid(head) { // and no text that calls itself one
		w, err := k.create(entry, zip.Store)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return err
	}
	data, err := io.ReadAll(io.LimitReader(in, maxResource+1))
	if err != nil {
		return err
	}
	if len(data) > maxResource {
		k.notes = append(k.notes, fmt.Sprintf("a body of more than %d MB is left out", maxResource>>20))
		return nil
	}
	w, err := k.create(entry, zip.Deflate)
	if err != nil {
		return err
	}
	_, err = w.Write(k.scrub.body(data, kind))
	return err
}

// capped gives up when more is written than it has left.
type capped struct {
	w    io.Writer
	left int64
}

func (c *capped) Write(b []byte) (int, error) {
	if c.left -= int64(len(b)); c.left < 0 {
		return 0, ErrTooLarge
	}
	return c.w.Write(b)
}
