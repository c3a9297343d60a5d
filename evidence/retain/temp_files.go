package retain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/evidence/paths"
	"github.com/assay-qa/assay/pattern"
)

const tempSuffix = ".tmp"

// ownTemp matches the names that disk gives to unfinished files. Beside the
// database others may have files of their own.
var ownTemp = pattern.New(`\.[a-z2-7]{8}\.tmp$`)

// tempFile holds a temporary file without a write for a day: its writer was
// killed. It was never acknowledged, and is no evidence.
type tempFile struct {
	dir, name string // from the data folder; from there
	item      Item
}

// findTempFiles finds them among the blobs, beside the database, in the log's
// folder and in that of runs, and in runs that are not finished.
func (k *Keeper) findTempFiles(p *plan, amongBlobs []string, found []inspectedRun) error {
	var temps []string
	for _, name := range amongBlobs {
		if strings.HasSuffix(name, tempSuffix) {
			temps = append(temps, name)
			continue
		}
		p.report.Left = append(p.report.Left, Item{Kind: LeftoverKind, Name: name, Why: "it lies among the blobs and is none"})
	}
	if err := k.tempFilesInFolder(p, ".", func(root *os.Root) ([]string, error) {
		beside, err := tempFilesIn(root, ownTemp.MatchString)
		return append(temps, beside...), err
	}); err != nil {
		return err
	}
	every := func(name string) bool { return strings.HasSuffix(name, tempSuffix) }
	if err := k.tempFilesInFolder(p, paths.Log, func(root *os.Root) ([]string, error) { return tempFilesIn(root, every) }); err != nil {
		return err
	}
	return k.tempFilesInFolder(p, paths.Runs, func(root *os.Root) ([]string, error) {
		temps, err := tempFilesIn(root, every)
		if err != nil {
			return nil, err
		}
		inside, err := p.tempFilesInRuns(root, found)
		return append(temps, inside...), err
	})
}

// tempFilesInFolder takes those files of a folder that are old enough, if there is one.
func (k *Keeper) tempFilesInFolder(p *plan, dir string, find func(*os.Root) ([]string, error)) error {
	root, err := k.openSubfolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for leftovers: %w", disk.Explain(err))
	}
	defer root.Close()
	names, err := find(root)
	if err != nil {
		return fmt.Errorf("look for leftovers in %s: %w", dir, disk.Explain(err))
	}
	for _, name := range names {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // whole by now
		}
		if err != nil {
			return fmt.Errorf("look for leftovers in %s: %w", dir, disk.Explain(err))
		}
		if info.Mode().IsRegular() && info.ModTime().Before(p.now.Add(-day)) {
			p.temps = append(p.temps, tempFile{dir, name, Item{Kind: LeftoverKind, Name: path.Join(dir, name), Bytes: info.Size(),
				Time: info.ModTime().UTC(), Why: "left by a killed writer"}})
		}
	}
	return nil
}

func tempFilesIn(root *os.Root, ours func(name string) bool) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	var names []string
	for _, e := range entries {
		if ours(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// tempFilesInRuns looks into runs that stay, and whose writer is gone. Of a run that was
// stated to be over every file may be signed, and what is held stays as it is.
func (p *plan) tempFilesInRuns(root *os.Root, found []inspectedRun) ([]string, error) {
	quiet := map[string]bool{}
	for _, item := range p.report.Kept {
		quiet[item.Name] = !p.held[item.Name] && item.Time.Before(p.now.Add(-day))
	}
	var names []string
	for _, r := range found {
		if !quiet[r.id] || r.finished || p.past.runs[r.id].statement != "" || len(r.temps) == 0 {
			continue
		}
		folder, err := root.OpenRoot(r.id)
		if err != nil {
			return nil, err
		}
		for _, name := range r.temps {
			named, err := inEventLog(folder, name)
			if err != nil {
				return nil, errors.Join(err, folder.Close())
			}
			if !named {
				names = append(names, path.Join(r.id, name))
			}
		}
		if err := folder.Close(); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// pruneTemps removes leftovers.
func (k *Keeper) pruneTemps(p *plan) {
	for _, t := range p.temps {
		root, err := k.openSubfolder(t.dir)
		if err == nil {
			err = errors.Join(root.Remove(t.name), root.Close())
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			p.report.problem(fmt.Sprintf("leftover %s stays: %v", t.item.Name, disk.Explain(err)))
		default:
			p.report.delete(t.item)
		}
	}
}
