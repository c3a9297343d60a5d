// Package kpi decides what the figures of a page mean: it reads numbers as
// people write them, picks the value that belongs to a label from a page's
// texts and boxes, compares it with the expected one, and says what a wrong one
// looks like.
//
// It depends on no browser, no clock and no oracle: texts and expected values come
// in, judgements go out. It never guesses: what reads as two numbers stays two.
package kpi
