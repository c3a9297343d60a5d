package runner

import (
	"encoding/base64"
	"encoding/json"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/disk"
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
// it (E9); nil where nothing failed, there is none, or it can't be read: the answer
// is worth more than its picture. The pictures of computer_action are left to that
// tool, as coordinates count on them.
func (t Toolbox) failurePicture(name string, answer server.Answer) *agent.Image {
	if t.MaxPixels == 0 || name == "computer_action" || len(answer.Pictures) > 0 {
		return nil
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
	if json.Unmarshal(answer.Structured, &e) != nil || e.Screenshot.Path == "" {
		return nil
	}
	said := func(b *bool) bool { return b != nil && !*b }
	if !answer.IsError && !said(e.Data.Passed) && !said(e.Data.Success) {
		return nil
	}
	data, err := disk.ReadPath(e.Screenshot.Path, maxFailureFile)
	if err != nil {
		return nil
	}
	if data, err = visual.JPEG(data, failureWidth, failureQuality, t.MaxPixels); err != nil {
		return nil
	}
	image := &agent.Image{MIMEType: "image/jpeg", Data: base64.StdEncoding.EncodeToString(data)}
	image.Width, image.Height, _ = visual.Size(data) // we have just encoded it
	return image
}
