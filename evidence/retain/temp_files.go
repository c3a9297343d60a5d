package retain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

// ownTemp matches the names that disk gives to unfinished files. Beside the
// database others may have files of their own.
var ownTemp = pattern.New(`\.[a-z2-7]{8}\.tmp$`)

// findTempFiles finds temporary files without a write for a day, whose writers were killed:
// they were never acknowledged, and are no evidence. They lie among the blobs, beside the
// database, in the log's folder and in that of runs, and in runs that are not finished.
func (k *Keeper) findTempFiles(p *plan, amongBlobs []string, found []inspectedRun) error {
	root, err := os.OpenRoot(k.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for leftovers: %w", disk.Explain(err))
	}
	defer root.Close()
	var names []string
	for _, name := range amongBlobs {
		if strings.HasSuffix(name, ledger.Pending) {
			names = append(names, name)
			continue
		}
		p.report.Left = append(p.report.Left, Item{Kind: LeftoverKind, Name: name, Why: "it lies among the blobs and is none"})
	}
	for _, dir := range []string{".", ledger.Log, ledger.RunsFolder} {
		inside, err := tempFilesIn(root, dir)
		if err != nil {
			return fmt.Errorf("look for leftovers in %s: %w", dir, disk.Explain(err))
		}
		names = append(names, inside...)
	}
	inside, err := p.tempFilesInRuns(root, found)
	if err != nil {
		return fmt.Errorf("look for leftovers in %s: %w", ledger.RunsFolder, disk.Explain(err))
	}
	return p.takeOldTemps(root, append(names, inside...))
}

// takeOldTemps takes those of the files that are old enough.
func (p *plan) takeOldTemps(root *os.Root, names []string) error {
	for _, name := range names {
		info, err := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // whole by now
		case err != nil:
			return fmt.Errorf("look for leftovers: %w", disk.Explain(err))
		case info.Mode().IsRegular() && info.ModTime().Before(p.now.Add(-day)):
			p.temps = append(p.temps, Item{Kind: LeftoverKind, Name: name, Bytes: info.Size(), Time: info.ModTime().UTC(), Why: "left by a killed writer"})
		}
	}
	return nil
}

// tempFilesIn lists the temporary files of a folder of the data folder, if there is one.
func tempFilesIn(root *os.Root, dir string) (names []string, err error) {
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if dir == "." && ownTemp.MatchString(e.Name()) || dir != "." && strings.HasSuffix(e.Name(), ledger.Pending) {
			names = append(names, path.Join(dir, e.Name()))
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
		folder, err := root.OpenRoot(path.Join(ledger.RunsFolder, r.id))
		if err != nil {
			return nil, err
		}
		for _, name := range r.temps {
			named, err := inEventLog(folder, name)
			if err != nil {
				return nil, errors.Join(err, folder.Close())
			}
			if !named {
				names = append(names, path.Join(ledger.RunsFolder, r.id, name))
			}
		}
		if err := folder.Close(); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// pruneTemps removes leftovers. No link leads out of the data folder.
func (k *Keeper) pruneTemps(p *plan) error {
	if len(p.temps) == 0 {
		return nil
	}
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return disk.Explain(err)
	}
	defer root.Close()
	for _, item := range p.temps {
		switch err := root.Remove(item.Name); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			p.report.problem(fmt.Sprintf("leftover %s stays: %v", item.Name, disk.Explain(err)))
		default:
			p.report.delete(item)
		}
	}
	return nil
}
