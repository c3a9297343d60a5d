package secrets

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// Bounds on what a Writer keeps back, in bytes.
const (
	maxLine = 1 << 20
	maxTail = 256 << 10 // of a longer line: the longest spelling of a value
)

// Writer masks what is written through it, line by line: a value whose halves
// come in two writes is whole again before it is looked for.
type Writer struct {
	vault *Vault
	mime  string

	mu   sync.Mutex
	out  io.Writer
	kept []byte // the beginning of a line
}

// Writer returns a writer that masks lines of a media type on their way to
// out; see [Vault.MaskFile]. A line that is longer than 1 MB is taken for text
// and written in parts.
func (v *Vault) Writer(out io.Writer, mime string) *Writer {
	return &Writer{vault: v, mime: mime, out: out}
}

// Write passes the whole lines on and keeps the rest until its end comes.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept = append(w.kept, p...)
	if err := w.pass(bytes.LastIndexByte(w.kept, '\n') + 1); err != nil {
		return 0, err
	}
	if len(w.kept) > maxLine {
		w.kept = w.vault.MaskFile("text/plain", w.kept)
		if err := w.pass(len(w.kept) - maxTail); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Close writes what is kept. It does not close the writer below.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pass(len(w.kept))
}

// pass writes the first n bytes that are kept, masked.
func (w *Writer) pass(n int) error {
	if n <= 0 {
		return nil
	}
	lines := w.vault.MaskFile(w.mime, w.kept[:n])
	_, err := w.out.Write(lines)
	w.kept = append(w.kept[:0:0], w.kept[n:]...)
	if err != nil {
		return errors.Join(errors.New("write a masked line"), err)
	}
	return nil
}
