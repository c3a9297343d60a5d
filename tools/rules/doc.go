// Package rules says what this build accepts in flows and tasks beyond their form:
// addresses, selectors, pointers and names of KPIs.
//
// It opens no page: whoever reads a file can refuse it before a browser runs.
package rules
