// Package code names the kinds of failure of a call, a step or a check, for
// programs. Codes are stable across versions, and this is their only table: a
// law refuses one as a text anywhere else.
package code
