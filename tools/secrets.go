package tools

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/nearest"
)

// Secrets finds the values of [secrets] and keeps those that were used out of
// every text.
type Secrets interface {
	// Names lists the names that Reveal knows.
	Names() []string
	// Reveal returns a value, which is masked from then on. An error may say
	// what to do in a Hint() string.
	Reveal(ctx context.Context, name string) (string, error)
	// Hide masks values from now on that no name leads to, such as those of a
	// sign-in.
	Hide(values []string)
	// Mask hides values in a text.
	Mask(text string) string
	// MaskFile hides values in a document of a media type, which it stays.
	MaskFile(mime string, data []byte) []byte
	// MaskData hides values in JSON that a page made, keys and numbers included.
	MaskData(data []byte) []byte
}

// reference is a secret in a text that is typed.
var reference = regexp.MustCompile(`\$\{secret:([^}]*)\}`)

const referenceStart = "${secret:"

func isReference(text string) bool { return reference.FindString(text) == text }

// anywhere lets every input of a tool hold ${secret:NAME}: what is only filed
// may quote a masked text, and nothing of it reaches a page.
func anywhere() []string { return []string{"*"} }

// covers reports whether an input that may hold secrets is that one; a * at its
// end stands for anything.
func covers(allowed, path string) bool {
	start, open := strings.CutSuffix(allowed, "*")
	return allowed == path || open && strings.HasPrefix(path, start)
}

// inLine reports whether an input is a selector made of snapshot lines in which
// ${secret:NAME} stands within the quotes: a line shows it so, and finds its
// element again without the value.
func inLine(path, value string) bool {
	name := strings.TrimSuffix(path[strings.LastIndex(path, ".")+1:], "[]")
	return (name == "selector" || name == "selectors" || name == "root") && linesAlone.MatchString(value)
}

var linesAlone = regexp.MustCompile(`^[a-z]+(?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])?(?: > [a-z]+(?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])?)*$`)

// refuseSecrets refuses secrets in all inputs but those allowed: typing into a
// field is the only use of one that doesn't show it. Elements of lists are
// spelt steps[].value.
func refuseSecrets(v any, path string, allowed []string) error {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, referenceStart) && !inLine(path, v) && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, path) }) {
			return engine.InvalidInput("type it into a field: page_fill takes ${secret:NAME} as its value, and no other input does",
				"argument %q holds a secret", path)
		}
	case []any:
		for _, item := range v {
			if err := refuseSecrets(item, path+"[]", allowed); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			inner := strings.TrimPrefix(path+"."+name, ".")
			if err := refuseSecrets(name, inner, allowed); err != nil {
				return err
			}
			if err := refuseSecrets(v[name], inner, allowed); err != nil {
				return err
			}
		}
	}
	return nil
}

// reveal puts values in place of the secrets in a text that is about to be
// typed. secret tells that there was one.
func (d *Desk) reveal(ctx context.Context, text string) (out string, secret bool, err error) {
	if !strings.Contains(text, referenceStart) {
		return text, false, nil
	}
	if d.Secrets == nil || len(d.Secrets.Names()) == 0 {
		return "", false, engine.InvalidInput(`name it there, in mcp.toml: NAME = "env:VAR", "file:path" or "cmd:program args"`, "no [secrets] configured")
	}
	out = reference.ReplaceAllStringFunc(text, func(found string) string {
		if err != nil {
			return ""
		}
		var value string
		value, err = d.revealOne(ctx, reference.FindStringSubmatch(found)[1])
		return value
	})
	if err == nil && strings.Count(text, referenceStart) != len(reference.FindAllString(text, -1)) {
		err = engine.InvalidInput("write ${secret:NAME}", "value: a secret's brace is not closed")
	}
	if err != nil {
		return "", false, err
	}
	return out, true, nil
}

func (d *Desk) revealOne(ctx context.Context, name string) (string, error) {
	names := d.Secrets.Names()
	if !slices.Contains(names, name) {
		return "", engine.InvalidInput("known: "+strings.Join(names, ", "), "no secret %s%s", strconv.Quote(name), nearest.Hint(name, names))
	}
	value, err := d.Secrets.Reveal(ctx, name)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return "", engine.InvalidInput(hinted.Hint(), "%v", err)
	}
	return value, err
}

// mask hides secrets in a text.
func (d *Desk) mask(text string) string {
	if d.Secrets == nil {
		return text
	}
	return d.Secrets.Mask(text)
}

// maskFile hides secrets in a document of a media type.
func (d *Desk) maskFile(mime string, data []byte) []byte {
	if d.Secrets == nil {
		return data
	}
	return d.Secrets.MaskFile(mime, data)
}

// masked hides in what is read what was no secret yet when it was stored.
func (d *Desk) masked(read readFunc) readFunc {
	return func(ctx context.Context, uri string) ([]byte, string, error) {
		data, mime, err := read(ctx, uri)
		return d.maskFile(mime, data), mime, err
	}
}

// readFunc reads a resource.
type readFunc = func(ctx context.Context, uri string) (data []byte, mimeType string, err error)
