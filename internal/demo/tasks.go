package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

//go:embed tasks
var taskFiles embed.FS

// TasksURL says where the tasks expect the demo, unless another address
// is given.
const TasksURL = "http://127.0.0.1:8717"

// ErrTaken marks a file that stands where one of the demo's would be written.
var ErrTaken = errors.New("is there already, and is another one; take it away, or name another folder")

// WriteTasks writes the demo's task, flow and configuration into a folder, and calls
// wrote with each file's path. A file that is there already with another content is
// kept: ErrTaken.
func WriteTasks(dir, baseURL string, wrote func(path string)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files := Tasks(baseURL)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && !slices.Equal(old, files[name]) {
			return fmt.Errorf("%s %w", path, ErrTaken)
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
		wrote(path)
	}
	return nil
}

var configuredURL = pattern.New(`(?m)^base_url\s*= "([^"]+)"`)

// WrittenFor returns the address for which a folder holds all of the demo's files,
// unchanged, or "".
func WrittenFor(dir string) string {
	config, err := os.ReadFile(filepath.Join(dir, "mcp.toml"))
	m := configuredURL.FindSubmatch(config)
	if err != nil || m == nil {
		return ""
	}
	for name, text := range Tasks(string(m[1])) {
		if old, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !slices.Equal(old, text) {
			return ""
		}
	}
	return string(m[1])
}

// Tasks returns the files with which the demo is checked by a task, by name: the
// task, the flow that signs its role in, and a configuration that says where
// the demo is.
func Tasks(baseURL string) map[string][]byte {
	out := map[string][]byte{}
	entries, err := fs.ReadDir(taskFiles, "tasks")
	if err != nil {
		panic("demo: the embedded tasks are missing: " + err.Error())
	}
	for _, e := range entries {
		text, err := fs.ReadFile(taskFiles, "tasks/"+e.Name())
		if err != nil {
			panic("demo: embedded task " + e.Name() + " is missing: " + err.Error())
		}
		out[e.Name()] = []byte(withAllowedHost(baseURL, strings.ReplaceAll(string(text), TasksURL, baseURL)))
	}
	return out
}

// knownHosts lists the hosts that the configuration allows.
const knownHosts = `allowed_hosts = ["127.0.0.1", "localhost"`

// withAllowedHost adds the host of an address to them, wherever the demo is served.
func withAllowedHost(address, text string) string {
	u, err := url.Parse(address)
	if err != nil || strings.Contains(knownHosts, strconv.Quote(u.Hostname())) {
		return text
	}
	return strings.ReplaceAll(text, knownHosts, knownHosts+", "+strconv.Quote(u.Hostname()))
}
