// Command packaging makes what GoReleaser does not, of the programs that GoReleaser has built
// into a folder: the npm packages, one MCPB bundle for each system, server.json for the MCP
// registry, the pages of the documentation, and the module as a Go proxy would serve it:
//
//	packaging FOLDER
//
// What others download is added to the folder's checksums.txt. Nothing is published. The pages
// of the documentation are made of the source, by a built program that is asked for its help:
//
//	packaging site PROGRAM VERSION FOLDER
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/assay-qa/assay/packaging/site"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	switch {
	case len(os.Args) == 2:
		err = run(ctx, ".", os.Args[1], os.Environ())
	case len(os.Args) == 5 && os.Args[1] == "site":
		err = site.Build{Source: ".", Program: os.Args[2], Version: os.Args[3], Environ: os.Environ()}.Write(ctx, os.Args[4])
	default:
		fmt.Fprintln(os.Stderr, "packaging: name the folder that GoReleaser has filled: packaging dist; or make the pages: packaging site bin/assay VERSION dist/site")
		stop()
		os.Exit(2)
	}
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
	if err := b.moduleProxy(ctx, filepath.Join(dist, "goproxy")); err != nil {
		return err
	}
	docs, err := b.docs(ctx, dist)
	if err != nil {
		return err
	}
	files := []string{server, docs}
	files = append(files, packed...)
	for _, bundle := range bundles {
		files = append(files, bundle.path)
	}
	return addChecksums(filepath.Join(dist, "checksums.txt"), files)
}
