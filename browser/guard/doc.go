// Package guard judges whether an act or a request is destructive: whether it
// deletes, pays, changes credentials or closes an account.
//
// It is pure: texts in, the rule that fits out. Its callers ask a person and
// stop the request. An act is judged by the name that a person reads, in
// whatever spelling, and without one by the name in its code. A request is
// judged by its effect: its method and what overrides it, the words of its
// path, and the operation that its body names. No list holds all words, so two
// more rules apply: an unknown method is stopped, and on a production host
// every request that may change something is, unless it is allowed.
package guard
