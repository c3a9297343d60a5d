// Package prove shows that tests can fail. It runs each test on the page as it
// is, then with one fault at a time brought about in what the page is delivered
// or shows, and reports which of its expectations notice.
//
// A fault counts only if it reached the page, and if the test passed without it
// before and after.
package prove
