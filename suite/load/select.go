package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
)

// Selection reads --tags, --grep and --shard.
func Selection(tags []string, grep, shard string) (s suite.Selection, err error) {
	for _, tag := range tags {
		if tag = strings.TrimSpace(tag); tag != "" {
			s.Tags = append(s.Tags, tag)
		}
	}
	if _, err := regexp.Compile(grep); err != nil {
		return s, config.Usage("--grep: %w", err)
	}
	s.Grep = grep
	if shard == "" {
		return s, nil
	}
	if n, err := fmt.Sscanf(shard+"\n", "%d/%d\n", &s.Shard, &s.Of); n != 2 || err != nil || s.Shard < 1 || s.Shard > s.Of {
		return s, config.Usage("--shard %q: give i/n, such as 1/3 for the first of three", shard)
	}
	return s, nil
}

// Select leaves the cases that are selected. Those of a shard are every n-th: the
// same for whoever asks, and n shards have all of them, each once.
func Select(files []Case, s suite.Selection) ([]Case, error) {
	pattern, err := regexp.Compile(s.Grep)
	if err != nil {
		return nil, config.Usage("--grep: %w", err)
	}
	var chosen, out []Case
	for _, f := range files {
		path, name, tags := f.selectedBy()
		if len(s.Tags) > 0 && !slices.ContainsFunc(s.Tags, func(t string) bool { return slices.Contains(tags, t) }) {
			continue
		}
		if pattern.MatchString(path) || pattern.MatchString(name) {
			chosen = append(chosen, f)
		}
	}
	for i, f := range chosen {
		if s.Of == 0 || i%s.Of == s.Shard-1 {
			out = append(out, f)
		}
	}
	switch {
	case len(chosen) == 0 && len(files) > 0:
		return nil, config.Usage("none of %d cases is selected by %s%s: nothing would be tested", len(files), selectionFlags(s), knownTags(files, s.Tags))
	case len(out) == 0 && len(files) > 0:
		return nil, config.Usage("--shard %d/%d is empty: only %d cases are selected; use at most %d shards", s.Shard, s.Of, len(chosen), len(chosen))
	}
	return out, nil
}

// selectedBy returns the properties that a case is selected by.
func (l Case) selectedBy() (path, name string, tags []string) {
	switch {
	case l.Spec != nil:
		return l.Path, l.Spec.Name(), l.Spec.Tags
	case l.Task != nil:
		return l.Path, l.Task.ID, l.Task.Tags
	default:
		return l.Path, l.Flow.Name, nil
	}
}

// selectionFlags returns the flags that select, as they were given.
func selectionFlags(s suite.Selection) string {
	var out []string
	if len(s.Tags) > 0 {
		out = append(out, "--tags "+strings.Join(s.Tags, ","))
	}
	if s.Grep != "" {
		out = append(out, fmt.Sprintf("--grep %q", s.Grep))
	}
	return strings.Join(out, " and ")
}

// knownTags lists the tags that exist, where the caller selects by tags.
func knownTags(files []Case, asked []string) string {
	if len(asked) == 0 {
		return ""
	}
	var all []string
	for _, f := range files {
		_, _, tags := f.selectedBy()
		all = append(all, tags...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return " (no file has tags)"
	}
	return " (there are: " + strings.Join(all, ", ") + ")"
}

// Vars returns the variables of --var NAME=VALUE.
func Vars(given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, v := range given {
		name, value, ok := strings.Cut(v, "=")
		if _, twice := out[name]; twice {
			return nil, config.Usage("--var %s: it is given twice", name)
		}
		if !ok || name == "" {
			return nil, config.Usage("--var %s: give NAME=VALUE", v)
		}
		if strings.Contains(value, "{{") {
			return nil, config.Usage("--var %s: a value can't hold {{…}}: it is put in as it is", name)
		}
		out[name] = value
	}
	return out, nil
}
