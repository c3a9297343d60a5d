// Package script reads test files: JavaScript and TypeScript, with the parser that the
// runner of Playwright tests bundles, so that what is checked is what runs. What does not
// parse is refused with its line. The parser is a program of Node that is bounded in time,
// memory, input and answer, and that is allowed nothing; nothing that a file points to is
// read.
//
// # What may be run
//
// [Reader.Check] decides whether a test file that a model has written may be run. A test is
// code that runs as the user, so what is not on a list is refused: kinds of statements
// and expressions, names of globals, and names of members wherever they stand, called
// or not. What would let a test pass without looking is refused too: skipped, focused
// and soft tests, sleeps, branches, expectations that nothing awaits or that can't
// fail.
//
// The lists name no member that reaches files, processes, other hosts or code as text.
// What a browser does with a page is the gate's business.
//
// # The normal form
//
// [CompareForms] says whether two versions of a test file test the same. The normal
// form of a file is its syntax tree without layout and comments, in which the locators
// of actions are masked, waits for an element are left out, and time-outs stand beside
// it. Everything else is in it: titles, expectations with matcher, value and locator,
// order, addresses, data.
//
// # Assertions of an expectation
//
// [CoveredBy] finds the assertions of a test file that look for what a task expects: by
// the words that the expectation quotes, the kind of its check, and whether it says
// that something is so or is not. It runs nothing: whether an assertion was reached,
// and whether it can fail, others find out.
package script
