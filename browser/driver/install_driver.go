package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// driverVersion names the Playwright version of the Go client's protocol; any
// other one is refused.
const driverVersion = "1.61.1"

// minNodeMajor names the oldest Node that this Playwright supports.
const minNodeMajor = 18

const nodeProbeTimeout = 10 * time.Second

// driver finds the driver and its Node, and fetches the driver when it is missing and may be fetched.
func (in *installer) driver(ctx context.Context) (DriverInfo, error) {
	start := len(in.steps)
	info, ok := in.findDriver()
	if !ok && !in.NoDownload {
		info, ok = in.fetchDriver(ctx)
	}
	if !ok {
		if err := cancelled(ctx, "installing the driver"); err != nil {
			return info, err
		}
		return info, &InstallError{
			What:   "no Playwright driver " + driverVersion,
			Tried:  in.since(start),
			Remedy: in.driverRemedy(),
		}
	}
	return in.withNode(ctx, info)
}

// findDriver looks at files only.
func (in *installer) findDriver() (DriverInfo, bool) {
	type place struct{ name, dir, unset string }
	places := []place{
		{"PLAYWRIGHT_DRIVER_PATH", in.Getenv("PLAYWRIGHT_DRIVER_PATH"), "not set"},
		{"assay's cache", in.driverTarget(), "no cache directory given"},
		{"playwright-go's cache", in.foreignDriverDir(), "no home directory given"},
	}
	for _, p := range places {
		if p.dir == "" {
			in.record(p.name, OutcomeSkipped, nil, "%s", p.unset)
			continue
		}
		if abs, err := filepath.Abs(p.dir); err == nil {
			p.dir = abs // the driver is started from another folder
		}
		switch err := checkDriverDir(p.dir); {
		case err == nil:
			in.record(p.name, OutcomeFound, nil, "%s", p.dir)
			return DriverInfo{Dir: p.dir, Version: driverVersion, Source: p.name}, true
		case errors.Is(err, os.ErrNotExist):
			in.record(p.name, OutcomeMissing, nil, "no driver in %s", p.dir)
		default:
			in.record(p.name, OutcomeFailed, err, "%s", p.dir)
		}
	}
	return DriverInfo{}, false
}

// driverTarget returns the folder of our own driver; each version beside the others.
func (in *installer) driverTarget() string {
	if in.CacheDir == "" {
		return ""
	}
	return filepath.Join(in.CacheDir, "driver", "playwright-core-"+driverVersion)
}

// foreignDriverDir returns where a plain playwright-go program keeps the same driver.
func (in *installer) foreignDriverDir() string {
	base := in.host.userCacheDir()
	if base == "" {
		return ""
	}
	return filepath.Join(base, "ms-playwright-go", driverVersion)
}

// checkDriverDir accepts a driver of exactly our version. A folder without one is os.ErrNotExist.
func checkDriverDir(dir string) error {
	manifest, err := os.Open(filepath.Join(dir, "package", "package.json"))
	if err != nil {
		return fmt.Errorf("reading the driver's package.json: %w", err)
	}
	defer manifest.Close()
	var pkg struct {
		Version string `json:"version"`
	}
	if err := json.NewDecoder(io.LimitReader(manifest, 1<<20)).Decode(&pkg); err != nil {
		return fmt.Errorf("reading the driver's package.json: %w", err)
	}
	if pkg.Version != driverVersion {
		return fmt.Errorf("it holds Playwright %s, needed is %s", pkg.Version, driverVersion)
	}
	if info, err := os.Stat(filepath.Join(dir, "package", "cli.js")); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("its package/cli.js is missing: the driver is incomplete")
	}
	return nil
}

// withNode adds the Node that will run the driver, and the place for its compiled code.
func (in *installer) withNode(ctx context.Context, info DriverInfo) (DriverInfo, error) {
	start := len(in.steps)
	path, version, err := in.node(ctx, info.Dir)
	if err != nil {
		return info, &InstallError{
			What:   fmt.Sprintf("no Node.js %d or newer, which runs the Playwright driver", minNodeMajor),
			Tried:  in.since(start),
			Remedy: in.nodeRemedy(),
			Err:    err,
		}
	}
	info.Node, info.NodeVersion = path, version
	if in.CacheDir != "" {
		info.CodeCache = filepath.Join(in.CacheDir, "code")
	}
	return info, nil
}

// node chooses PLAYWRIGHT_NODEJS_PATH, the driver's own Node, then the PATH's. A variable that is set
// must be right: the Go client obeys it whatever we choose.
func (in *installer) node(ctx context.Context, driverDir string) (path, version string, err error) {
	if path = in.Getenv("PLAYWRIGHT_NODEJS_PATH"); path != "" {
		version, err = in.probeNode(ctx, "PLAYWRIGHT_NODEJS_PATH", path)
		if err != nil {
			return "", "", fmt.Errorf("PLAYWRIGHT_NODEJS_PATH names a Node that does not do, correct or unset it: %w", err)
		}
		return path, version, nil
	}
	none := errors.New("none found")
	if own := filepath.Join(driverDir, in.host.nodeName()); in.host.isExecutable(own) {
		if version, none = in.probeNode(ctx, "the driver's own Node", own); none == nil {
			return own, version, nil
		}
	}
	onPath, ok := in.host.lookPath("node")
	if !ok {
		in.record("Node on the PATH", OutcomeMissing, nil, "no program named node")
		return "", "", none
	}
	version, err = in.probeNode(ctx, "Node on the PATH", onPath)
	return onPath, version, err
}

// probeNode asks Node for its version. That takes milliseconds: Node answers before it starts its engine.
func (in *installer) probeNode(ctx context.Context, name, path string) (string, error) {
	printed, err := installCommand{path: path, args: []string{"--version"}, timeout: nodeProbeTimeout}.run(ctx)
	if err != nil {
		in.record(name, OutcomeFailed, err, "%s", path)
		return "", err
	}
	version := strings.TrimPrefix(strings.TrimSpace(printed), "v")
	head, _, _ := strings.Cut(version, ".")
	major, err := strconv.Atoi(head)
	if err != nil {
		err = fmt.Errorf("%s --version printed %q, which is no version", path, clip(version, 80))
	} else if major < minNodeMajor {
		err = fmt.Errorf("%s is Node %s, needed is %d or newer", path, version, minNodeMajor)
	}
	if err != nil {
		in.record(name, OutcomeFailed, err, "%s", path)
		return "", err
	}
	in.record(name, OutcomeFound, nil, "%s, version %s", path, version)
	return version, nil
}
