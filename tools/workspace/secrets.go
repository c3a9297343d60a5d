package workspace

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
)

// Secrets finds the values of [secrets] and keeps those that were used out of
// every text.
type Secrets interface {
	// Names lists the names that Reveal accepts.
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

// reference matches a secret in a text that is typed, or the one-time code that it is the key of.
var reference = pattern.New(`\$\{(secret|totp):([^}]*)\}`)

// IsReference reports whether a text is a reference to a secret and nothing else.
func IsReference(text string) bool { return reference.FindString(text) == text }

// Anywhere lets every input of a tool hold ${secret:NAME}: what is only filed
// may quote a masked text, and nothing of it reaches a page.
func Anywhere() []string { return []string{"*"} }

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

var linesAlone = pattern.New(`^[a-z]+(?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])?(?: > [a-z]+(?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])?)*$`)

// RefuseSecrets refuses secrets in all inputs but those allowed: typing into a
// field is the only use of one that doesn't show it. Elements of lists are
// spelt steps[].value.
func RefuseSecrets(v any, path string, allowed []string) error {
	switch v := v.(type) {
	case string:
		if flow.HoldsSecret(v) && !inLine(path, v) && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, path) }) {
			return engine.InvalidInput("type it into a field: page_fill takes ${secret:NAME} as its value, and no other input does",
				"argument %q holds a secret", path)
		}
	case []any:
		for _, item := range v {
			if err := RefuseSecrets(item, path+"[]", allowed); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range schema.SortedKeys(v) {
			inner := strings.TrimPrefix(path+"."+name, ".")
			if err := RefuseSecrets(name, inner, allowed); err != nil {
				return err
			}
			if err := RefuseSecrets(v[name], inner, allowed); err != nil {
				return err
			}
		}
	}
	return nil
}

// Reveal puts values in place of the secrets in a text that is about to be
// typed. A secret that is bound to hosts binds what is typed to them.
func (ws *Workspace) Reveal(ctx context.Context, text string) (typed input.Typing, err error) {
	if !flow.HoldsSecret(text) {
		return input.Typing{Text: text}, nil
	}
	if len(ws.secretNames()) == 0 && len(ws.Untrusted.Secrets) == 0 {
		return typed, engine.InvalidInput(`name it there, in mcp.toml: NAME = "env:VAR", "file:path" or "cmd:program args"`, "no [secrets] configured")
	}
	typed.Secret = true
	typed.Text = reference.ReplaceAllStringFunc(text, func(found string) string {
		if err != nil {
			return ""
		}
		m := reference.FindStringSubmatch(found)
		name := m[2]
		if hosts, bound := ws.Untrusted.TypedOn[name]; bound {
			typed.OnlyOn = append(typed.OnlyOn, hosts)
		}
		var value string
		value, err = ws.revealOne(ctx, name)
		if err == nil && m[1] == "totp" {
			value, err = ws.oneTimeCode(name, value)
		}
		return value
	})
	if err == nil && flow.HoldsSecret(reference.ReplaceAllString(text, "")) {
		err = engine.InvalidInput("write ${secret:NAME} or ${totp:NAME}", "value: a secret's brace is not closed")
	}
	if err != nil {
		return input.Typing{}, err
	}
	return typed, nil
}

// oneTimeCode returns the code of an authenticator whose key is a secret's value.
func (ws *Workspace) oneTimeCode(name, key string) (string, error) {
	code, err := auth.OneTimeCode(key, ws.Now())
	if err != nil {
		return "", engine.InvalidInput("give secret "+name+" the key that the site shows beside its QR code", "${totp:%s}: %v", name, err)
	}
	return code, nil
}

func (ws *Workspace) secretNames() []string {
	if ws.Secrets == nil {
		return nil
	}
	return ws.Secrets.Names()
}

// trustHint says who does what about a folder that nobody trusted.
const trustHint = "a person who knows the folder runs assay trust once in it, and starts the server again"

func (ws *Workspace) revealOne(ctx context.Context, name string) (string, error) {
	names := ws.secretNames()
	if where := ws.Untrusted.Secrets[name]; where != "" && !slices.Contains(names, name) {
		return "", &engine.Error{Code: string(explain.NeedsHuman),
			Message: pagetext.Sentencef("secret %s does not count: %s says it, and nobody has trusted this folder", name, where), Hint: trustHint}
	}
	if !slices.Contains(names, name) {
		return "", engine.InvalidInput("known: "+strings.Join(names, ", "), "no secret %s%s", strconv.Quote(name), text.Hint(name, names))
	}
	if hosts, bound := ws.Untrusted.TypedOn[name]; bound && len(hosts) == 0 { // before anything is run for it
		return "", &engine.Error{Code: string(explain.NeedsHuman),
			Message: pagetext.Sentencef("secret %s is of your own configuration, without hosts: it is typed in trusted folders alone, and nobody has trusted this one", name),
			Hint:    `a person names the hosts there, as ` + name + ` = { from = "…", hosts = ["…"] }, or runs assay trust in this folder`}
	}
	value, err := ws.Secrets.Reveal(ctx, name)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return "", engine.InvalidInput(hinted.Hint(), "%v", err)
	}
	return value, err
}

// Mask hides secrets in a text.
func (ws *Workspace) Mask(text string) string {
	if ws.Secrets == nil {
		return text
	}
	return ws.Secrets.Mask(text)
}

// MaskFile hides secrets in a document of a media type.
func (ws *Workspace) MaskFile(mime string, data []byte) []byte {
	if ws.Secrets == nil {
		return data
	}
	return ws.Secrets.MaskFile(mime, data)
}

// Only lets a workspace reveal some of its secrets alone.
func Only(all Secrets, names []string) Secrets { return only{all, names} }

type only struct {
	Secrets
	names []string
}

// Names returns those that may be revealed.
func (o only) Names() []string {
	return slices.DeleteFunc(slices.Clone(o.Secrets.Names()), func(name string) bool { return !slices.Contains(o.names, name) })
}

// Reveal returns one of them.
func (o only) Reveal(ctx context.Context, name string) (string, error) {
	if !slices.Contains(o.names, name) {
		return "", engine.InvalidInput("use one of those that the spec declares, or add it to secrets in its front matter", "secret %q is not declared by this spec", name)
	}
	return o.Secrets.Reveal(ctx, name)
}

// Hide keeps the values of a state that are credentials out of every text.
func (ws *Workspace) Hide(state []byte) {
	if ws.Secrets != nil {
		ws.Secrets.Hide(auth.Secrets(state))
	}
}
