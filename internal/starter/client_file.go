package starter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Server says how a client starts assay.
type Server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// serverName names assay among the servers of a client.
const serverName = "assay"

// addServer returns a client's settings with assay among its servers, which stand below
// section. All else, comments too, stays as it is. changed is false where assay is
// there already.
func addServer(old []byte, section string, entry any) (merged []byte, changed bool, err error) {
	if len(bytes.TrimSpace(old)) == 0 {
		whole, err := json.MarshalIndent(map[string]any{section: map[string]any{serverName: entry}}, "", "  ")
		return append(whole, '\n'), true, err
	}
	servers, top, err := readServers(old, section)
	if err != nil {
		return nil, false, err
	}
	if _, ok := servers.members[serverName]; ok {
		return old, false, nil
	}
	if servers.members == nil {
		merged = insertMember(old, top, section, map[string]any{serverName: entry}, 1)
	} else {
		merged = insertMember(old, servers, serverName, entry, 2)
	}
	again, _, err := readServers(merged, section)
	if _, there := again.members[serverName]; err == nil && !there {
		err = errors.New("it would have no assay")
	}
	if err != nil {
		return nil, false, fmt.Errorf("add %q to %q by hand: what this program would write is wrong: %w", serverName, section, err)
	}
	return merged, true, nil
}

// readServers finds the section with the servers, and the whole object around it. A
// section that is not there has no members, not even none.
func readServers(data []byte, section string) (servers, top object, err error) {
	plain := plainJSON(data)
	if err := json.Unmarshal(plain, &map[string]any{}); err != nil {
		return servers, top, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	if top, err = readObject(plain, 0); err != nil {
		return servers, top, err
	}
	at, ok := top.members[section]
	if !ok {
		return servers, top, nil
	}
	if servers, err = readObject(plain, at.from); err != nil {
		return servers, top, fmt.Errorf("%q: %w", section, err)
	}
	return servers, top, nil
}

// insertMember returns a text with a first member in the object o, which stands at a
// depth of so many brackets.
func insertMember(text []byte, o object, name string, value any, depth int) []byte {
	indent := "  "
	if i := bytes.Index(text, []byte("\n\t")); i >= 0 {
		indent = "\t"
	}
	line := strings.Repeat(indent, depth)
	doc, _ := json.MarshalIndent(value, line, indent) // strings and lists of them
	member := "\n" + line + fmt.Sprintf("%q: ", name) + string(doc)
	switch rest := text[o.open+1:]; {
	case len(o.members) > 0:
		member += ","
		if next := bytes.TrimLeft(rest, " \t"); len(next) > 0 && next[0] != '\n' && next[0] != '\r' {
			member += "\n" + line
		}
	case bytes.IndexByte(rest, '\n') < 0 || bytes.IndexByte(rest, '}') < bytes.IndexByte(rest, '\n'):
		member += "\n" + strings.Repeat(indent, depth-1)
	}
	if bytes.Contains(text, []byte("\r\n")) {
		member = strings.ReplaceAll(member, "\n", "\r\n")
	}
	return append(append(bytes.Clone(text[:o.open+1]), member...), text[o.open+1:]...)
}

// removeServer returns a client's settings without assay, and without the section where assay is
// all that it has. All else stays as it is. Nothing is left of a file that has nothing else.
func removeServer(old []byte, section string) ([]byte, error) {
	servers, top, err := readServers(old, section)
	if err != nil {
		return nil, err
	}
	at := servers.members[serverName]
	if whole := top.members[section]; len(servers.members) == 1 && !hasComments(old[whole.name:whole.to]) {
		if len(top.members) == 1 && !hasComments(old) {
			return nil, nil
		}
		at = whole
	}
	out := withoutMember(old, at)
	left, _, err := readServers(out, section)
	if _, there := left.members[serverName]; err == nil && there {
		err = errors.New("it would still have assay")
	}
	if err != nil {
		return nil, fmt.Errorf("remove %q from %q by hand: what this program would write is wrong: %w", serverName, section, err)
	}
	return out, nil
}

func hasComments(text []byte) bool { return !bytes.Equal(blankComments(text), text) }

// withoutMember returns a text without a member of an object, its comma, and its lines where it
// has whole ones. Comments around both stay.
func withoutMember(text []byte, at span) []byte {
	const blank = " \t\r\n"
	plain := blankComments(text)
	from, to, comma := at.name, at.to, -1
	if next := len(plain) - len(bytes.TrimLeft(plain[to:], blank)); next < len(plain) && plain[next] == ',' {
		comma = next
	} else if before := bytes.TrimRight(plain[:from], blank); bytes.HasSuffix(before, []byte(",")) {
		comma = len(before) - 1
	}
	switch {
	case comma >= to && len(bytes.TrimLeft(text[to:comma], blank)) == 0:
		to, comma = comma+1, -1
	case comma >= 0 && comma < from && len(bytes.TrimLeft(text[comma+1:from], blank)) == 0:
		from, comma = comma, -1
	}
	if line := bytes.TrimRight(text[:from], " \t"); bytes.HasSuffix(line, []byte("\n")) && (text[to] == '\n' || text[to] == '\r') {
		from = len(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	out := slices.Delete(bytes.Clone(text), from, to)
	if comma >= to {
		comma -= to - from
	}
	if comma >= 0 { // a comment stands between the member and its comma
		out = slices.Delete(out, comma, comma+1)
	}
	return out
}

// ReadServer returns how a client's settings start assay.
func ReadServer(data []byte, section string) (Server, error) {
	var s Server
	servers, _, err := readServers(data, section)
	if err != nil {
		return s, err
	}
	at, ok := servers.members[serverName]
	if !ok {
		return s, fmt.Errorf("%q has no server %q", section, serverName)
	}
	if err := json.Unmarshal(plainJSON(data)[at.from:at.to], &s); err != nil {
		return s, fmt.Errorf("%s.%s: %w", section, serverName, err)
	}
	return s, nil
}

// isEntry reports whether a client's settings have assay as an entry, and nothing else in it.
func isEntry(data []byte, section string, entry any) (bool, error) {
	servers, _, err := readServers(data, section)
	if err != nil {
		return false, err
	}
	want, err := json.Marshal(entry)
	if err != nil {
		return false, err
	}
	at := servers.members[serverName]
	var has, wanted any
	if err := json.Unmarshal(plainJSON(data)[at.from:at.to], &has); err != nil {
		return false, fmt.Errorf("%s.%s: %w", section, serverName, err)
	}
	if err := json.Unmarshal(want, &wanted); err != nil {
		return false, err
	}
	return reflect.DeepEqual(has, wanted), nil
}
