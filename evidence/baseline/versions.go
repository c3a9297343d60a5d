package baseline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

const maxName = 100 // characters of a baseline's name

// checkName refuses names that can't be shown on one line.
func checkName(name string) error {
	if err := ledger.CheckPrintable("name", name, maxName); err != nil {
		return fmt.Errorf("%w: name the baseline with 1 to %d characters", err, maxName)
	}
	return nil
}

// versions lists all there are, by name, environment and number.
type versions []Version

func load(tx *ledger.Tx) (versions, error) {
	var all versions
	for _, key := range tx.Keys(ledger.BaselinesTable) {
		data, _ := tx.Get(ledger.BaselinesTable, key)
		var v Version
		if err := json.Unmarshal(data, &v); err != nil {
			return nil, fmt.Errorf("%w: version %s: %w", ErrCorrupt, key, err)
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b Version) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(environmentLine(a.Environment), environmentLine(b.Environment)), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// environmentLine names a line of versions: environments in which a page has to look the
// same, but for the browser's version and the fonts.
func environmentLine(e qa.VisualEnvironment) string {
	return fmt.Sprintf("%s %s @%s %s %s", e.Browser, e.Viewport, strconv.FormatFloat(e.Scale, 'g', -1, 64), e.Locale, e.OS)
}

func (v Version) inForce() bool { return v.Status == Approved || v.Status == Unapproved }

// digests returns the digests of the version's pictures.
func (v Version) digests() []string {
	var out []string
	for _, p := range v.Pictures {
		out = append(out, p.SHA256)
	}
	return out
}

// samePictures reports whether two versions have the same pictures.
func (v Version) samePictures(other Version) bool {
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

// sameOptions reports whether two versions judge a page alike: a looser threshold
// would let pass what a person has not seen.
func (v Version) sameOptions(other Version) bool {
	mine, _ := json.Marshal(v.Options) // plain values: never fails
	others, _ := json.Marshal(other.Options)
	return v.samePictures(other) && string(mine) == string(others)
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
		if v.Name != name || !v.inForce() || environmentLine(v.Environment) != environmentLine(env) {
			continue
		}
		if exact, other := v.Environment == env, best.Environment == env; best.ID == "" || exact && !other || exact == other && v.Number > best.Number {
			best = v
		}
	}
	return best, best.ID != ""
}

// nextNumber returns the number of the next version of a name in an environment's line.
func (all versions) nextNumber(name string, env qa.VisualEnvironment) int {
	number := 1
	for _, v := range all {
		if v.Name == name && environmentLine(v.Environment) == environmentLine(env) {
			number = max(number, v.Number+1)
		}
	}
	return number
}

// openProposal returns the open proposal with the content of v.
func (all versions) openProposal(v Version) (Version, bool) {
	i := slices.IndexFunc(all, func(p Version) bool {
		return p.Status == Proposed && p.Name == v.Name && p.Environment == v.Environment && p.Replaces == v.Replaces && p.sameOptions(v)
	})
	if i < 0 {
		return Version{}, false
	}
	return all[i], true
}

// rejected reports whether a person refused the pictures of v.
func (all versions) rejected(v Version) bool {
	return slices.ContainsFunc(all, func(r Version) bool {
		return r.Status == Rejected && r.Name == v.Name && environmentLine(r.Environment) == environmentLine(v.Environment) && r.samePictures(v)
	})
}

// notInForce reports why nothing is in force for a name, and what there is instead.
func (all versions) notInForce(name string, env qa.VisualEnvironment) error {
	var names, lines []string
	waiting := ""
	for _, v := range all {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
		here := fmt.Sprintf("%q", environmentLine(v.Environment))
		switch {
		case v.Name != name:
		case v.inForce() && !slices.Contains(lines, here):
			lines = append(lines, here)
		case v.Status == Proposed && environmentLine(v.Environment) == environmentLine(env):
			waiting = fmt.Sprintf("; %s waits for a person's approval", v.ID)
		}
	}
	switch {
	case !slices.Contains(names, name):
		return all.unknownName(name)
	case len(lines) == 0:
		return fmt.Errorf("%w: no version of %q is in force: a person rejected what there was%s", ErrNotFound, name, waiting)
	default:
		return fmt.Errorf("%w: %q has none for %q%s; it has for %s", ErrNotFound, name, environmentLine(env), waiting, firstWords(lines))
	}
}

// unknownName reports that a name has no version in force in any environment, and which
// names there are.
func (all versions) unknownName(name string) error {
	var names []string
	for _, v := range all {
		if v.inForce() && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%w: %q: %w", ErrNotFound, name, ErrNone)
	}
	return fmt.Errorf("%w: %q%s; there are %s", ErrNotFound, name, text.Hint(name, names), firstWords(names))
}

// firstWords returns the first words of a list.
func firstWords(words []string) string {
	const most = 8
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, ", ")
}
