package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const modulePath = "github.com/assay-qa/assay"

// moduleProxy writes the module of the commit into a folder, as a Go proxy serves it: what go
// install fetches is tried before a tag is there.
func (b build) moduleProxy(to string) error {
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
	file, err := os.Create(filepath.Join(folder, version.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(file, version, b.source, "HEAD", ""); err != nil {
		_ = file.Close() // the error that counts is the one before
		return fmt.Errorf("the module of HEAD: %w", err)
	}
	return file.Close()
}
