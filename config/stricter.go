package config

import (
	"net/netip"
	"reflect"
	"slices"
	"strings"
)

// What of a folder's value counts. Each takes all that the person says, what is in force without the folder,
// and what the folder says, and returns a value that is no looser than what is in force.

func said(_ *Config, _, said reflect.Value) reflect.Value { return said }

func mine(_ *Config, mine, _ reflect.Value) reflect.Value { return mine }

// noLooserThan keeps a switch at its strict position where it is there.
func noLooserThan(strict bool) func(*Config, reflect.Value, reflect.Value) reflect.Value {
	return func(_ *Config, mine, said reflect.Value) reflect.Value {
		if said.Bool() == strict {
			return said
		}
		return mine
	}
}

// fromStrictest knows a choice's values, the strictest first. One that it does not know is the loosest.
func fromStrictest(order ...string) func(*Config, reflect.Value, reflect.Value) reflect.Value {
	rank := func(v reflect.Value) int {
		if at := slices.Index(order, v.String()); at >= 0 {
			return at
		}
		return len(order)
	}
	return func(_ *Config, mine, said reflect.Value) reflect.Value {
		if rank(said) < rank(mine) {
			return said
		}
		return mine
	}
}

func atMostMine(_ *Config, mine, said reflect.Value) reflect.Value {
	if said.Int() < mine.Int() {
		return said
	}
	return mine
}

func atLeastMine(_ *Config, mine, said reflect.Value) reflect.Value {
	if said.Int() > mine.Int() {
		return said
	}
	return mine
}

// withMine is for lists of what is refused or hidden: a folder adds to them.
func withMine(_ *Config, mine, said reflect.Value) reflect.Value {
	return kept(said, said, mine)
}

// onlyMine is for lists of what is permitted: a folder takes from them.
func onlyMine(_ *Config, mine, said reflect.Value) reflect.Value {
	return kept(filtered(said, func(s string) bool { return contains(mine, s) }))
}

// someOfMine is for lists of what is permitted of which an empty one permits everything.
func someOfMine(user *Config, mine, said reflect.Value) reflect.Value {
	if mine.Len() == 0 {
		return said
	}
	if both := onlyMine(user, mine, said); both.Len() > 0 {
		return both
	}
	return mine
}

// fewerHosts is for allowed_hosts: a folder may name some of the hosts that are open without it. A production
// system is opened by an entry that names it, so only a person's own entry does.
func fewerHosts(user *Config, mine, said reflect.Value) reflect.Value {
	open := texts(mine)
	if len(open) == 0 && user.Network.BlockExternal {
		open = []string{"localhost", "*.localhost", "127.0.0.1", "::1"}
	}
	out := filtered(said, func(host string) bool {
		switch {
		case slices.Contains(open, host):
			return true
		case user.namesProduction(host):
			return false
		}
		return len(open) == 0 || slices.ContainsFunc(open, func(pattern string) bool { return coversHost(pattern, host) })
	})
	if out.Len() == 0 {
		return mine
	}
	return out
}

// coversHost reports whether each host that one pattern names is one that another names.
func coversHost(pattern, host string) bool {
	pattern, host = strings.ToLower(pattern), strings.ToLower(host)
	if addr, err := netip.ParseAddr(host); err == nil {
		own, err := netip.ParseAddr(pattern)
		return err == nil && (own.Unmap() == addr.Unmap() || own.Unmap().IsLoopback() && addr.Unmap().IsLoopback())
	}
	if domain, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(strings.TrimPrefix(host, "*"), domain)
	}
	return pattern == host
}

// namesProduction reports whether an entry of allowed_hosts may open a production system: it names a host itself,
// without a *, that is one by its name, or that may lead to the address of one.
func (c *Config) namesProduction(host string) bool {
	if strings.HasPrefix(host, "*.") {
		return false
	}
	_, err := netip.ParseAddr(host)
	isName := err != nil
	parts := strings.FieldsFunc(strings.ToLower(host), func(r rune) bool { return strings.ContainsRune(".-_", r) })
	return slices.ContainsFunc(c.Guard.ProductionHosts, func(pattern string) bool {
		_, err := netip.ParseAddr(pattern)
		return coversHost(pattern, host) || isName && err == nil
	}) || isName && slices.ContainsFunc(c.Guard.ProductionWords, func(word string) bool { return slices.Contains(parts, strings.ToLower(word)) })
}

// kept returns a list with the entries of others that it lacks.
func kept(list reflect.Value, more ...reflect.Value) reflect.Value {
	for _, other := range more {
		for i := range other.Len() {
			if !contains(list, other.Index(i).String()) {
				list = reflect.Append(list.Slice3(0, list.Len(), list.Len()), other.Index(i))
			}
		}
	}
	return list
}

func filtered(list reflect.Value, keep func(string) bool) reflect.Value {
	out := reflect.MakeSlice(list.Type(), 0, list.Len())
	for i := range list.Len() {
		if keep(list.Index(i).String()) {
			out = reflect.Append(out, list.Index(i))
		}
	}
	return out
}

func contains(list reflect.Value, text string) bool { return slices.Contains(texts(list), text) }

func texts(list reflect.Value) []string {
	out := make([]string, list.Len())
	for i := range out {
		out[i] = list.Index(i).String()
	}
	return out
}
