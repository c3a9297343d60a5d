// Package login signs roles in and checks their stored sign-ins, for assay login.
//
// It stores a sign-in only after it has worked in a fresh context. It makes no run:
// a sign-in proves nothing.
package login
