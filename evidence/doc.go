// Package evidence is the memory: it keeps what a run saw and did, so that its
// verdict can be checked by somebody who wasn't there.
//
// A run is a folder of plain files under <data>/runs. Every artefact is stored
// as its original bytes, once, with its SHA-256; events.jsonl is the run's
// event log and its manifest, a chain of lines. The log of the data folder has
// the run's beginning and its end; evidence.json holds the signed statement
// about all files, with the proof that the log names it. report.json appears
// last and whole, or not at all: where it is, everything is.
//
// It refuses to overwrite evidence, to read or write outside its folder, to
// hand out bytes that don't match their digest, and to let a run pass whose
// records could not be kept.
package evidence
