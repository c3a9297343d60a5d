// Package heal finds out why tests fail, and gives the acts of those whose element has
// moved its new locator. Nothing else of a test changes: what it expects, its data, its
// order and its titles are held by comparing normal forms.
//
// A test counts as healed once it is green ten times in a row and notices every fault
// that it noticed before. What is not sure is a proposal to a person, and an element
// that nothing on the page comes near to is a finding.
package heal
