package wiring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/internal/trust"
)

// FindUpwards returns the file called name of the folder start, or of the nearest folder above it up to the root of the
// repository that start is in, which is the folder with .git. It is empty where there is none. No folder above is looked
// in outside of a repository, or where a folder on the way to its root, or its .git, is not of the user that start is of:
// it may be anybody's.
func FindUpwards(start, name string) (string, error) {
	folder, err := filepath.Abs(start)
	if err != nil {
		return "", config.Usage("find out where %s is: %w", start, err)
	}
	own := filepath.Join(folder, name)
	if exists(own) {
		return own, nil
	}
	first, nearest := folder, ""
	for {
		git := filepath.Join(folder, ".git")
		switch {
		case !disk.SameOwner(first, folder):
			return "", nil
		case exists(filepath.Join(folder, name)) && nearest == "":
			nearest = filepath.Join(folder, name)
		}
		if exists(git) {
			if !disk.SameOwner(first, git) {
				return "", nil
			}
			return nearest, nil
		}
		if filepath.Dir(folder) == folder {
			return "", nil
		}
		folder = filepath.Dir(folder)
	}
}

// exists reports whether something is at a path, or may be: what can't be looked at is not passed over.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// settingsAbove returns the configuration of a folder above the working folder; empty where the working folder has its
// own, or none is above.
func settingsAbove() (string, error) {
	found, err := FindUpwards(".", starter.Settings)
	if err != nil || found == "" {
		return "", err
	}
	own, err := filepath.Abs(starter.Settings)
	if err != nil || own == found {
		return "", err
	}
	return found, nil
}

// leadFrom makes the relative paths that a configuration says which was found above the working folder lead from its own
// folder, as its writer meant them, and the data folder lie beside it. Those of a person's own file, of flags and of
// variables lead from the working folder. A data folder that the working folder has already stays in use.
func (l *Loaded) leadFrom(dir string, src config.Source) error {
	if c, program, found := l.relativeProgram(dir); found {
		return config.Usage("%s: %s starts %q, which leads from the working folder, and the configuration was found above it: run assay in %s, or give full paths",
			c.Where, c.Key, program, dir)
	}
	cfg := &l.Config
	said := func(key string) bool { return !chosen(src, key) && says(l.Claims, key) && l.Trust != config.Untrusted }
	if here := cfg.DataDir; !filepath.IsAbs(here) && !chosen(src, "data_dir") && (says(l.Claims, "data_dir") || !says(l.Own, "data_dir")) {
		if beside := filepath.Join(dir, here); exists(here) {
			l.DataDirPassed = beside
		} else {
			cfg.DataDir, l.dataDirFrom = beside, dir
		}
	}
	for key, paths := range map[string][]string{"network.upload_roots": cfg.Network.UploadRoots, "network.state_roots": cfg.Network.StateRoots} {
		for i := range paths {
			if said(key) {
				paths[i] = below(dir, paths[i])
			}
		}
	}
	for key, path := range map[string]*string{"network.download_dir": &cfg.Network.DownloadDir, "author.root": &cfg.Author.Root} {
		if said(key) {
			*path = below(dir, *path)
		}
	}
	for key, source := range map[string]*config.Secret{"agent.api_key": &cfg.Agent.APIKey, "compliance.signing_key": &cfg.Compliance.SigningKey, "auth.key": &cfg.Auth.Key} {
		if said(key) {
			*source = sourceBelow(dir, *source)
		}
	}
	for name, env := range cfg.Environments {
		if says(l.Claims, "env."+name+".agent.api_key") || said("agent.api_key") {
			env.Agent.APIKey = sourceBelow(dir, env.Agent.APIKey)
		}
		cfg.Environments[name] = env
	}
	for name, source := range cfg.Secrets {
		if said("secrets."+name) || said("secrets."+name+".from") {
			source.From = sourceBelow(dir, source.From)
			cfg.Secrets[name] = source
		}
	}
	return nil
}

// relativeProgram returns the first program that the folder starts by a relative path, or with an argument that is a file by
// one: a person trusted that file beside the configuration, and the one in the working folder would be started.
func (l *Loaded) relativeProgram(dir string) (c config.Claim, word string, found bool) {
	if l.Trust == config.Untrusted {
		return c, "", false
	}
	if c, word, found = trust.Relative(slices.DeleteFunc(slices.Clone(l.Claims), func(c config.Claim) bool { return c.Key == trust.ResetCommand })); found {
		return c, word, true
	}
	for _, c := range l.Claims {
		words := trust.Command(c)
		if len(words) == 0 || c.Key == trust.ResetCommand { // that runs beside the configuration
			continue
		}
		for _, word := range words[1:] {
			if !filepath.IsAbs(word) && (isFile(filepath.Join(dir, word)) || isFile(word)) {
				return c, word, true
			}
		}
	}
	return c, "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// says reports whether a file says a setting that takes a person's word.
func says(claims []config.Claim, key string) bool {
	return slices.ContainsFunc(claims, func(c config.Claim) bool { return c.Key == key })
}

// chosen reports whether a flag or a variable says a setting.
func chosen(src config.Source, key string) bool {
	if _, flag := src.Flags[key]; flag || src.Getenv == nil {
		return flag
	}
	return slices.ContainsFunc(config.Keys(), func(k config.Key) bool { return k.Name == key && src.Getenv(k.Env) != "" })
}

// below returns a path as it leads from dir; an empty one stays empty.
func below(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// sourceBelow returns where a secret is found, with the path of a file as it leads from dir.
func sourceBelow(dir string, source config.Secret) config.Secret {
	if path, ok := strings.CutPrefix(string(source), "file:"); ok {
		return config.Secret("file:" + below(dir, path))
	}
	return source
}
