// Package trust keeps which folders a person trusted, and with which settings.
//
// What a folder says may come from a stranger. A person who trusts it trusts what was there then: the folder's path,
// the values of the settings that take a person's word, and the files that those start, by their digests. The
// package refuses to trust what is another one now. It keeps a record a folder, in the person's own configuration,
// and asks nobody: that is a command's business.
package trust
