package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const modulePath = "github.com/assay-qa/assay"

// moduleProxy writes the module of the commit into a folder, as a Go proxy serves it: what go
// install fetches is tried before a tag is there.
func (b build) moduleProxy(ctx context.Context, to string) (err error) {
	version := module.Version{Path: modulePath, Version: "v" + b.version}
	folder := filepath.Join(to, filepath.FromSlash(modulePath), "@v")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	goMod, err := os.ReadFile(filepath.Join(b.source, "go.mod"))
	if err != nil {
		return err
	}
	info, err := encoded(map[string]string{"Version": version.Version, "Time": b.time.Format(time.RFC3339)})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"list": []byte(version.Version + "\n"), version.Version + ".mod": goMod, version.Version + ".info": info} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	tree, err := os.MkdirTemp("", "assay-module-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tree)) }()
	if err := b.checkOut(ctx, tree); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(folder, version.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(file, version, tree); err != nil {
		return fmt.Errorf("the module of HEAD: %w", errors.Join(err, file.Close()))
	}
	return file.Close()
}

// checkOut writes the files of HEAD into a folder.
func (b build) checkOut(ctx context.Context, to string) error {
	archive := exec.CommandContext(ctx, "git", "-C", b.source, "archive", "--format=tar", "HEAD")
	archive.Env = b.environ
	var said bytes.Buffer
	archive.Stderr = &said
	out, err := archive.Output()
	if err != nil {
		return fmt.Errorf("git archive: %w: %s", err, said.String())
	}
	for entries := tar.NewReader(bytes.NewReader(out)); ; {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("git archive: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			return fmt.Errorf("git archive: %s: %w", h.Name, err)
		}
		path := filepath.Join(to, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
}
