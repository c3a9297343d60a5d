// Package pagehealth looks at a page for what anybody would call broken, within a call
// or for assay check, and files it.
//
// What counts as broken, and how certain that is, says qa/health.
package pagehealth
