package baseline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
)

// table is where versions are in the ledger, by id.
const table = "baselines"

const maxName = 100 // characters of a baseline's name

// checkName refuses names that can't be shown on one line.
func checkName(name string) error {
	if err := printed("name", name, maxName); err != nil {
		return fmt.Errorf("%w: name the baseline with 1 to %d characters", err, maxName)
	}
	return nil
}

// printed refuses text that is empty, too long, or not fit to be printed.
func printed(what, text string, most int) error {
	switch length := utf8.RuneCountInString(text); {
	case text == "":
		return fmt.Errorf("the %s is empty", what)
	case !utf8.ValidString(text):
		return fmt.Errorf("the %s is not valid UTF-8", what)
	case length > most:
		return fmt.Errorf("the %s has %d characters, more than %d", what, length, most)
	case strings.TrimSpace(text) != text:
		return fmt.Errorf("the %s %q begins or ends with a space", what, text)
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }): // joiners are part of some scripts
		return fmt.Errorf("the %s %q has a character that can't be printed", what, text)
	}
	return nil
}

// versions are all there are, by name, environment and number.
type versions []Version

func load(tx *ledger.Tx) (versions, error) {
	var all versions
	for _, key := range tx.Keys(table) {
		data, _ := tx.Get(table, key)
		var v Version
		if err := json.Unmarshal(data, &v); err != nil {
			return nil, fmt.Errorf("%w: version %s: %w", ErrCorrupt, key, err)
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b Version) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(line(a.Environment), line(b.Environment)), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// line names a line of versions: environments in which a page has to look the
// same, but for the browser's version and the fonts.
func line(e qa.VisualEnvironment) string {
	return fmt.Sprintf("%s %s @%s %s %s", e.Browser, e.Viewport, strconv.FormatFloat(e.Scale, 'g', -1, 64), e.Locale, e.OS)
}

func (v Version) inForce() bool { return v.Status == Approved || v.Status == Unapproved }

// digests are those of the pictures.
func (v Version) digests() []string {
	var out []string
	for _, p := range v.Pictures {
		out = append(out, p.SHA256)
	}
	return out
}

// pictured reports whether two versions have the same pictures.
func (v Version) pictured(other Version) bool {
	if len(v.Pictures) != len(other.Pictures) {
		return false
	}
	for _, p := range v.Pictures {
		if !slices.ContainsFunc(other.Pictures, func(q Picture) bool { return p.Part == q.Part && p.SHA256 == q.SHA256 }) {
			return false
		}
	}
	return true
}

// alike reports whether two versions judge a page alike: a looser threshold
// would let pass what a person has not seen.
func (v Version) alike(other Version) bool {
	mine, _ := json.Marshal(v.Options) // plain values: never fails
	others, _ := json.Marshal(other.Options)
	return v.pictured(other) && string(mine) == string(others)
}

// get returns the version of an id.
func (all versions) get(id string) (Version, bool) {
	if i := slices.IndexFunc(all, func(v Version) bool { return v.ID == id }); i >= 0 {
		return all[i], true
	}
	return Version{}, false
}

// find returns the version in force: of this environment, else the newest of
// its line.
func (all versions) find(name string, env qa.VisualEnvironment) (Version, bool) {
	var best Version
	for _, v := range all {
		if v.Name != name || !v.inForce() || line(v.Environment) != line(env) {
			continue
		}
		if exact, other := v.Environment == env, best.Environment == env; best.ID == "" || exact && !other || exact == other && v.Number > best.Number {
			best = v
		}
	}
	return best, best.ID != ""
}

// next is the number of the next version of a name in an environment's line.
func (all versions) next(name string, env qa.VisualEnvironment) int {
	number := 1
	for _, v := range all {
		if v.Name == name && line(v.Environment) == line(env) {
			number = max(number, v.Number+1)
		}
	}
	return number
}

// proposal is the open one that asks for the same as v.
func (all versions) proposal(v Version) (Version, bool) {
	i := slices.IndexFunc(all, func(p Version) bool {
		return p.Status == Proposed && p.Name == v.Name && p.Environment == v.Environment && p.Replaces == v.Replaces && p.alike(v)
	})
	if i < 0 {
		return Version{}, false
	}
	return all[i], true
}

// rejected reports whether a person refused the pictures of v.
func (all versions) rejected(v Version) bool {
	return slices.ContainsFunc(all, func(r Version) bool {
		return r.Status == Rejected && r.Name == v.Name && line(r.Environment) == line(v.Environment) && r.pictured(v)
	})
}

// missing says why nothing is in force for a name, and what there is instead.
func (all versions) missing(name string, env qa.VisualEnvironment) error {
	var names, lines []string
	waiting := ""
	for _, v := range all {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
		here := fmt.Sprintf("%q", line(v.Environment))
		switch {
		case v.Name != name:
		case v.inForce() && !slices.Contains(lines, here):
			lines = append(lines, here)
		case v.Status == Proposed && line(v.Environment) == line(env):
			waiting = fmt.Sprintf("; %s waits for a person's approval", v.ID)
		}
	}
	switch {
	case !slices.Contains(names, name):
		return all.absent(name)
	case len(lines) == 0:
		return fmt.Errorf("%w: no version of %q is in force: a person rejected what there was%s", ErrNotFound, name, waiting)
	default:
		return fmt.Errorf("%w: %q has none for %q%s; it has for %s", ErrNotFound, name, line(env), waiting, some(lines))
	}
}

// absent says that a name has no version in force in any environment, and which
// names there are.
func (all versions) absent(name string) error {
	var names []string
	for _, v := range all {
		if v.inForce() && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%w: %q: %w", ErrNotFound, name, ErrNone)
	}
	return fmt.Errorf("%w: %q%s; there are %s", ErrNotFound, name, nearest.Hint(name, names), some(names))
}

// some is the first words of a list.
func some(words []string) string {
	const most = 8
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, ", ")
}
