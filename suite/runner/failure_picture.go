package runner

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/visual"
)

// What a model is shown of a failure: enough to read the page by, at a fixed price.
const (
	failureWidth   = 1024
	failureQuality = 75
	maxFailureFile = 32 << 20
)

// failurePicture returns the picture that a failed call has filed, as a model is shown
// it (E9); nil where nothing failed or there is none. An error says that it can't be
// shown; the answer holds without it. The pictures of computer_action are left to that
// tool, as coordinates count on them.
func (t Toolbox) failurePicture(name string, answer server.Answer) (*agent.Image, error) {
	if t.MaxPixels == 0 || name == "computer_action" || len(answer.Pictures) > 0 {
		return nil, nil
	}
	var e struct {
		Data struct {
			Passed  *bool `json:"passed"`
			Success *bool `json:"success"`
		} `json:"data"`
		Screenshot struct {
			Path string `json:"path"`
		} `json:"screenshot"`
	}
	if len(answer.Structured) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(answer.Structured, &e); err != nil {
		return nil, fmt.Errorf("the answer of %s can't be read: %w", name, err)
	}
	if e.Screenshot.Path == "" {
		return nil, nil
	}
	said := func(b *bool) bool { return b != nil && !*b }
	if !answer.IsError && !said(e.Data.Passed) && !said(e.Data.Success) {
		return nil, nil
	}
	data, err := disk.ReadPath(e.Screenshot.Path, maxFailureFile)
	if err == nil {
		data, err = visual.JPEG(data, failureWidth, failureQuality, t.MaxPixels)
	}
	if err != nil {
		return nil, fmt.Errorf("the picture of this failure can't be shown: %w", err)
	}
	image := &agent.Image{MIMEType: "image/jpeg", Data: base64.StdEncoding.EncodeToString(data)}
	image.Width, image.Height, _ = visual.Size(data) // we have just encoded it
	return image, nil
}
