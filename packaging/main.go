// Command packaging makes what GoReleaser does not, of the programs that GoReleaser has built
// into a folder: the npm packages, one MCPB bundle for each system, server.json for the MCP
// registry, and the module as a Go proxy would serve it:
//
//	packaging [-dist FOLDER]
//
// What others download is added to the folder's checksums.txt. Nothing is published.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	dist := flag.String("dist", "dist", "folder that GoReleaser has filled")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, ".", *dist, os.Environ())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// run makes all packages of a folder. Source is the top of the tree.
func run(ctx context.Context, source, dist string, environ []string) error {
	b, err := readBuild(source, dist)
	if err != nil {
		return err
	}
	b.environ = environ
	packed, err := b.npmPackages(ctx, filepath.Join(dist, "npm"))
	if err != nil {
		return err
	}
	bundles, err := b.bundles(ctx, dist)
	if err != nil {
		return err
	}
	server, err := b.serverJSON(bundles, dist)
	if err != nil {
		return err
	}
	if err := b.moduleProxy(filepath.Join(dist, "goproxy")); err != nil {
		return err
	}
	files := append(packed, server)
	for _, bundle := range bundles {
		files = append(files, bundle.path)
	}
	return addChecksums(filepath.Join(dist, "checksums.txt"), files)
}
