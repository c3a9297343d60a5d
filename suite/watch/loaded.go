package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// Runs has the evidence of stored runs.
type Runs interface {
	Report(id string) (qa.QAReport, error)
	Artifact(id, name string) (data []byte, mime string, err error)
}

// LoadedBy returns what the pages of a run loaded of the sites that its documents came from, each path once, as the
// run's network log has it.
func LoadedBy(runs Runs, id string) ([]Loaded, error) {
	report, err := runs.Report(id)
	if err != nil {
		return nil, fmt.Errorf("what run %s loaded: %w", id, err)
	}
	var requests []request
	for _, a := range report.Artifacts {
		if !strings.HasPrefix(a.Name, "network") || a.MIMEType != "application/jsonl" {
			continue
		}
		data, _, err := runs.Artifact(id, a.Name)
		if err != nil {
			return nil, fmt.Errorf("what run %s loaded: %w", id, err)
		}
		for line := range bytes.Lines(data) {
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				return nil, fmt.Errorf("what run %s loaded: %s: %w", id, a.Name, err)
			}
			requests = append(requests, r)
		}
	}
	return ownOf(requests), nil
}

// request is a line of a network log, as far as it tells what was loaded.
type request struct {
	URL  string `json:"url"`
	Type string `json:"type"` // of the resource
}

// ownOf returns what came from a host that a document came from.
func ownOf(requests []request) (out []Loaded) {
	var hosts []string
	for _, r := range requests {
		if u, err := url.Parse(r.URL); err == nil && r.Type == "document" {
			hosts = append(hosts, u.Host)
		}
	}
	for _, r := range requests {
		u, err := url.Parse(r.URL)
		if err != nil || u.Host == "" || !slices.Contains(hosts, u.Host) {
			continue
		}
		l := Loaded{Path: "/" + strings.TrimPrefix(u.Path, "/"), Document: r.Type == "document"}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}
