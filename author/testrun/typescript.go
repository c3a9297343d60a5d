package testrun

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/driver"
)

// Plain is a test file without types.
type Plain struct {
	Text []byte // as long as the file, with spaces in place of types
	Err  error  // the file can't be read
}

// typeSpan is a part of a file in units of UTF-16: from, to, and whether it was a
// statement.
type typeSpan struct {
	from, to  int
	statement bool
}

func (s *typeSpan) UnmarshalJSON(text []byte) error {
	parts := []any{&s.from, &s.to, &s.statement}
	return json.Unmarshal(text, &parts)
}

// Bounds of what is parsed: a file of people's tests is smaller, and an answer comes in
// seconds.
const (
	maxTyped    = 512 << 10 // bytes of a file
	typesLimit  = 2 * time.Minute
	typesHeapMB = 1024
)

// WithoutTypes returns files as JavaScript, by the parser of the runner that runs them,
// or of the pinned one where theirs has none that is known. Files that have no types
// need no parser. A file of more than 512 KiB is not read. The error says that no parser
// answered, within two minutes at the latest.
func (s *Setup) WithoutTypes(ctx context.Context, names []string, texts [][]byte) ([]Plain, error) {
	modules := []string{s.Project.Modules}
	if s.pinned != nil {
		if pinned, err := s.pinned(); err == nil && pinned.Modules() != s.Project.Modules {
			modules = append(modules, pinned.Modules())
		}
	}
	type file struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	files := make([]file, len(texts))
	for i := range texts {
		if len(texts[i]) <= maxTyped {
			files[i] = file{names[i], string(texts[i])}
		}
	}
	asked, err := json.Marshal(files)
	if err != nil {
		return nil, err
	}
	program, err := scripts.ReadFile("js/typescript.cjs")
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(s.typesLimit, typesLimit)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s", limit))
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Project.Node, append([]string{fmt.Sprintf("--max-old-space-size=%d", typesHeapMB), "-e", string(program), "--"}, modules...)...)
	cmd.Dir, cmd.Env = s.temp, s.base.Environ
	cmd.Stdin = bytes.NewReader(asked)
	cmd.WaitDelay = 5 * time.Second
	driver.KillTogether(cmd)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("read the types of %d test files: %w", len(texts), context.Cause(ctx))
	}
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("read the types of test files: %w", err)
	}
	var told []struct {
		Spans []typeSpan
		Error string
	}
	if err := json.Unmarshal(out, &told); err != nil || len(told) != len(texts) {
		return nil, fmt.Errorf("read the types of test files: the parser said %.200q", out)
	}
	plain := make([]Plain, len(texts))
	for i, t := range told {
		if n := len(texts[i]); n > maxTyped {
			plain[i].Err = fmt.Errorf("the file has %d bytes, more than %d: split it", n, maxTyped)
			continue
		}
		if t.Error != "" {
			plain[i].Err = errors.New("the file does not parse: " + t.Error)
			continue
		}
		plain[i].Text = blank(texts[i], t.Spans)
	}
	return plain, nil
}

// blank puts spaces in place of parts of a text. A statement leaves a semicolon.
func blank(text []byte, spans []typeSpan) []byte {
	out := append([]byte(nil), text...)
	at, unit := 0, 0
	to := func(want int) int {
		for unit < want && at < len(text) {
			r, size := utf8.DecodeRune(text[at:])
			at += size
			if unit++; r >= 0x10000 {
				unit++
			}
		}
		return at
	}
	done := 0
	for _, s := range spans {
		if s.to <= done { // within the one before
			continue
		}
		from, end := to(max(s.from, done)), to(s.to)
		for i := from; i < end; i++ {
			out[i] = ' '
		}
		if s.statement {
			out[from] = ';'
		}
		done = s.to
	}
	return out
}
