// Package auth keeps the storage states with which roles are signed in: where
// they lie, how they are sealed, who writes them at a time, and which of their
// values must be shown to nobody.
//
// A state is a credential. It is written for its owner only, whole or not at
// all, and sealed where a key is configured. The package knows no page: what a
// state means, and how one is had, is decided elsewhere.
package auth
