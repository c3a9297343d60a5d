// Package install measures what each way of installing costs a person, from a Debian root that
// has nothing but what docs/install.md says must be there: the commands that are typed, the bytes
// that are fetched, and the time until the first verdict.
//
// A root is made once by debootstrap and kept, with the packages of what must be there in layers
// over it; each round works in an empty layer of its own (overlayfs), in namespaces of its own for
// processes, mounts and the network. The network has two ways out, both of this program: a forward
// proxy that counts, and a registry that has what make snapshot has built and hands all else on.
// So nothing is fetched that isn't counted: of npm's packages and of plain http the bodies, of https
// the bytes of the connection. What a release page serves (deb, archive, bundle) lies in the root
// already, and is counted by its size: no time passes for it. Ours comes from this machine too, so
// the seconds are those of a line on which that takes none; the bytes say what a slower one adds.
//
// A round counts if a healthy page passes, and a broken one then fails. The second is not timed.
package install

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// rootsFolder is the folder below -cache in which all is made, and what was left is removed.
const rootsFolder = "empty-roots"

// options are what the flags say.
type options struct {
	rounds   int
	ways     []way
	source   string
	dist     string
	cache    string
	load     float64
	patience time.Duration
	progress io.Writer
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := options{source: ".", progress: stderr}
	f := flag.NewFlagSet("install", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.rounds, "rounds", 3, "how often each way is installed")
	f.StringVar(&o.dist, "dist", "dist", "folder that make snapshot has filled")
	f.StringVar(&o.cache, "cache", "", "the empty roots, about 3 GB, are kept in the folder "+rootsFolder+" of this one (default: in the user's cache)")
	f.Float64Var(&o.load, "load", 2.5, "a round begins once the machine's load is below this, or when -patience is over")
	f.DurationVar(&o.patience, "patience", 2*time.Minute, "how long a round waits for that; 0: not at all")
	names := f.String("ways", strings.Join(wayNames(), ","), "what is measured, with commas between them")
	if err := f.Parse(args); err != nil {
		return err
	}
	var err error
	if o.ways, err = waysOf(*names); err != nil {
		return err
	}
	if err := canMeasure(os.Geteuid()); err != nil {
		return err
	}
	if o.cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(user, "assay", "bench", "install")
	}
	results, err := measureAll(ctx, o)
	if err == nil || ctx.Err() != nil { // what was interrupted tells what is there
		printTable(stdout, results)
	}
	return err
}

// waysOf returns the ways that a list names.
func waysOf(names string) ([]way, error) {
	var out []way
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(wayNames(), strings.TrimSpace(name))
		if i < 0 {
			return nil, fmt.Errorf("%w: -ways has %q, which is none of %s", measure.ErrSetUp, name, strings.Join(wayNames(), ", "))
		}
		out = append(out, ways()[i])
	}
	return out, nil
}

// cost is what a command took: by the clock, and of processors.
type cost struct{ took, cpu time.Duration }

// round is what came of one installation.
type round struct {
	took           time.Duration // until the verdict
	commands       []cost        // of what is typed
	ours           int64
	others         map[string]int64 // bytes by host
	load           float64          // when it began
	healthy, wrong string           // verdicts on the healthy and on the broken page
	err            error
}

// counts reports whether a round counts.
func (r round) counts() bool { return r.err == nil && r.healthy == "passed" && r.wrong == "failed" }

// result is a way with its rounds.
type result struct {
	way    way
	rounds []round
}
