package files

import (
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

const path = "/sha256/"

// Handler serves the blobs of a store to whoever has the token.
func Handler(store *ledger.BlobStore, token string, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || token == "" || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.Error(w, "the token is missing or another one", http.StatusUnauthorized)
			return
		}
		digest, ok := strings.CutPrefix(r.URL.Path, path)
		if !ok || !ledger.ValidDigest(digest) {
			http.Error(w, "ask for /sha256/ and 64 digits from 0 to f", http.StatusNotFound)
			return
		}
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			send(w, r, store, digest, log)
		case http.MethodPut:
			keep(w, r, store, digest, log)
		default:
			w.Header().Set("Allow", "GET, HEAD, PUT")
			http.Error(w, "use GET, HEAD or PUT", http.StatusMethodNotAllowed)
		}
	})
}

func send(w http.ResponseWriter, r *http.Request, store *ledger.BlobStore, digest string, log *slog.Logger) {
	data, err := store.Get(digest)
	if err != nil { // what is damaged is as good as not there: its owner keeps it again
		log.Debug("a blob was asked for that is not there", "sha256", digest, "err", err)
		http.Error(w, "there is no such blob", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method == http.MethodHead {
		return
	}
	if _, err := w.Write(data); err != nil {
		log.Debug("who asked for a blob went away", "sha256", digest, "err", err)
	}
}

func keep(w http.ResponseWriter, r *http.Request, store *ledger.BlobStore, digest string, log *slog.Logger) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, ledger.MaxBlob))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		http.Error(w, "a blob has "+strconv.Itoa(ledger.MaxBlob)+" bytes at most", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "the body ended early", http.StatusBadRequest)
		return
	}
	if have := ledger.BlobDigest(data); have != digest {
		http.Error(w, "the bytes have the SHA-256 "+have, http.StatusUnprocessableEntity)
		return
	}
	if _, err := store.Put(data); err != nil {
		log.Error("keep a blob of a worker", "sha256", digest, "err", disk.Explain(err))
		http.Error(w, "the blob could not be kept: "+disk.Explain(err).Error(), http.StatusInsufficientStorage)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
