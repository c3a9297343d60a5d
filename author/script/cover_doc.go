// cover: finds the assertions of a test file that look for what a task expects:
// by the words that the expectation quotes, the kind of its check, and whether it says
// that something is so or is not. It runs nothing: whether an assertion was reached, and
// whether it can fail, others find out.

package script
