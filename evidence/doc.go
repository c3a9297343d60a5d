// Package evidence is the memory: it keeps what a run saw and did, so that its
// verdict can be checked by somebody who wasn't there.
//
// A run is a folder of plain files under <data>/runs. Every artefact is stored
// as its original bytes, once, with its SHA-256; events.jsonl is the run's
// journal and its manifest; report.json appears last and whole, or not at all.
//
// It refuses to overwrite evidence, to read or write outside its folder, to
// hand out bytes that don't match their digest, and to let a run pass whose
// records could not be kept.
package evidence
