// Package redact leaves credentials out of addresses, headers and bodies: what
// logs, HAR files and traces keep of a page passes through it.
//
// It decides by names (a header Authorization, a field "password"), so a
// credential under an unremarkable name stays; the values of configured
// secrets are masked elsewhere.
package redact
