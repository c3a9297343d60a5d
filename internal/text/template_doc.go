// template: fills in texts: it executes the language of text/template over maps.
//
// It refuses structs, methods and functions but and, or, not, eq and ne.
// text/template calls methods by names that are known only at run time, so
// the linker must keep every method of every type: that costs 3 MB here.

package text
