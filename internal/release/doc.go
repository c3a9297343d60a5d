// Package release tells what a copy of the program is made of, and how it came to where it
// is: the licences of what is linked into it, and the way it was installed. It upgrades
// nothing and asks no network; where no mechanism tells the way, it says so instead of
// guessing by a path.
package release

import _ "embed" // of the licences

// The texts are written by make generate from the module cache.
//
//go:embed licences.txt
var licences string

// Licences returns the licence of the program and those of everything that is linked into
// it on any system, each with its text.
func Licences() string { return licences }
