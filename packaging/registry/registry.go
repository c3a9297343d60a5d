// Package registry serves packed npm packages as npm asks a registry for them: what has not
// been published is installed from here.
package registry

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
)

// served is what a registry has at one path.
type served struct {
	path  string
	bytes []byte
}

// New returns the registry of the packages (*.tgz) in a folder. It tells npm that it stands at
// base, an address without a slash at its end. What it doesn't have it hands to others.
func New(folder, base string, others http.Handler) (http.Handler, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no packed npm packages (*.tgz); run: make snapshot", folder)
	}
	var all []served
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		manifest, err := manifestOf(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		tarball := "/-/" + filepath.Base(file)
		manifest["dist"] = map[string]string{"tarball": base + tarball, "integrity": Integrity(packed)}
		version := fmt.Sprint(manifest["version"])
		about, err := json.Marshal(map[string]any{"name": manifest["name"], "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: manifest}})
		if err != nil {
			return nil, err
		}
		all = append(all, served{"/" + fmt.Sprint(manifest["name"]), about}, served{tarball, packed})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(all, func(s served) bool { return s.path == r.URL.Path })
		if i < 0 {
			others.ServeHTTP(w, r)
			return
		}
		_, _ = w.Write(all[i].bytes) // npm tells what it misses
	}), nil
}

// Integrity is a digest as npm writes it.
func Integrity(packed []byte) string {
	sum := sha512.Sum512(packed)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// manifestOf reads the package.json of a packed package.
func manifestOf(file string) (manifest map[string]any, err error) {
	raw, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	unzipped, err := gzip.NewReader(raw)
	if err != nil {
		return nil, err
	}
	for entries := tar.NewReader(unzipped); ; {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the archive has no package/package.json")
		}
		if err != nil {
			return nil, err
		}
		if h.Name == "package/package.json" {
			err = json.NewDecoder(entries).Decode(&manifest)
			return manifest, err
		}
	}
}
