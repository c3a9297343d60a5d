package demo

import (
	"embed"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
)

//go:embed tasks
var taskFiles embed.FS

// TasksURL says where the tasks expect the demo, unless another address
// is given.
const TasksURL = "http://127.0.0.1:8717"

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
