package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/packaging/site"
)

// docs packs the pages of the documentation, to be read without a network.
func (b build) docs(ctx context.Context, to string) (file string, err error) {
	i := slices.IndexFunc(b.programs, func(p program) bool { return p.runsHere })
	if i < 0 {
		return "", fmt.Errorf("none of %d programs runs on this system, so their help can't be asked for", len(b.programs))
	}
	program, err := filepath.Abs(b.programs[i].path)
	if err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp("", "assay-docs-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	name := "assay_" + b.version + "_docs"
	if err := (site.Build{Source: b.source, Program: program, Version: b.version, Environ: b.environ}).Write(ctx, filepath.Join(stage, name)); err != nil {
		return "", err
	}
	file = filepath.Join(to, name+".tar.gz")
	return file, b.archive(stage, file)
}

// archive packs the files of a folder in their order, each with the time of the commit: the
// same files make the same bytes.
func (b build) archive(folder, to string) (err error) {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	packed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	entries := tar.NewWriter(packed)
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if err := entries.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(content)), ModTime: b.time}); err != nil {
			return err
		}
		_, err = entries.Write(content)
		return err
	}); err != nil {
		return err
	}
	return errors.Join(entries.Close(), packed.Close())
}
