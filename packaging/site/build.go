// Package site makes the pages of the documentation: those of README.md and docs/, and one for
// each tool and each command. The pages work without a server and ask no network for anything.
package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Build says what pages are made of.
type Build struct {
	Source  string // the top of the tree
	Program string // the built program, which is asked for its help
	Version string // that the pages show
	Environ []string
}

// page is a document of Markdown, by its path below the top.
type page struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// section is a part of the navigation.
type section struct {
	Title string   `json:"title"`
	Pages []string `json:"pages"`
}

// mark is a file that each site has, and a folder of something else doesn't.
const mark = "assets/search-index.js"

// Write makes the pages in a folder. Of a site that was made there before, everything is deleted;
// a folder with anything else is refused.
func (b Build) Write(ctx context.Context, to string) (err error) {
	pages, err := b.pages(ctx)
	if err != nil {
		return err
	}
	sections, err := b.navigation(pages)
	if err != nil {
		return err
	}
	source, err := filepath.Abs(b.Source)
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	if err := makeRoom(source, to); err != nil {
		return err
	}
	stage, err := os.MkdirTemp("", "assay-site-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	raw, err := json.Marshal(map[string]any{"source": source, "version": b.Version, "pages": pages, "sections": sections})
	if err != nil {
		return err
	}
	content := filepath.Join(stage, "content.json")
	if err := os.WriteFile(content, raw, 0o600); err != nil {
		return err
	}
	if err := b.generate(ctx, content, to); err != nil {
		return err
	}
	return b.copyPictures(to)
}

// makeRoom empties the folder of the pages and marks it as one, if all that it has is an older site.
func makeRoom(source, to string) error {
	entries, err := os.ReadDir(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the pages can't be made in %s: %w; name a new folder", to, err)
	}
	marked := filepath.Join(to, filepath.FromSlash(mark))
	if err == nil {
		if within, err := isWithin(source, to); err != nil {
			return err
		} else if within {
			return fmt.Errorf("the pages can't be made in %s: it has the source, and what is in it would be deleted; name a new folder, as make site does with dist/site", to)
		}
		if _, err := os.Lstat(marked); err != nil && len(entries) > 0 {
			return fmt.Errorf("the pages can't be made in %s: it has %d entries and no %s, so it is no older site, and what is in it would be deleted; "+
				"name a new folder, or empty this one", to, len(entries), mark)
		}
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(marked), 0o755); err != nil {
		return err
	}
	return os.WriteFile(marked, nil, 0o644) // the index comes last: a site that was not finished is one, too
}

// isWithin reports whether a folder is another one, or lies below it, by whatever names.
func isWithin(folder, other string) (bool, error) {
	looked, err := os.Stat(other)
	if err != nil {
		return false, err
	}
	at, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false, err
	}
	for {
		info, err := os.Stat(at)
		if err != nil || os.SameFile(info, looked) {
			return err == nil, err
		}
		parent := filepath.Dir(at)
		if parent == at {
			return false, nil
		}
		at = parent
	}
}

// generate has Eleventy make HTML of the content.
func (b Build) generate(ctx context.Context, content, to string) error {
	folder := filepath.Join(b.Source, "packaging", "site")
	program := filepath.Join("node_modules", "@11ty", "eleventy", "cmd.cjs")
	if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
		return fmt.Errorf("the generator of the pages is not there: %w; run: npm ci --prefix packaging/site, or make site, which does it", err)
	}
	relative, err := filepath.Abs(folder)
	if err == nil {
		relative, err = filepath.Rel(relative, to)
	}
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "node", program, "--quiet", "--output="+filepath.ToSlash(relative))
	cmd.Dir = folder
	cmd.Env = append(slices.Clone(b.Environ), "SITE_CONTENT="+content)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("make the pages with Eleventy: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

// copyPictures puts the pictures that documents show beside their pages.
func (b Build) copyPictures(to string) error {
	pictures, err := files(b.Source, "docs/*.png", "docs/*/*.png", "docs/*.svg", "docs/*/*.svg")
	if err != nil {
		return err
	}
	for _, name := range pictures {
		raw, err := os.ReadFile(filepath.Join(b.Source, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		file := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, raw, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages returns all documents: those that are written, and those that are made here.
func (b Build) pages(ctx context.Context) ([]page, error) {
	names, err := documents(b.Source)
	if err != nil {
		return nil, err
	}
	catalogue := Catalogue()
	var all []page
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(b.Source, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(string(raw), "\r\n", "\n")
		if name == "docs/tools.md" {
			for _, t := range catalogue {
				heading := "\n## " + t.Definition.Name + "\n"
				text = strings.Replace(text, heading, heading+"\n[A call, and its answer](../tools/"+t.Definition.Name+".md)\n", 1)
			}
		}
		all = append(all, page{Path: name, Text: text})
	}
	ofTools, err := toolPages(catalogue)
	if err != nil {
		return nil, err
	}
	ofCommands, err := commandPages(ctx, b.ask)
	if err != nil {
		return nil, err
	}
	settings, err := b.settingsPage(ctx)
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(b.Source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	all = append(append(append(all, ofTools...), ofCommands...), settings)
	return append(all, page{Path: "LICENSE.md", Text: "# Licence\n\nassay is free software, under the Apache License 2.0. `assay licenses` prints those of what is linked into it.\n\n" +
		"```text\n" + string(licence) + "```\n"}), nil
}

// documents are the files of Markdown that a reader of the site is given, by their paths.
func documents(source string) ([]string, error) {
	return files(source, "*.md", "docs/*.md", "docs/*/*.md")
}

// files are those of patterns, by their paths below the top of the tree.
func files(source string, patterns ...string) ([]string, error) {
	var out []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(source, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name, err := filepath.Rel(source, file)
			if err != nil {
				return nil, err
			}
			out = append(out, filepath.ToSlash(name))
		}
	}
	return out, nil
}

// ask runs the program, and returns what it prints.
func (b Build) ask(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, b.Program, args...)
	cmd.Env = b.Environ
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(b.Program), strings.Join(args, " "), err, said.String())
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n"), nil
}

// settingsPage shows each setting as a flag, and the file with all of them.
func (b Build) settingsPage(ctx context.Context) (page, error) {
	listed, err := b.ask(ctx, "help", "settings")
	if err != nil {
		return page{}, err
	}
	file, err := os.ReadFile(filepath.Join(b.Source, "mcp.toml.example"))
	if err != nil {
		return page{}, err
	}
	about, flags, _ := strings.Cut(listed, "\n\n")
	text := "# Settings\n\n" + asMarkdown(about) + "\n\n## Every setting, in mcp.toml\n\nThis is `mcp.toml.example`: each setting with its default.\n\n```toml\n" +
		strings.ReplaceAll(string(file), "\r\n", "\n") + "```\n\n## Every setting, as a flag\n\n```text\n" + flags + "```\n"
	return page{Path: "settings.md", Text: text}, nil
}

// navigation reads the order of the pages. A page that it does not name would not be found,
// so that is an error, as is a name without a page.
func (b Build) navigation(pages []page) ([]section, error) {
	const name = "packaging/site/navigation.json"
	raw, err := os.ReadFile(filepath.Join(b.Source, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	var sections []section
	if err := json.Unmarshal(raw, &sections); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	left := map[string]bool{}
	for _, p := range pages {
		left[p.Path] = true
	}
	var named []section
	for _, s := range sections {
		var inSection []string
		for _, entry := range s.Pages {
			before := len(inSection)
			for _, p := range pages {
				if is, err := path.Match(entry, p.Path); err != nil {
					return nil, fmt.Errorf("%s: %q: %w", name, entry, err)
				} else if is && left[p.Path] {
					inSection = append(inSection, p.Path)
					delete(left, p.Path)
				}
			}
			if len(inSection) == before {
				return nil, fmt.Errorf("%s: the section %q names %s, which is no page or is named before: take it away", name, s.Title, entry)
			}
		}
		if len(inSection) > 0 {
			named = append(named, section{s.Title, inSection})
		}
	}
	for _, p := range pages {
		if left[p.Path] {
			return nil, fmt.Errorf("%s names no place for %s, so no reader would find it: add its path to the section where it belongs", name, p.Path)
		}
	}
	return named, nil
}
