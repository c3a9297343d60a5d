// Package author explores sites with sessions of a workspace: it signs roles
// in, keeps what is found in a folder, and runs several sites side by side.
//
// What an exploration does says author/explore; this room gives it pages to
// work on.
package author
