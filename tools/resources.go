package tools

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Resource holds an address (or a template of addresses) that a client can read.
type Resource struct {
	URI         string
	Name        string
	Description string
	MIMEType    string
	Read        func(ctx context.Context, uri string) (data []byte, mimeType string, err error)
}

// ErrNoResource is returned for an address that names nothing.
var ErrNoResource = errors.New("no such resource")

// reportFiles are the documents of a run by their resource's suffix.
var reportFiles = map[string]string{"json": "application/json", "html": "text/html", "md": "text/markdown", "junit.xml": "application/xml", "ctrf.json": "application/json", "qareport.json": "application/json"}

// Resources lists what clients can read: every link in an answer opens here.
func (d *Desk) Resources() []Resource {
	all := []Resource{
		{URI: "assay://runs", Name: "runs", Description: "All stored runs, newest first", MIMEType: "application/json", Read: d.readRuns},
		{URI: "assay://runs/{id}/report.{format}", Name: "report", Description: "A finished run's report as json, html, md, junit.xml, ctrf.json or qareport.json", MIMEType: "application/json", Read: d.readReport},
		{URI: "assay://runs/{id}/artifacts/{name}", Name: "artifact", Description: "A stored file of a run, its hash checked", MIMEType: "application/octet-stream", Read: d.readArtifact},
		{URI: "assay://baselines/{id}", Name: "baseline", Description: "A version of a baseline: pictures, options, environment, who decided on it", MIMEType: "application/json", Read: d.readBaseline},
		{URI: "assay://baselines/{id}/pictures/{sha256}.png", Name: "baseline picture", Description: "A picture of a baseline, or of what differs from it, its hash checked", MIMEType: "image/png", Read: d.readBaselinePicture},
		{URI: "assay://schemas/{name}.json", Name: "schema", Description: "JSON Schemas: " + strings.Join(sortedKeys(Schemas()), ", "), MIMEType: "application/schema+json", Read: readSchema},
	}
	for i := range all {
		all[i].Read = d.masked(all[i].Read)
	}
	return all
}

// Schemas returns the published JSON Schemas of the domain, by name.
func Schemas() map[string]*jsonschema.Schema {
	return map[string]*jsonschema.Schema{
		"flow":           schemaOf[flow.Flow](),
		"task-spec":      schemaOf[qa.TaskSpec](),
		"visual-options": schemaOf[qa.VisualOptions](),
		"finding":        schemaOf[qa.Finding](),
		"check":          schemaOf[qa.Check](),
		"qa-report":      schemaOf[qa.QAReport](),
		"test-result":    schemaOf[qa.TestResult](),
		"checkpoint":     schemaOf[qa.Checkpoint](),
	}
}

func (d *Desk) readRuns(context.Context, string) ([]byte, string, error) {
	runs, err := d.Store.Runs()
	if err != nil {
		return nil, "", err
	}
	if runs == nil {
		runs = []evidence.RunSummary{}
	}
	return engine.JSON(runs), "application/json", nil
}

func (d *Desk) readReport(_ context.Context, uri string) ([]byte, string, error) {
	id, rest, _ := strings.Cut(strings.TrimPrefix(uri, "assay://runs/"), "/")
	format := strings.TrimPrefix(rest, "report.")
	mime, ok := reportFiles[format]
	if !ok {
		return nil, "", fmt.Errorf("%w: %s has no report.%s", ErrNoResource, id, format)
	}
	name := "report." + format
	if strings.Contains(format, ".") { // names that others look for
		name = format
	}
	data, _, err := d.Store.Artifact(id, name)
	return data, mime, absent(err)
}

func (d *Desk) readArtifact(_ context.Context, uri string) ([]byte, string, error) {
	id, rest, _ := strings.Cut(strings.TrimPrefix(uri, "assay://runs/"), "/")
	name, err := url.PathUnescape(strings.TrimPrefix(rest, "artifacts/"))
	if err != nil {
		return nil, "", fmt.Errorf("%w: %s", ErrNoResource, uri)
	}
	data, mime, err := d.Store.Artifact(id, name)
	return data, mime, absent(err)
}

func readSchema(_ context.Context, uri string) ([]byte, string, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(uri, "assay://schemas/"), ".json")
	s, ok := Schemas()[name]
	if !ok {
		return nil, "", fmt.Errorf("%w: schema %q; there are %s", ErrNoResource, name, strings.Join(sortedKeys(Schemas()), ", "))
	}
	return engine.JSON(s), "application/schema+json", nil
}

func absent(err error) error {
	if errors.Is(err, evidence.ErrNotFound) {
		return fmt.Errorf("%w: %w", ErrNoResource, err)
	}
	return err
}
