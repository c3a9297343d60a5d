package suite

import (
	"path/filepath"
	"slices"
	"strings"
)

// Moved returns a result whose runs lie in another folder now: runs is the one that holds
// them. The path of a file that is none of its run's is empty.
func (r Result) Moved(runs string) Result {
	r.Report, r.Screenshot = moved(runs, r.RunID, r.Report), moved(runs, r.RunID, r.Screenshot)
	r.Screenshots, r.Traces, r.Before = slices.Clone(r.Screenshots), slices.Clone(r.Traces), slices.Clone(r.Before)
	for _, paths := range [][]string{r.Screenshots, r.Traces} {
		for i := range paths {
			paths[i] = moved(runs, r.RunID, paths[i])
		}
	}
	for i := range r.Before {
		r.Before[i].Report = moved(runs, r.Before[i].RunID, r.Before[i].Report)
	}
	return r
}

func moved(runs, run, path string) string {
	_, name, ok := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "/runs/"+run+"/")
	if !ok || run == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	return filepath.Join(runs, run, filepath.FromSlash(name))
}
