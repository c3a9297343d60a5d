package heal

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// template is a version of a package, as bench/package.json pins it.
type template struct {
	Package   string `json:"package"` // name@version
	Integrity string `json:"integrity"`
	Site      string `json:"site"`  // folder that is served
	Pages     string `json:"pages"` // folder of its pages below that

	folder string
}

// fetch returns the pinned versions, each old one before its new one. Those that are not
// in the cache yet are fetched by npm.
func fetch(ctx context.Context, manifest, cache string) ([]template, error) {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return nil, err
	}
	var pinned struct{ Templates []template }
	if err := json.Unmarshal(text, &pinned); err != nil {
		return nil, fmt.Errorf("%s: %w", manifest, err)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	cache = cmp.Or(cache, filepath.Join(user, "assay", "bench"))
	var out []template
	for _, t := range pinned.Templates {
		folder := filepath.Join(cache, strings.ReplaceAll(t.Package, "/", "+"))
		if _, err := os.Stat(folder); err != nil {
			if err := t.unpack(ctx, cache, folder); err != nil {
				return nil, fmt.Errorf("fetch %s: %w", t.Package, err)
			}
		}
		t.folder = filepath.Join(folder, t.Site)
		out = append(out, t)
	}
	if len(out) < 2 || len(out)%2 > 0 {
		return nil, fmt.Errorf("%s pins %d templates, and not pairs of an old one and a new one", manifest, len(out))
	}
	return out, nil
}

// unpack fetches a package, checks its digest, and writes its files into a folder.
func (t template) unpack(ctx context.Context, cache, folder string) (err error) {
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(cache, "fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	cmd := exec.CommandContext(ctx, "npm", "pack", t.Package, "--silent", "--pack-destination", temp)
	cmd.Dir = temp
	if said, err := cmd.Output(); err != nil {
		return fmt.Errorf("npm pack: %w: %s", err, said)
	}
	found, err := filepath.Glob(filepath.Join(temp, "*.tgz"))
	if err != nil || len(found) != 1 {
		return errors.Join(err, fmt.Errorf("npm left %d packages", len(found)))
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	if sum := sha512.Sum512(data); "sha512-"+base64.StdEncoding.EncodeToString(sum[:]) != t.Integrity {
		return errors.New("its digest is not the pinned one")
	}
	to := filepath.Join(temp, "files")
	if err := extract(found[0], to); err != nil {
		return err
	}
	return os.Rename(to, folder)
}

func extract(file, to string) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for entries := tar.NewReader(unzipped); ; {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, _ := strings.Cut(h.Name, "/") // package/…
		if h.Typeflag != tar.TypeReg || name == "" {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		data, err := io.ReadAll(entries)
		if err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o600); err != nil {
			return err
		}
	}
}
