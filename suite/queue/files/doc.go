// Package files moves what a case needs and what came of it between the coordinator of a
// suite and its workers: by SHA-256, over HTTP, with a token. The queue carries no evidence.
//
//	GET /sha256/DIGEST    the bytes, or 404
//	HEAD /sha256/DIGEST   whether they are there
//	PUT /sha256/DIGEST    keeps the bytes of the body; 422 if they have another digest
package files
