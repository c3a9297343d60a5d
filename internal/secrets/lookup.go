package secrets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/disk"
)

// Bounds of a look-up.
const (
	maxValue     = 64 << 10 // bytes
	commandLimit = 10 * time.Second
	pipeLimit    = time.Second // for a program's children to let go of its output
)

// resolve finds the value that a reference leads to.
func (v *Vault) resolve(ctx context.Context, reference string) (string, *Error) {
	kind, rest, _ := strings.Cut(reference, ":")
	rest = strings.TrimSpace(rest)
	switch kind {
	case "env":
		if value := v.getenv(rest); value != "" {
			return value, nil
		}
		return "", failure("set it where assay is started, or in the client's configuration", "environment variable %s is not set", rest)
	case "file":
		return readFile(rest)
	case "cmd":
		return runCommand(ctx, rest, v.Environ)
	default:
		return "", failure(`write "env:VAR", "file:path" or "cmd:program args" in [secrets]`, "its reference is of no known kind")
	}
}

// readFile reads a value from a file, without the line end that editors add.
func readFile(path string) (string, *Error) {
	const hint = "make it a readable text file that holds the value alone"
	data, err := disk.ReadPath(path, maxValue+1)
	if errors.Is(err, disk.ErrTooLarge) {
		return "", failure(hint, "file %s: it is longer than %d KB", path, maxValue>>10)
	}
	if err != nil {
		return "", failure(hint, "file %s: %s", path, withoutPath(err))
	}
	return trimmed(data), nil
}

// withoutPath returns an error of the file system without the path, which the caller adds.
func withoutPath(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// runCommand takes a value from a program's output. It doesn't repeat the
// program's stderr, which may hold the value.
func runCommand(ctx context.Context, line string, environ []string) (string, *Error) {
	words, err := Words(line)
	if err != nil {
		return "", failure("fix the quotes in [secrets]", "its command: %v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	const hint = "run the command by hand to see what it says"
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env, cmd.WaitDelay = environ, pipeLimit
	out := &limitedWriter{limit: maxValue, full: cancel}
	cmd.Stdout = out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case out.over:
		return "", failure(hint, "command %s wrote more than %d KB", words[0], maxValue>>10)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", failure(hint, "command %s did not end within %s", words[0], commandLimit)
	case errors.As(err, &exit):
		return "", failure(hint, "command %s ended with %s", words[0], exit.ProcessState)
	case errors.Is(err, exec.ErrNotFound):
		return "", failure("install it, or give its full path", "command %s was not found", words[0])
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", failure(hint, "command %s: %s", words[0], withoutPath(err))
	}
	return trimmed(out.data.Bytes()), nil
}

// limitedWriter keeps the first limit bytes, and calls full when there are more.
type limitedWriter struct {
	data  bytes.Buffer
	limit int
	full  func()
	over  bool
}

func (b *limitedWriter) Write(p []byte) (int, error) {
	if b.data.Len()+len(p) > b.limit {
		b.over = true
		b.full()
		return 0, io.ErrShortWrite
	}
	return b.data.Write(p)
}

// trimmed drops one line end.
func trimmed(data []byte) string {
	data = bytes.TrimSuffix(data, []byte{'\n'})
	return string(bytes.TrimSuffix(data, []byte{'\r'}))
}

// Words splits a command line as a POSIX shell does, with quotes and
// backslashes, and expands nothing.
func Words(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	started, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, started = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteRune(r)
			started = true
		}
	}
	switch {
	case quote != 0:
		return nil, errors.New("a quote is not closed")
	case escaped:
		return nil, errors.New("it ends with a backslash")
	}
	if started {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no program is named")
	}
	return words, nil
}

// State says whether a secret's source is there, without its value.
type State struct {
	Name    string
	Found   bool
	Problem string // why it isn't
	Hint    string // what to do then
}

// Check looks for the source of every secret. It reads values of variables and
// files, and forgets them; of a command it only looks for the program, because
// running it may ask a person.
func (v *Vault) Check(ctx context.Context) []State {
	var out []State
	for _, name := range v.Names() {
		state := State{Name: name, Found: true}
		if problem := v.check(ctx, v.references[name]); problem != nil {
			state = State{Name: name, Problem: problem.Problem, Hint: problem.hint}
		}
		out = append(out, state)
	}
	return out
}

// Source returns why the value of a configured secret can't be had, as an [*Error], or nil. It looks as
// [Vault.Check] does.
func (v *Vault) Source(ctx context.Context, name string) error {
	problem := v.check(ctx, v.references[name])
	if problem == nil {
		return nil
	}
	return &Error{Name: name, Problem: problem.Problem, hint: problem.hint}
}

func (v *Vault) check(ctx context.Context, reference string) *Error {
	line, isCommand := strings.CutPrefix(reference, "cmd:")
	if !isCommand {
		value, problem := v.resolve(ctx, reference)
		if problem == nil {
			problem = maskable(value)
		}
		return problem
	}
	words, err := Words(line)
	if err != nil {
		return failure("fix the quotes in [secrets]", "its command: %v", err)
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return failure("install it, or give its full path", "command %s was not found", words[0])
	}
	return nil
}
