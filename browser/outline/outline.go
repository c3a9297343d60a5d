// Package outline holds the scripts that read a page: what its elements are, what they are
// called, and how they are found again. They are one engine for our own sessions, and one
// function for pages that others work, such as those of Playwright's runner; both are made of
// the same parts, so that an element is described in one way wherever it is met.
package outline

import (
	"embed"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/assay-qa/assay/browser/readingorder"
)

//go:embed *.js
var sources embed.FS

// describing lists the parts that tell what an element is and how it is found, in the order
// in which they build on each other.
func describing() []string {
	return strings.Fields("dom text_forms aria_roles accessible_names secret_fields screen_order outline_index line_decorations element_locators")
}

// Engine returns the script of the selector engine.
func Engine() (string, error) {
	return script("(() => {\n'use strict';\n", engineParts(), "\nreturn { queryAll };\n})()")
}

// Recorder returns an expression that makes what a recorder of a person's acts asks of a document;
// see recorded_acts.js.
func Recorder() (string, error) {
	return script("(() => {\n'use strict';\n", append(engineParts(), "recorded_acts"), "\nreturn askedByRecorder;\n})()")
}

func engineParts() []string {
	return append(describing(), strings.Fields(`scriptless_document line_search outline_print
		selector_engine cells_by_heads activation control_state element_at_point element_identity element_facts comparable_pose
		element_layout visibility_rules ending_animations visible_texts typed_values
		prepared_act visible_element named_element brought_by_scrolling outline_visibility_marks
		unaccounted_paint number_writing element_property blink text_visibility altered_since stood_before texts_of_document unrendered_rows
		figures_on_page page_rest page_waits scrolled_through seen_in_place outline_changes late_shifts icon_glyphs page_health page_scan
		observed_from_start shown_words`)...)
}

// Survey returns a function of a page that describes elements: (elements, {all}) returns
// those given, or, with all, those of the document of the first that can be worked or read.
func Survey() (string, error) {
	return script("(given, options) => {\n'use strict';\n", append(describing(), "survey"), "\nreturn survey(given, options || {});\n}")
}

// Observer returns the script that observes each document until the engine comes.
func Observer() (string, error) {
	parts, err := sourcesOf("scriptless_document", "observed_from_start")
	return compact("{\n" + parts + "\n}"), err
}

// Scriptless returns the script for the page's own world that keeps callbacks from documents
// whose scripts are blocked, and which no other document can reach.
func Scriptless() (string, error) {
	part, err := sourcesOf("scriptless_document")
	return compact("if (self.origin === 'null') {\n" + part + "\n}"), err
}

func sourcesOf(parts ...string) (string, error) {
	var b strings.Builder
	for _, part := range parts {
		text, err := sources.ReadFile(part + ".js")
		if err != nil {
			return "", fmt.Errorf("read the scripts of pages: %w", err)
		}
		b.Write(text)
	}
	return b.String(), nil
}

func script(begin string, parts []string, end string) (string, error) {
	text, err := sourcesOf(parts...)
	return compact(begin + readingorder.Script() + text + end), err
}

// compact returns a script without its indentation and its lines of comment, and in ASCII
// alone: every document compiles it, and V8 keeps and reads a text twice as large where one
// letter of it is beyond Latin-1. A literal of several lines loses its indentation, too.
func compact(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "//") {
			continue
		}
		for _, r := range line {
			if r < 0x80 {
				b.WriteByte(byte(r))
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04x", unit)
			}
		}
	}
	return b.String()
}
