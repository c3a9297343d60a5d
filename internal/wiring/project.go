package wiring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/starter"
	"github.com/assay-qa/assay/internal/trust"
)

// FindUpwards returns the file called name of the folder start, or of the nearest folder above it up to the root of the
// repository that start is in, which is the folder with .git. It is empty where there is none; outside of a repository
// no folder above is looked in, since it may be anybody's.
func FindUpwards(start, name string) (string, error) {
	folder, err := filepath.Abs(start)
	if err != nil {
		return "", config.Usage("find out where %s is: %w", start, err)
	}
	var nearest string
	var inRepository bool
	for {
		if nearest == "" && exists(filepath.Join(folder, name)) {
			nearest = filepath.Join(folder, name)
		}
		if inRepository = exists(filepath.Join(folder, ".git")); inRepository || filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	if own, err := filepath.Abs(filepath.Join(start, name)); err != nil || !inRepository && nearest != own {
		return "", err
	}
	return nearest, nil
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

// leadFrom makes the relative paths of a configuration that was found above the working folder lead from its own folder,
// as its writer meant them. Those of flags and variables lead from the working folder. A data folder that the working
// folder has already stays in use.
func (l *Loaded) leadFrom(dir string, src config.Source) error {
	if c, program, found := trust.Relative(l.Claims); found && l.Trust != config.Untrusted {
		return config.Usage("%s: %s starts %q, which leads from the working folder, and the configuration was found above it: run assay in %s, or give the program's full path",
			c.Where, c.Key, program, dir)
	}
	cfg := &l.Config
	if here := cfg.DataDir; !filepath.IsAbs(here) && !chosen(src, "data_dir") {
		if beside := filepath.Join(dir, here); exists(here) {
			l.DataDirPassed = beside
		} else {
			cfg.DataDir, l.dataDirFrom = beside, dir
		}
	}
	for key, path := range map[string]*string{"network.download_dir": &cfg.Network.DownloadDir, "author.root": &cfg.Author.Root} {
		if !chosen(src, key) {
			*path = below(dir, *path)
		}
	}
	for key, paths := range map[string][]string{"network.upload_roots": cfg.Network.UploadRoots, "network.state_roots": cfg.Network.StateRoots} {
		for i := range paths {
			if !chosen(src, key) {
				paths[i] = below(dir, paths[i])
			}
		}
	}
	for _, source := range []*config.Secret{&cfg.Agent.APIKey, &cfg.Compliance.SigningKey, &cfg.Auth.Key} {
		*source = sourceBelow(dir, *source)
	}
	for name, env := range cfg.Environments {
		env.Agent.APIKey = sourceBelow(dir, env.Agent.APIKey)
		cfg.Environments[name] = env
	}
	for name, source := range cfg.Secrets {
		source.From = sourceBelow(dir, source.From)
		cfg.Secrets[name] = source
	}
	return nil
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
