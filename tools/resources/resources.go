package resources

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/workspace"
)

// Resource holds an address (or a template of addresses) that a client can read.
type Resource struct {
	URI         string
	Name        string
	Description string
	MIMEType    string
	Read        func(ctx context.Context, uri string) (data []byte, mimeType string, err error)
}

// ErrNoResource says that an address names no resource.
var ErrNoResource = errors.New("no such resource")

// reportFiles maps the documents of a run, by their resource's suffix, to
// their MIME types.
var reportFiles = map[string]string{"json": "application/json", "html": "text/html", "md": "text/markdown",
	"junit.xml": "application/xml", "ctrf.json": "application/json", "qareport.json": "application/json"}

// All lists what clients can read: every link in an answer opens here.
func All(ws *workspace.Workspace) []Resource {
	r := reader{ws}
	all := []Resource{
		{URI: "assay://runs", Name: "runs", Description: "All stored runs, newest first", MIMEType: "application/json", Read: r.readRuns},
		{URI: "assay://runs/{id}/report.{format}", Name: "report",
			Description: "A finished run's report as json, html, md, junit.xml, ctrf.json or qareport.json", MIMEType: "application/json", Read: r.readReport},
		{URI: "assay://runs/{id}/artifacts/{name}", Name: "artifact", Description: "A stored file of a run, its hash checked", MIMEType: "application/octet-stream", Read: r.readArtifact},
		{URI: "assay://baselines/{id}", Name: "baseline",
			Description: "A version of a baseline: pictures, options, environment, who decided on it", MIMEType: "application/json", Read: r.readBaseline},
		{URI: "assay://baselines/{id}/pictures/{sha256}.png", Name: "baseline picture",
			Description: "A picture of a baseline, or of what differs from it, its hash checked", MIMEType: "image/png", Read: r.readBaselinePicture},
		{URI: "assay://schemas/{name}.json", Name: "schema", Description: "JSON Schemas: " + strings.Join(schema.SortedKeys(Schemas()), ", "), MIMEType: "application/schema+json", Read: readSchema},
	}
	for i := range all {
		all[i].Read = masked(ws, all[i].Read)
	}
	return all
}

// maxLatest bounds the reports that are listed one by one.
const maxLatest = 10

// Latest lists the newest reports, which the report template of [All] reads.
func Latest(ws *workspace.Workspace) []Resource {
	runs, err := ws.Store.Runs()
	if err != nil {
		ws.Log.Warn("list the latest reports", "err", err)
	}
	var latest []Resource
	for _, run := range runs {
		if run.Status == "" || len(latest) == maxLatest {
			continue
		}
		latest = append(latest, Resource{URI: "assay://runs/" + run.ID + "/report.md", Name: "report " + run.ID, MIMEType: reportFiles["md"],
			Description: fmt.Sprintf("%s: %.100s", run.Status, engine.OneLine(ws.Mask(run.Goal)))})
	}
	return latest
}

// masked hides in what is read what was no secret yet when it was stored.
func masked(ws *workspace.Workspace, read readFunc) readFunc {
	return func(ctx context.Context, uri string) ([]byte, string, error) {
		data, mime, err := read(ctx, uri)
		return ws.MaskFile(mime, data), mime, err
	}
}

// readFunc reads a resource.
type readFunc = func(ctx context.Context, uri string) (data []byte, mimeType string, err error)

// reader reads what resources lead to.
type reader struct{ *workspace.Workspace }

// Schemas returns the published JSON Schemas of the domain, by name. Each is made when it
// is asked for.
func Schemas() map[string]func() *jsonschema.Schema {
	return map[string]func() *jsonschema.Schema{
		"flow":           schema.Of[flow.Flow],
		"task-spec":      schema.Of[qa.TaskSpec],
		"visual-options": schema.Of[qa.VisualOptions],
		"finding":        schema.Of[qa.Finding],
		"check":          schema.Of[qa.Check],
		"qa-report":      schema.Of[qa.QAReport],
		"test-result":    schema.Of[qa.TestResult],
		"checkpoint":     schema.Of[qa.Checkpoint],
	}
}

func (d reader) readRuns(context.Context, string) ([]byte, string, error) {
	runs, err := d.Store.Runs()
	if err != nil {
		return nil, "", err
	}
	if runs == nil {
		runs = []evidence.RunSummary{}
	}
	return engine.JSON(runs), "application/json", nil
}

func (d reader) readReport(_ context.Context, uri string) ([]byte, string, error) {
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

func (d reader) readArtifact(_ context.Context, uri string) ([]byte, string, error) {
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
		return nil, "", fmt.Errorf("%w: schema %q; there are %s", ErrNoResource, name, strings.Join(schema.SortedKeys(Schemas()), ", "))
	}
	return engine.JSON(s()), "application/schema+json", nil
}

func absent(err error) error {
	if errors.Is(err, evidence.ErrNotFound) {
		return fmt.Errorf("%w: %w", ErrNoResource, err)
	}
	return err
}
