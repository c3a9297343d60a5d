// Package element describes elements of pages, and says which element of a page is the one that a locator used to lead
// to, if any is: by how much of what is known of the old one its candidates share, and
// by how far the best of them is ahead of the next. Where it is not sure it says so.
package element
