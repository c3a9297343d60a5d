// Package qa holds the judgement: what a task asks, what was checked, what was
// found, and the verdict that follows from those alone.
//
// It is pure: no I/O, no clock, no randomness. A verdict is computed from
// executed checks: no sentence of a model can raise it.
package qa
