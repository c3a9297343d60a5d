package qa

import (
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Box holds a rectangle of a picture, in its pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// VisualOptions say how a picture is captured and compared. Those that a
// baseline was captured with hold for its comparisons where these give none.
type VisualOptions struct {
	FullPage           *bool              `json:"full_page,omitempty" jsonschema:"the whole scrollable page; default true"`
	Mask               []string           `json:"mask,omitempty" jsonschema:"selectors or box=x,y,width,height"`
	Ignore             []string           `json:"ignore,omitempty" jsonschema:"left out: selectors, box=x,y,width,height"`
	Threshold          *float64           `json:"threshold,omitempty" jsonschema:"share that may differ, 0 to 1"`
	Engine             string             `json:"engine,omitempty" jsonschema:"builtin (default) or pixelmatch: opaque pictures only"`
	NamedChanges       string             `json:"named_changes,omitempty" jsonschema:"fail (default) whatever the threshold, or ignore"`
	Components         map[string]float64 `json:"components,omitempty" jsonschema:"selector to the share of its own pixels that may differ"`
	IgnoreColors       *bool              `json:"ignore_colors,omitempty" jsonschema:"compare brightness only"`
	IgnoreAntialiasing *bool              `json:"ignore_antialiasing,omitempty" jsonschema:"default true"`
	Freeze             *time.Time         `json:"freeze,omitempty" jsonschema:"reload with the clock standing at this time and a fixed Math.random"`
}

// VisualCheck holds one picture that a task compares with its baseline, on the
// page as the task opens it.
type VisualCheck struct {
	Name     string `json:"name" jsonschema:"name of the baseline"`
	Selector string `json:"selector,omitempty" jsonschema:"one element only; default: the page"`
	VisualOptions
}

// VisualEnvironment holds what a picture depends on beside the page. Pictures
// that differ in it can differ without any fault of the page.
type VisualEnvironment struct {
	Browser  string  `json:"browser"` // chromium, firefox or webkit
	Version  string  `json:"version"`
	Viewport string  `json:"viewport"` // CSS pixels, such as 1280×720
	Scale    float64 `json:"scale"`    // device pixels for a CSS pixel
	Locale   string  `json:"locale"`
	Fonts    string  `json:"fonts"` // SHA-256 of a specimen as this browser paints it
	OS       string  `json:"os"`
}

// VisualRow holds one picture beside its baseline.
type VisualRow struct {
	Name           string            `json:"name"`           // of the baseline
	Part           string            `json:"part,omitempty"` // the element's selector; empty: the page
	Status         VisualStatus      `json:"status"`
	Reason         pagetext.Sentence `json:"reason"`                // one sentence: what decided
	BaselineID     string            `json:"baselineId,omitempty"`  // of the version that it was compared with
	Version        int               `json:"version,omitempty"`     // of the baseline
	Approved       bool              `json:"approved"`              // a person has approved that version
	ProposalID     string            `json:"proposalId,omitempty"`  // what a person can approve, if the change is wanted
	DiffPercentage float64           `json:"diffPercentage"`        // changedPixels of comparedPixels
	Threshold      float64           `json:"threshold"`             // share, 0 to 1, that decided
	ChangedPixels  int               `json:"changedPixels"`         // that count: perceived as another colour, or in a pale area
	RawPixels      int               `json:"rawPixels"`             // different in any bit
	PalePixels     int               `json:"palePixels,omitempty"`  // those of them in large areas that changed too little to be perceived each by itself
	Compared       int               `json:"comparedPixels"`        // all but the ignored ones
	Regions        []VisualRegion    `json:"regions"`               // causes first
	Omitted        int               `json:"omitted,omitempty"`     // regions beyond the list
	BeforeSize     string            `json:"beforeSize,omitempty"`  // such as 1280×720
	AfterSize      string            `json:"afterSize,omitempty"`   //
	Before         string            `json:"before,omitempty"`      // stored picture of the baseline
	After          string            `json:"after,omitempty"`       // stored picture of the page now
	Diff           string            `json:"diff,omitempty"`        // stored picture of what differs
	Environment    []string          `json:"environment,omitempty"` // in what the environments differ, such as "fonts differ"
}

// VisualStatus names the outcome of comparing one picture.
type VisualStatus string

// The outcomes of a picture's comparison. Same and within let a run pass;
// changed and size fail it; the others were not compared, so they make it
// inconclusive.
const (
	VisualSame      VisualStatus = "same"        // no pixel differs that counts
	VisualWithin    VisualStatus = "within"      // it differs by no more than the threshold
	VisualChanged   VisualStatus = "changed"     // it differs by more
	VisualSize      VisualStatus = "size"        // the picture has another size
	VisualCaptured  VisualStatus = "captured"    // there was no baseline: this picture is one now, unapproved
	VisualForeign   VisualStatus = "environment" // it differs, and was made in another environment than its baseline
	VisualUnsettled VisualStatus = "unsettled"   // the page did not come to rest, or shows only elsewhere what the picture lacks
)

// VisualRegion holds a place where a picture differs, and what is behind it.
type VisualRegion struct {
	Box           Box          `json:"box"`
	Selector      string       `json:"selector,omitempty"` // of the element; as the page is now, or as it was for a removed one
	Kind          VisualChange `json:"kind"`
	Property      string       `json:"property,omitempty"` // of style: which one, such as background-color
	From          string       `json:"from,omitempty"`     // the page's words, or a value
	To            string       `json:"to,omitempty"`
	Text          string       `json:"text"`            // a sentence
	Cause         bool         `json:"cause"`           // false: it follows from another region's change
	Named         bool         `json:"named,omitempty"` // anybody would name it: it fails whatever the threshold, unless that is switched off
	Pale          bool         `json:"pale,omitempty"`  // the change is too faint for the perceptual count
	ChangedPixels int          `json:"changedPixels"`   // that count: perceived, or in a pale area
	RawPixels     int          `json:"rawPixels"`
}

// VisualChange names how an element changed.
type VisualChange string

// The changes that are distinguished.
const (
	ChangeAdded   VisualChange = "added"
	ChangeRemoved VisualChange = "removed"
	ChangeMoved   VisualChange = "moved"
	ChangeResized VisualChange = "resized"
	ChangeText    VisualChange = "text"
	ChangeStyle   VisualChange = "style"
	ChangeImage   VisualChange = "image"
	ChangePixels  VisualChange = "pixels" // it is painted differently, and nothing we read of it says why
)
