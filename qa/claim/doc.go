// Package claim reads what an expectation in words says of a page: it parses a
// sentence by closed forms into claims, each with the one kind of check that
// proves it. A form fits the whole sentence, every word accounted for, or not at
// all; a sentence that can be read in two ways is not read. So whatever is read
// is meant, and whatever is not read proves nothing.
//
// It refuses to guess: conditions, alternatives, hedges, double denials and names
// without quotation marks that could be something else are unread, with the
// nearest form to write instead. Languages are tables of words and forms, which
// one matcher reads. It does no I/O and depends on no page: texts and selectors are
// compared elsewhere.
package claim
