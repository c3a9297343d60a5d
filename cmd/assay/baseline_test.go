package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// keep VARIABLE capture|propose FOLDER NAME SHADE keeps a picture of one shade
// in a data folder, as a tool does, and puts the version's id into a variable.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: keep variable capture|propose folder name shade")
	}
	shade, err := strconv.Atoi(args[4])
	ts.Check(err)
	img := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range img.Pix {
		img.Pix[i] = uint8(shade)
	}
	img.SetGray(0, 0, color.Gray{})
	var b bytes.Buffer
	ts.Check(png.Encode(&b, img))
	layout, diff := []byte(`{"width":40,"height":30,"elements":[]}`), b.Bytes()
	n := baseline.New{Blobs: map[string][]byte{digest(b.Bytes()): b.Bytes(), digest(layout): layout}}
	n.Name, n.URL = args[3], "http://shop.test/"
	n.Environment = qa.VisualEnvironment{Browser: "chromium", Version: "156.0", Viewport: "1280×720", Scale: 1, Locale: "en-US", Fonts: "f0f0", OS: "linux"}
	n.Pictures = []baseline.Picture{{SHA256: digest(b.Bytes()), Width: 40, Height: 30, Layout: digest(layout)}}
	store, err := baseline.Open(ts.MkAbs(args[2]), time.Now)
	ts.Check(err)
	call := store.Capture
	if args[1] == "propose" {
		call, n.Diffs = store.Propose, []string{digest(diff)}
	}
	v, err := call(context.Background(), n)
	ts.Check(err)
	ts.Setenv(args[0], v.ID)
}

// opened N opens the files that the last command named: N pictures, each with
// the hash that it is named by.
func opened(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: opened number")
	}
	found := regexp.MustCompile(`(?m)([0-9a-f]{12})  (/\S+)$`).FindAllStringSubmatch(ts.ReadFile("stdout"), -1)
	if strconv.Itoa(len(found)) != args[0] {
		ts.Fatalf("%d files are named, want %s", len(found), args[0])
	}
	for _, m := range found {
		data, err := os.ReadFile(filepath.FromSlash(m[2]))
		ts.Check(err)
		if _, err := png.Decode(bytes.NewReader(data)); err != nil || digest(data)[:12] != m[1] {
			ts.Fatalf("%s is not the picture %s: %v", m[2], m[1], err)
		}
	}
}

// spoil FOLDER ID changes the last byte of a version's picture.
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: spoil folder id")
	}
	store, err := baseline.Open(ts.MkAbs(args[0]), time.Now)
	ts.Check(err)
	v, err := store.Get(context.Background(), args[1])
	ts.Check(err)
	file := store.Path(v.Pictures[0].SHA256)
	data, err := os.ReadFile(file)
	ts.Check(err)
	data[len(data)-1] ^= 1
	ts.Check(os.WriteFile(file, data, 0o600))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
