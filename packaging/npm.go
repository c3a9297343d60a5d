package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/assay-qa/assay/internal/release"
)

const (
	npmName   = "assay-qa"
	npmScope  = "@assay-qa/"
	mcpName   = "io.github.assay-qa/assay"
	minNode   = ">=18"
	inPackage = "bin" // folder of the program in its package
)

// npmPackage is a package.json, with its fields in the order in which people write them.
type npmPackage struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	MCPName      string            `json:"mcpName,omitempty"` // the MCP registry asks for it
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Homepage     string            `json:"homepage"`
	Repository   map[string]string `json:"repository"`
	Bin          map[string]string `json:"bin,omitempty"`
	Files        []string          `json:"files"`
	Engines      map[string]string `json:"engines,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Unplugged    bool              `json:"preferUnplugged,omitempty"` // a program can't be started from Yarn's zip files
	Dependencies map[string]string `json:"optionalDependencies,omitempty"`
}

// packagedProgram is what the launcher knows of the program of a platform.
type packagedProgram struct {
	Package string `json:"package"`
	Path    string `json:"path"`
	SHA256  string `json:"sha256"`
}

// npmPackages packs a package for each program, and the one that starts them, into a folder.
func (b build) npmPackages(ctx context.Context, to string) (packed []string, err error) {
	if err := os.RemoveAll(to); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	stage, err := os.MkdirTemp("", "assay-npm-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	main := b.npmPackage(npmName, "Browser QA whose verdicts can be trusted: an MCP server and a command.")
	main.MCPName, main.Files = mcpName, []string{"launcher.cjs", "programs.json", "THIRD_PARTY_LICENSES.txt"}
	main.Bin = map[string]string{npmName: "launcher.cjs", "assay": "launcher.cjs"}
	main.Engines, main.Dependencies = map[string]string{"node": minNode}, map[string]string{}
	programs := map[string]packagedProgram{}
	for _, p := range b.programs {
		own := b.npmPackage(npmScope+p.suffix(), "The program of assay-qa for "+p.suffix()+".")
		own.Files, own.OS, own.CPU, own.Unplugged = []string{inPackage, "THIRD_PARTY_LICENSES.txt"}, []string{p.system}, p.arches, true
		main.Dependencies[own.Name] = b.version
		for _, arch := range p.arches {
			programs[p.system+"-"+arch] = packagedProgram{own.Name, inPackage + "/" + p.fileName(), p.sha256}
		}
		file, err := b.pack(ctx, own, filepath.Join(stage, p.suffix()), to, map[string]string{inPackage + "/" + p.fileName(): p.path},
			map[string]string{inPackage + "/" + release.MarkerFile: string(release.ByNPM) + "\n", "README.md": own.Description + " It is installed with assay-qa: <" + repository + ">\n"})
		if err != nil {
			return nil, err
		}
		packed = append(packed, file)
	}
	known, err := encoded(programs)
	if err != nil {
		return nil, err
	}
	sources := filepath.Join(b.source, "packaging", "npm")
	file, err := b.pack(ctx, main, filepath.Join(stage, npmName), to,
		map[string]string{"launcher.cjs": filepath.Join(sources, "launcher.cjs"), "README.md": filepath.Join(sources, "README.md")}, map[string]string{"programs.json": string(known)})
	return append(packed, file), err
}

func (b build) npmPackage(name, description string) npmPackage {
	return npmPackage{Name: name, Version: b.version, Description: description, License: "Apache-2.0", Homepage: repository,
		Repository: map[string]string{"type": "git", "url": "git+" + repository + ".git"}}
}

// pack lays out a package and lets npm make its tarball, whose digest npm files and checks.
// Copies are files by their paths in the package, texts what else is written there.
func (b build) pack(ctx context.Context, p npmPackage, stage, to string, copies, texts map[string]string) (string, error) {
	manifest, err := encoded(p)
	if err != nil {
		return "", err
	}
	texts["package.json"] = string(manifest)
	copies["LICENSE"] = filepath.Join(b.source, "LICENSE")
	copies["THIRD_PARTY_LICENSES.txt"] = filepath.Join(b.source, "internal", "release", "licences.txt")
	if err := layOut(stage, copies, texts); err != nil {
		return "", err
	}
	npm := exec.CommandContext(ctx, "npm", "pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", to, stage)
	npm.Env = b.environ
	var said bytes.Buffer
	npm.Stderr = &said
	out, err := npm.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w: %s", p.Name, err, said.String())
	}
	var packed []struct{ Filename string }
	if err := json.Unmarshal(out, &packed); err != nil {
		return "", fmt.Errorf("npm pack %s printed %.200q, which is no JSON: %w", p.Name, out, err)
	}
	if len(packed) != 1 {
		return "", fmt.Errorf("npm pack %s says that it made %d packages: %.200q", p.Name, len(packed), out)
	}
	return filepath.Join(to, packed[0].Filename), nil
}

// layOut fills a new folder with copies of files and with texts, by their paths in it.
func layOut(folder string, copies, texts map[string]string) error {
	contents := map[string][]byte{}
	for name, from := range copies {
		raw, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		contents[name] = raw
	}
	for name, text := range texts {
		contents[name] = []byte(text)
	}
	for name, content := range contents {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, modeOf(name)); err != nil {
			return err
		}
	}
	return nil
}

// modeOf returns the mode bits of a file in a package.
func modeOf(name string) fs.FileMode {
	switch filepath.Base(name) {
	case "assay", "assay.exe", "launcher.cjs":
		return 0o755
	}
	return 0o644
}
