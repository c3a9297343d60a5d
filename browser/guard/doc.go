// Package guard judges whether an act or a request is destructive: whether it
// deletes, pays, changes credentials or closes an account.
//
// It is pure: texts in, the rule that fits out. Its callers decide whether a
// person is asked, and stop the request. An act is judged by the name that a person
// reads, in whatever spelling, and where there is none by what its author
// called it. A request is judged by its effect: its method and what overrides
// it, the words of its path, and the operation that its body names. No list
// knows all words, so two more things hold: a method that is none of the known
// ones is stopped, and on a production host every request that may change
// something is, unless it is allowed.
package guard
