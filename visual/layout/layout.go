// Package layout says which elements are behind the places in which two
// pictures of a page differ. It works on maps of what the page consisted of
// when each picture was taken; of pixels it gets counts, and it sees no page.
package layout

import "github.com/assay-qa/assay/qa"

// Map holds what a page consisted of when its picture was taken, in the order of
// the document.
type Map struct {
	Version  int       `json:"version,omitempty"` // [Current], or that of a map from before
	Width    int       `json:"width"`             // of the picture, in its pixels
	Height   int       `json:"height"`
	Elements []Element `json:"elements"`
	Covered  []qa.Box  `json:"-"` // places that were not seen: painted over, or left out of the comparison
}

// Current numbers the version of maps that are made now.
const Current = 2

// Differences describes how the pictures of two maps differ.
type Differences struct {
	Places []qa.VisualRegion // where pixels differ that count
	Slight []qa.Box          // where others differ: by smoothing, or faintly

	// Count says how many pixels of a box were perceived as changed, and how many
	// are different to the eye at all. Without it no change is named: the pictures
	// can't be laid over each other.
	Count func(qa.Box) (changed, visible int)
}

// Element describes one element that had a box in the picture.
type Element struct {
	Selector string            `json:"selector"` // a snapshot line or another selector that finds it
	Path     string            `json:"path"`     // its step from its parent: tag, id, classes and place, such as div#total.card[2]
	Parent   int               `json:"parent"`   // index in Elements; -1: none
	X        int               `json:"x"`        // of the picture, in its pixels
	Y        int               `json:"y"`
	Width    int               `json:"width"`
	Height   int               `json:"height"`
	Offset   [2]int            `json:"offset,omitzero"`  // what rounding took from X and Y, in 64ths of a pixel: texts are painted there
	Text     string            `json:"text,omitempty"`   // its own, without its children's, in part if long
	Image    string            `json:"image,omitempty"`  // what it shows: source, or a digest of its vector or canvas
	Styles   map[string]string `json:"styles,omitempty"` // computed, those that can change how it looks
}
