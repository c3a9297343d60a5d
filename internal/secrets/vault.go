// Package secrets finds the values of [secrets] and keeps them out of every
// text.
//
// A value is looked up when it is first used, stays in memory, and from then
// on is masked in whatever passes through Mask and MaskFile, in the spellings
// in which a page, a log or a report may repeat it. The package refuses to
// show a value in an error, to run a shell, and to reveal what it could not
// mask.
package secrets

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/wait"
)

// Vault holds named secrets. It is safe for concurrent use.
type Vault struct {
	// Environ is the environment of the programs that cmd: references name, as os.Environ
	// lists it; nil: that of this process. It is set before the first look-up.
	Environ []string

	references map[string]string
	getenv     func(string) string
	turn       *wait.Places // one: the right to look a value up

	mu     sync.Mutex
	values map[string]string // those revealed so far
	hidden []string          // values that no name leads to, the newest last

	masks atomic.Pointer[matcher] // nil until something is revealed
}

// New returns a vault of references by name, each "env:VAR", "file:path" or
// "cmd:program args". Nothing is looked up yet. getenv reads the environment
// for env: references.
func New(references map[string]string, getenv func(string) string) *Vault {
	return &Vault{references: maps.Clone(references), getenv: getenv, turn: wait.NewPlaces(1), values: map[string]string{}}
}

// Error says why a secret can't be had. It never holds the value.
type Error struct {
	Name    string // of the secret
	Problem string
	hint    string
}

func (e *Error) Error() string { return "secret " + e.Name + ": " + e.Problem }

// Hint says what to do next.
func (e *Error) Hint() string { return e.hint }

func failure(hint, format string, args ...any) *Error {
	return &Error{Problem: fmt.Sprintf(format, args...), hint: hint}
}

// Names lists the names of all secrets, sorted.
func (v *Vault) Names() []string { return slices.Sorted(maps.Keys(v.references)) }

// Reveal returns the value of a secret. The first call looks it up; from its
// return on, the value is masked. The error is an [*Error], or that of ctx.
func (v *Vault) Reveal(ctx context.Context, name string) (string, error) {
	reference, ok := v.references[name]
	if !ok {
		return "", &Error{Name: name, Problem: "there is no such name in [secrets]", hint: "known: " + strings.Join(v.Names(), ", ")}
	}
	if value, ok := v.known(name); ok {
		return value, nil
	}
	if err := v.turn.Take(ctx); err != nil {
		return "", err
	}
	defer v.turn.Give()
	if value, ok := v.known(name); ok { // somebody else has looked it up meanwhile
		return value, nil
	}
	value, problem := v.resolve(ctx, reference)
	if problem == nil {
		problem = maskable(value)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if problem != nil {
		problem.Name = name
		return "", problem
	}
	v.remember(name, value)
	return value, nil
}

func (v *Vault) known(name string) (string, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	value, ok := v.values[name]
	return value, ok
}

func (v *Vault) remember(name, value string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.values[name] = value
	v.masks.Store(newMatcher(v.values, v.hidden))
}

// Hide masks values from now on that no name leads to, such as the tokens of a
// sign-in. They read ${secret:sign-in}. What could not be distinguished from other text
// is left out.
func (v *Vault) Hide(values []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	changed := false
	for _, value := range values {
		if maskable(value) != nil {
			continue
		}
		if at := slices.Index(v.hidden, value); at >= 0 {
			v.hidden = slices.Delete(v.hidden, at, at+1)
		} else {
			changed = true
		}
		v.hidden = append(v.hidden, value)
	}
	if changed {
		v.hidden = v.hidden[max(0, len(v.hidden)-maxHidden):]
		v.masks.Store(newMatcher(v.values, v.hidden))
	}
}

// maxHidden bounds how many values without a name are masked, the newest: a
// server runs for days, each sign-in brings new ones, and every text is
// searched for all of them. One sign-in brings up to 200.
const maxHidden = 2000

// Values returns the values revealed so far, for whoever must look for them in
// something that isn't text, such as a page about to be photographed.
func (v *Vault) Values() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Sorted(func(yield func(string) bool) {
		for _, value := range v.values {
			if !yield(value) {
				return
			}
		}
		for _, value := range v.hidden {
			if !yield(value) {
				return
			}
		}
	})
}

// minLength bounds a secret's length from below, in characters: masking a
// shorter one would destroy every text.
const minLength = 4

// maskable refuses values that could not be kept out of texts.
func maskable(value string) *Error {
	switch n := utf8.RuneCountInString(strings.Join(strings.Fields(value), " ")); {
	case n == 0:
		return failure("give it a value", "its value is empty")
	case n < minLength:
		return failure(fmt.Sprintf("use one of at least %d characters", minLength),
			"its value has %d characters: that is too short to be distinguished from other text, so it could not be masked", n)
	case len(value) > maxValue:
		return failure("use a shorter one", "its value is longer than %d KB", maxValue>>10)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return failure("store it as UTF-8 text, such as base64", "its value is no text")
	}
	return nil
}
