package files_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/suite/queue/files"
)

const token = "a-token-of-this-test"

// serve serves a store, behind what a test puts before it.
func serve(t *testing.T, before func(http.Handler) http.Handler) (files.Client, *ledger.BlobStore) {
	t.Helper()
	store := ledger.OpenBlobs(t.TempDir())
	server := httptest.NewServer(before(files.Handler(store, token, slog.New(slog.DiscardHandler))))
	t.Cleanup(server.Close)
	return files.Client{Address: server.URL, Token: token, HTTP: server.Client()}, store
}

func asItIs(h http.Handler) http.Handler { return h }

// TestBothWays (S4): what a worker sends is what the coordinator keeps, once, and the
// other way round.
func TestBothWays(t *testing.T) {
	t.Parallel()
	var puts atomic.Int32
	c, store := serve(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				puts.Add(1)
			}
			h.ServeHTTP(w, r)
		})
	})
	data := bytes.Repeat([]byte("evidence"), 1<<16)
	for range 2 {
		digest, err := c.Put(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := store.Get(digest)
		if err != nil || !bytes.Equal(kept, data) {
			t.Fatalf("%d bytes are kept, want %d: %v", len(kept), len(data), err)
		}
		got, err := c.Get(t.Context(), digest)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes came back, want %d: %v", len(got), len(data), err)
		}
	}
	if puts.Load() != 1 {
		t.Errorf("the bytes were sent %d times, want once", puts.Load())
	}
	if _, err := c.Get(t.Context(), strings.Repeat("0", 64)); !errors.Is(err, files.ErrMissing) {
		t.Errorf("a blob that nobody sent: %v, want ErrMissing", err)
	}
}

// TestFaultyStorage (S4): answers of 500, answers that break off, and other bytes than the
// asked ones are tried again; when they stay so, they are an error and no bytes.
func TestFaultyStorage(t *testing.T) {
	t.Parallel()
	faults := map[string]func(w http.ResponseWriter, h http.Handler, r *http.Request){
		"500": func(w http.ResponseWriter, _ http.Handler, _ *http.Request) {
			http.Error(w, "no", http.StatusInternalServerError)
		},
		"broken off": func(w http.ResponseWriter, _ http.Handler, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		},
		"other bytes": func(w http.ResponseWriter, _ http.Handler, _ *http.Request) { _, _ = w.Write([]byte("other")) },
	}
	for name, fault := range faults {
		for _, lasting := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", lasting ", lasting), func(t *testing.T) {
				t.Parallel()
				var asked atomic.Int32
				c, store := serve(t, func(h http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						if asked.Add(1) <= 2 || lasting {
							fault(w, h, r)
							return
						}
						h.ServeHTTP(w, r)
					})
				})
				digest, err := store.Put([]byte("right"))
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Get(t.Context(), digest)
				if lasting && (err == nil || got != nil) || !lasting && (err != nil || string(got) != "right") {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
	}
}

// TestRefused (S4): another token, other bytes than the digest says, what is no digest.
func TestRefused(t *testing.T) {
	t.Parallel()
	c, store := serve(t, asItIs)
	digest := ledger.BlobDigest([]byte("right"))
	send := func(method, path, token, body string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, c.Address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := c.HTTP.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
	for _, c := range []struct {
		method, path, token, body string
		want                      int
	}{
		{"PUT", "/sha256/" + digest, "other", "right", http.StatusUnauthorized},
		{"PUT", "/sha256/" + digest, "", "right", http.StatusUnauthorized},
		{"PUT", "/sha256/" + digest, token, "wrong", http.StatusUnprocessableEntity},
		{"GET", "/sha256/../../etc/passwd", token, "", http.StatusNotFound},
		{"GET", "/sha256/" + strings.ToUpper(digest), token, "", http.StatusNotFound},
		{"DELETE", "/sha256/" + digest, token, "", http.StatusMethodNotAllowed},
	} {
		if got := send(c.method, c.path, c.token, c.body); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, got, c.want)
		}
	}
	if _, err := os.Stat(store.Path(digest)); err == nil {
		t.Error("what was refused is kept")
	}
}

// TestTokenInTheClear (S4): the token goes to this machine, or by TLS.
func TestTokenInTheClear(t *testing.T) {
	t.Parallel()
	for address, sent := range map[string]bool{
		"http://127.0.0.1:80": true, "https://files.example:443": true, "http://files.example:80": false, "http://192.0.2.1:80": false, "ftp://127.0.0.1:21": false, "": false,
	} {
		if err := (files.Client{Address: address}).Check(); (err == nil) != sent {
			t.Errorf("%q: %v", address, err)
		}
	}
}
