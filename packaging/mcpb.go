package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/internal/release"
)

// maxBundle bounds a bundle, in bytes: clients download and unpack it whole.
const maxBundle = 30 << 20

// bundle is an MCPB bundle of one system.
type bundle struct {
	path, sha256 string
}

// bundles makes a bundle for each program in a folder.
func (b build) bundles(ctx context.Context, to string) ([]bundle, error) {
	tools, err := b.tools(ctx)
	if err != nil {
		return nil, err
	}
	var made []bundle
	for _, p := range b.programs {
		file := filepath.Join(to, fmt.Sprintf("assay_%s_%s.mcpb", b.version, p.suffix()))
		if err := b.bundle(p, tools, file); err != nil {
			return nil, err
		}
		sum, err := digest(file)
		if err != nil {
			return nil, err
		}
		made = append(made, bundle{file, sum})
	}
	return made, nil
}

// tools returns what the program that runs here says of its tools.
func (b build) tools(ctx context.Context) ([]map[string]string, error) {
	i := slices.IndexFunc(b.programs, func(p program) bool { return p.runsHere })
	if i < 0 {
		return nil, fmt.Errorf("none of %d programs runs on this system, so their tools can't be listed", len(b.programs))
	}
	list := exec.CommandContext(ctx, b.programs[i].path, "tools", "--json")
	list.Env = b.environ
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s tools --json: %w", b.programs[i].path, err)
	}
	var listed []struct{ Name, Description string }
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, fmt.Errorf("%s tools --json: %w", b.programs[i].path, err)
	}
	tools := make([]map[string]string, len(listed))
	for i, t := range listed {
		tools[i] = map[string]string{"name": t.Name, "description": t.Description}
	}
	return tools, nil
}

// bundle writes the bundle of one program. It is not made by mcpb pack, which takes the time
// of the clock: no two builds would be the same.
func (b build) bundle(p program, tools []map[string]string, to string) error {
	manifest, err := b.manifest(p, tools)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(b.source, "LICENSE"))
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"manifest.json": manifest, "LICENSE": licence, "THIRD_PARTY_LICENSES.txt": []byte(release.Licences()),
		"server/" + p.fileName(): program, "server/" + release.MarkerFile: []byte(string(release.ByMCPB) + "\n"),
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := b.deflate(z, name, files[name]); err != nil {
			return fmt.Errorf("%s: %s: %w", to, name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	if out.Len() > maxBundle {
		return fmt.Errorf("%s has %d bytes, %d are allowed: docs/benchmarks.md (The binary) says what takes them", to, out.Len(), maxBundle)
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}

// deflate adds a file with its mode bits. Sizes and checksum stand before it, not behind:
// strict readers want that.
func (b build) deflate(z *zip.Writer, name string, content []byte) error {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content),
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(content))}
	h.SetMode(modeOf(name))
	h.SetModTime(b.time) //nolint:staticcheck // CreateRaw writes this time, and not Modified
	raw, err := z.CreateRaw(h)
	if err != nil {
		return err
	}
	_, err = raw.Write(packed.Bytes())
	return err
}

// manifest returns the manifest of one program: the source's, with what the build knows.
func (b build) manifest(p program, tools []map[string]string) ([]byte, error) {
	var m map[string]any
	if err := readJSON(filepath.Join(b.source, "packaging", "mcpb", "manifest.json"), &m); err != nil {
		return nil, err
	}
	server, ok := m["server"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("packaging/mcpb/manifest.json has no server")
	}
	config, ok := server["mcp_config"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("packaging/mcpb/manifest.json has no server.mcp_config")
	}
	entry := path.Join("server", p.fileName())
	server["entry_point"], config["command"] = entry, "${__dirname}/"+entry
	m["version"], m["tools"] = b.version, tools
	m["compatibility"] = map[string]any{"platforms": []string{p.system}}
	return encoded(m)
}
