package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rule holds the content of an accept tag: which values a setting takes. The forms are "1..50" for
// a range of numbers, "png|jpeg" for a choice, "@host" for a named check; no tag takes all. What
// "!bmp" of a choice names is gone: it is read, for another room to say so, and not offered. In a
// list it holds for each element, none of which may be blank; the tag need:"one" refuses an empty
// list.
type rule struct {
	accepted string // for the reader of an error; empty if everything is
	number   func(float64) bool
	text     func(string) bool
	filled   bool // the list can't be empty
	unused   bool // nothing happens yet where it is true
}

func newRule(tag reflect.StructTag) rule {
	r := acceptRule(tag.Get("accept"))
	if r.filled = tag.Get("need") == "one"; r.filled {
		r.accepted = "one or more of " + r.accepted
	}
	return r
}

func acceptRule(tag string) rule {
	if name, ok := strings.CutPrefix(tag, "@"); ok {
		return namedRule(name)
	}
	if low, high, ok := strings.Cut(tag, ".."); ok {
		return rangeRule(low, high)
	}
	if tag == "" {
		return rule{}
	}
	choice := strings.Split(tag, "|")
	listed := slices.DeleteFunc(slices.Clone(choice), func(c string) bool { return strings.HasPrefix(c, "!") })
	return rule{
		accepted: strings.TrimPrefix(strings.Join(listed, ", "), ", "), // a blank one is a key that is left out
		text:     func(s string) bool { return slices.Contains(listed, s) || slices.Contains(choice, "!"+s) },
	}
}

func rangeRule(low, high string) rule {
	from, errFrom := strconv.ParseFloat(low, 64)
	to, errTo := strconv.ParseFloat(high, 64)
	if errFrom != nil || errTo != nil {
		return brokenRule(low + ".." + high)
	}
	accepted := low + " to " + high
	if to >= 1e300 { // no bound that a person would notice
		accepted = low + " or more"
	}
	if low == high {
		accepted = low
	}
	return rule{accepted: accepted, number: func(n float64) bool { return from <= n && n <= to }} // false for NaN
}

// brokenRule refuses everything, so that the test of the defaults finds a misspelt tag.
func brokenRule(tag string) rule {
	return rule{
		accepted: fmt.Sprintf("nothing, because the rule %q does not exist", tag),
		number:   func(float64) bool { return false },
		text:     func(string) bool { return false },
	}
}

func namedRule(name string) rule {
	switch name {
	case "unused":
		return rule{accepted: "false, because nothing uses it yet", unused: true}
	case "date":
		return rule{accepted: "a day such as 2026-12-31", text: func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }}
	case "nonblank":
		return rule{accepted: "a text that is not blank", text: func(s string) bool { return strings.TrimSpace(s) != "" }}
	case "locale":
		tag := regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)
		return rule{accepted: `a BCP 47 language tag such as "en-US"`, text: tag.MatchString}
	case "timezone":
		zone := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$`)
		return rule{accepted: `an IANA time zone such as "UTC" or "Europe/Berlin"`, text: zone.MatchString}
	case "host":
		return rule{accepted: "a host name, *.domain or an IP address, without scheme, port and path", text: isHostPattern}
	case "regexp":
		return rule{accepted: "a regular expression in Go's syntax (RE2)", text: isRegexp}
	case "url":
		return rule{accepted: "an http or https URL without user and password", text: isURL}
	case "branchprefix":
		prefix := regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*/)+$`)
		return rule{accepted: `names that end in slashes, such as "assay/"`, text: prefix.MatchString}
	case "target":
		return rule{accepted: "a path that starts with /, or an http or https URL without user and password", text: isTarget}
	case "pointer":
		return rule{accepted: `a JSON pointer such as "/data/revenue"`, text: func(s string) bool { return strings.HasPrefix(s, "/") }}
	case "source":
		return rule{accepted: `"env:VAR", "file:path" or "cmd:program args"; the key itself is never written here`, text: func(s string) bool { return s == "" || isReference(s) }}
	case "secret":
		return rule{accepted: `"env:VAR", "file:path" or "cmd:program args"; a secret is never written here itself`, text: isReference}
	}
	return brokenRule("@" + name)
}

func isHostPattern(s string) bool {
	if addr, err := netip.ParseAddr(s); err == nil {
		return addr.Zone() == ""
	}
	labels := strings.Split(strings.TrimPrefix(s, "*."), ".")
	label := regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)
	for _, l := range labels {
		if !label.MatchString(l) {
			return false
		}
	}
	// Browsers read a host that ends in a number as an IP address, so it never names this pattern.
	last := labels[len(labels)-1]
	return strings.Trim(last, "0123456789") != ""
}

func isRegexp(s string) bool {
	_, err := regexp.Compile(s)
	return err == nil && s != "" // an empty one would match everything
}

// isURL takes an empty text too: it means that there is none.
func isURL(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

func isTarget(s string) bool {
	if strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") {
		_, err := url.Parse(s)
		return err == nil
	}
	return isURL(s)
}

func isReference(s string) bool {
	for _, prefix := range []string{"env:", "file:", "cmd:"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return strings.TrimSpace(rest) != ""
		}
	}
	return false
}

// check reports what the rule does not take in the value of key, if there is such a thing.
func (r rule) check(key string, value reflect.Value) (message string, bad bool) {
	shown, bad := r.firstRefused(value)
	if !bad {
		return "", false
	}
	accepted := r.accepted
	if accepted == "" {
		accepted = "texts that are not blank"
	}
	return fmt.Sprintf("%s = %s; accepted: %s", key, shown, accepted), true
}

// firstRefused returns the first part of v that the rule does not take, as a text fit to be shown.
func (r rule) firstRefused(v reflect.Value) (shown string, bad bool) {
	switch {
	case v.Kind() == reflect.Slice:
		return r.refusedElement(v)
	case v.CanInt() && r.number != nil:
		return strconv.FormatInt(v.Int(), 10), !r.number(float64(v.Int()))
	case v.CanFloat() && r.number != nil:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), !r.number(v.Float())
	case v.Kind() == reflect.Bool && r.unused:
		return strconv.FormatBool(v.Bool()), v.Bool()
	case v.Kind() == reflect.String && r.text != nil:
		return quoteUnlessSecret(v.Type(), v.String()), !r.text(v.String())
	}
	return "", false
}

func (r rule) refusedElement(list reflect.Value) (shown string, bad bool) {
	if list.Len() == 0 {
		return "[]", r.filled
	}
	for i := range list.Len() {
		element := list.Index(i)
		if strings.TrimSpace(element.String()) == "" {
			return strconv.Quote(element.String()), true
		}
		if shown, bad := r.firstRefused(element); bad {
			return shown, true
		}
	}
	return "", false
}
