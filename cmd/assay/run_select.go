package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/suite"
)

// selectionOf reads --tags, --grep and --shard.
func selectionOf(tags []string, grep, shard string) (s suite.Selection, err error) {
	for _, tag := range tags {
		if tag = strings.TrimSpace(tag); tag != "" {
			s.Tags = append(s.Tags, tag)
		}
	}
	if _, err := regexp.Compile(grep); err != nil {
		return s, usage("--grep: %w", err)
	}
	s.Grep = grep
	if shard == "" {
		return s, nil
	}
	if n, err := fmt.Sscanf(shard+"\n", "%d/%d\n", &s.Shard, &s.Of); n != 2 || err != nil || s.Shard < 1 || s.Shard > s.Of {
		return s, usage("--shard %q: give i/n, such as 1/3 for the first of three", shard)
	}
	return s, nil
}

// choose leaves the cases that are selected. Those of a shard are every n-th: the
// same for whoever asks, and n shards have all of them, each once.
func choose(files []loaded, s suite.Selection) ([]loaded, error) {
	pattern, err := regexp.Compile(s.Grep)
	if err != nil {
		return nil, usage("--grep: %w", err)
	}
	var chosen, out []loaded
	for _, f := range files {
		path, name, tags := f.about()
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
		return nil, usage("none of %d cases is selected by %s%s: nothing would be tested", len(files), selectors(s), knownTags(files, s.Tags))
	case len(out) == 0 && len(files) > 0:
		return nil, usage("--shard %d/%d is empty: only %d cases are selected; use at most %d shards", s.Shard, s.Of, len(chosen), len(chosen))
	}
	return out, nil
}

// about is what a case is selected by.
func (l loaded) about() (path, name string, tags []string) {
	switch {
	case l.spec != nil:
		return l.path, l.spec.Name(), l.spec.Tags
	case l.task != nil:
		return l.path, l.task.ID, l.task.Tags
	default:
		return l.path, l.flow.Name, nil
	}
}

// selectors are the flags that select, as they were given.
func selectors(s suite.Selection) string {
	var out []string
	if len(s.Tags) > 0 {
		out = append(out, "--tags "+strings.Join(s.Tags, ","))
	}
	if s.Grep != "" {
		out = append(out, fmt.Sprintf("--grep %q", s.Grep))
	}
	return strings.Join(out, " and ")
}

// knownTags says which tags there are, where some were asked for.
func knownTags(files []loaded, asked []string) string {
	if len(asked) == 0 {
		return ""
	}
	var all []string
	for _, f := range files {
		_, _, tags := f.about()
		all = append(all, tags...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return " (no file has tags)"
	}
	return " (there are: " + strings.Join(all, ", ") + ")"
}
