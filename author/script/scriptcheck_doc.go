// scriptcheck: decides whether a test file that a model has written may be run.
// A test is code that runs as the user, so what is not on a list is refused: kinds of
// statements and expressions, names of globals, and names of members wherever they
// stand, called or not. What would let a test pass without looking is refused too:
// skipped, focused and soft tests, sleeps, branches, expectations that nothing awaits
// or that can't fail.
//
// The lists name no member that reaches files, processes, other hosts or code as text.
// What a browser does with a page is the gate's business.

package script
