package starter

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/text"
)

// Client is a program that starts MCP servers: the file of its settings, and where servers
// stand in it.
type Client struct {
	Name    string // as --client takes it
	Title   string
	Folder  string // of the person's own that File lies in; empty: the project's
	File    string // with slashes
	Section string
	Extra   map[string]any // what an entry has beside the server
	Own     bool           // its settings are the person's, for all projects
}

// Home are the folders of a person's own that clients keep their settings in.
type Home struct{ Dir, Config string }

// Clients lists the clients whose settings can be written, those with settings in the project
// first. Sources: the documentation of each client, on MCP servers.
func Clients(h Home) []Client {
	return []Client{
		{Name: "claude-code", Title: "Claude Code", File: ".mcp.json", Section: "mcpServers"},
		{Name: "cursor", Title: "Cursor", File: ".cursor/mcp.json", Section: "mcpServers"},
		{Name: "vscode", Title: "VS Code", File: ".vscode/mcp.json", Section: "servers", Extra: map[string]any{"type": "stdio"}},
		{Name: "zed", Title: "Zed", File: ".zed/settings.json", Section: "context_servers", Extra: map[string]any{"source": "custom"}},
		{Name: "gemini-cli", Title: "Gemini CLI", File: ".gemini/settings.json", Section: "mcpServers"},
		{Name: "claude-desktop", Title: "Claude Desktop", Own: true, Folder: h.Config, File: "Claude/claude_desktop_config.json", Section: "mcpServers"},
		{Name: "windsurf", Title: "Windsurf", Own: true, Folder: h.Dir, File: ".codeium/windsurf/mcp_config.json", Section: "mcpServers"},
	}
}

// ByDefault are the clients that a project is set up for where nobody names one.
func ByDefault() []string { return []string{"claude-code", "cursor", "vscode"} }

// ClientsNamed returns those with some names, in the order of all.
func ClientsNamed(h Home, names []string) ([]Client, error) {
	all := Clients(h)
	var known []string
	for _, c := range all {
		known = append(known, c.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, config.Usage("--client %q is unknown; accepted: %s", text.Shorten(name, 40), strings.Join(known, ", "))
		}
	}
	out := slices.DeleteFunc(all, func(c Client) bool { return !slices.Contains(names, c.Name) })
	for _, c := range out {
		if c.Own && !filepath.IsAbs(c.Folder) {
			return nil, config.Usage("--client %s: its settings lie in a folder of your own, and this system names none (HOME)", c.Name)
		}
	}
	return out, nil
}

// Path returns where the client's settings are, for a project in a folder.
func (c Client) Path(project string) string {
	return filepath.Join(cmp.Or(c.Folder, project), filepath.FromSlash(c.File))
}

// Start has the words by which a client starts assay, without a subcommand.
type Start struct {
	InFolder []string // by a client that knows the shell's PATH
	Anywhere []string // by any other
}

// Server returns how the client starts assay in a project's folder: one that has settings in the
// project starts in that folder, any other is told of it.
func (c Client) Server(start Start, project string) (Server, error) {
	words := append(slices.Clone(start.InFolder), "serve")
	if c.Own {
		whole, err := filepath.Abs(project)
		if err != nil {
			return Server{}, err
		}
		words = append(slices.Clone(start.Anywhere), "serve", "--config", filepath.Join(whole, Settings), "--data-dir", filepath.Join(whole, ".assay"))
	}
	return Server{Command: words[0], Args: words[1:]}, nil
}

// entry is what the client's settings have of a server.
func (c Client) entry(s Server) any {
	if len(c.Extra) == 0 {
		return s
	}
	out := map[string]any{"command": s.Command, "args": s.Args}
	if len(s.Env) > 0 {
		out["env"] = s.Env
	}
	for name, value := range c.Extra {
		out[name] = value
	}
	return out
}

// Read returns how a client's settings start assay. Same reports whether that is what Add writes
// for own, and nothing beside it.
func (c Client) Read(project string, own Server) (s Server, same bool, err error) {
	data, err := os.ReadFile(c.Path(project))
	if err != nil {
		return s, false, err
	}
	if s, err = ReadServer(data, c.Section); err != nil {
		return s, false, err
	}
	same, err = isEntry(data, c.Section, c.entry(own))
	return s, same, err
}

// Add adds assay to the settings of clients. Folders that are missing are made.
func Add(project string, clients []Client, server func(Client) (Server, error)) ([]Outcome, error) {
	return eachClient(clients, server, func(c Client, own Server) ([]Outcome, error) {
		return inNewFolder(cmp.Or(c.Folder, project), func(w *writer) error {
			return w.add(c.File, func() (Outcome, error) { return w.addToClient(c, own) })
		})
	})
}

// Remove takes assay out of the settings of clients, where they have it as Add writes it, and
// makes nothing. A project without a folder is an error.
func Remove(project string, clients []Client, server func(Client) (Server, error)) ([]Outcome, error) {
	if _, err := os.Stat(project); err != nil {
		return nil, config.Usage("the project's folder can't be read: %w; name the one that assay init has set up", err)
	}
	return eachClient(clients, server, func(c Client, own Server) ([]Outcome, error) {
		done, err := inFolder(cmp.Or(c.Folder, project), func(w *writer) error {
			return w.add(c.File, func() (Outcome, error) { return w.removeFromClient(c, own) })
		})
		if errors.Is(err, fs.ErrNotExist) {
			return []Outcome{{Path: c.Path(project), Done: "kept", Reason: notThere}}, nil
		}
		return done, err
	})
}

const notThere = "it is not there"

// eachClient changes the settings of each client.
func eachClient(clients []Client, server func(Client) (Server, error), change func(Client, Server) ([]Outcome, error)) (all []Outcome, err error) {
	for _, c := range clients {
		own, err := server(c)
		if err != nil {
			return all, err
		}
		done, err := change(c, own)
		if all = append(all, done...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// inNewFolder works in a folder, which is made where it is missing.
func inNewFolder(dir string, work func(*writer) error) ([]Outcome, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return inFolder(dir, work)
}

// inFolder works in a folder that is there.
func inFolder(dir string, work func(*writer) error) (all []Outcome, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	w := writer{root: root, dir: dir}
	err = work(&w)
	return w.all, err
}

// removeFromClient takes the server out of a client's settings. One with anything else in it is
// somebody's own.
func (w *writer) removeFromClient(c Client, own Server) (Outcome, error) {
	old, err := w.root.ReadFile(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return Outcome{Done: "kept", Reason: notThere}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	servers, _, err := readServers(old, c.Section)
	if err != nil {
		return Outcome{Done: "left", Reason: fmt.Sprintf("%v: take assay out by hand", err)}, nil
	}
	if _, there := servers.members[serverName]; !there {
		return Outcome{Done: "kept", Reason: "it has no assay"}, nil
	}
	if same, err := isEntry(old, c.Section, c.entry(own)); err != nil {
		return Outcome{Done: "left", Reason: fmt.Sprintf("%v: take assay out by hand", err)}, nil
	} else if !same {
		return Outcome{Done: "left", Reason: "its assay is not as assay init writes it: take it out by hand"}, nil
	}
	rest, err := removeServer(old, c.Section)
	switch {
	case err != nil:
		return Outcome{Done: "left", Reason: fmt.Sprint(err)}, nil
	case rest == nil:
		return Outcome{Done: "removed", Reason: "it had nothing but assay"}, w.root.Remove(c.File)
	}
	return Outcome{Done: "changed", Reason: "assay taken out"}, w.root.WriteFile(c.File, rest, 0o644)
}
