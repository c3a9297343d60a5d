// Package auth keeps the storage states with which roles are signed in: where
// they are stored, how they are sealed, who writes them at a time, and which
// of their values must be masked.
//
// A state is a credential. It is written for its owner only, whole or not at
// all, and sealed where a key is configured. No page is needed here: what a
// state means, and how one is obtained, is decided elsewhere.
package auth
