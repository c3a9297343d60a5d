package starter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
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

// Is reports whether two ways to start assay are one.
func (s Server) Is(other Server) bool {
	return s.Command == other.Command && slices.Equal(s.Args, other.Args) && maps.Equal(s.Env, other.Env)
}

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
	if again, _, err := readServers(merged, section); err != nil || again.members[serverName].to == 0 {
		return nil, false, fmt.Errorf("add %q to %q by hand: what this program would write is no JSON (%w)", serverName, section, err)
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
		return servers, top, fmt.Errorf("%q is no object", section)
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

// removeServer returns a client's settings without assay, and without the section where it was
// alone in it. All else stays as it is. Nothing is left of a file that has nothing else.
func removeServer(old []byte, section string) ([]byte, error) {
	servers, top, err := readServers(old, section)
	if err != nil {
		return nil, err
	}
	at, alone := servers.members[serverName], len(servers.members) == 1
	if alone && len(top.members) == 1 && bytes.Equal(plainJSON(old), old) {
		return nil, nil
	}
	if alone {
		at = top.members[section]
	}
	out := withoutMember(old, at)
	if left, _, err := readServers(out, section); err != nil || left.members[serverName].to != 0 {
		return nil, fmt.Errorf("remove %q from %q by hand: what this program would write is no JSON (%w)", serverName, section, err)
	}
	return out, nil
}

// withoutMember returns a text without a member of an object, its comma, and its lines where it
// has whole ones.
func withoutMember(text []byte, at span) []byte {
	const blank = " \t\r\n"
	from, to := at.name, at.to
	if next := len(text) - len(bytes.TrimLeft(text[to:], blank)); next < len(text) && text[next] == ',' {
		to = next + 1
	} else if before := bytes.TrimRight(plainJSON(text)[:from], blank); bytes.HasSuffix(before, []byte(",")) {
		from = len(before) - 1
	}
	if line := bytes.TrimRight(text[:from], " \t"); bytes.HasSuffix(line, []byte("\n")) && (to == len(text) || text[to] == '\n' || text[to] == '\r') {
		from = len(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	return append(bytes.Clone(text[:from]), text[to:]...)
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
