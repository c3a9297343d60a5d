package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
)

// Store keeps records, a file each, in a folder of the person's own configuration. Its zero value has no folder: it
// trusts nothing and keeps nothing.
type Store struct{ Dir string }

// maxRecord bounds the file of a record, in bytes.
const maxRecord = 1 << 20

// name returns the name of the file with the record of a folder with its configuration.
func (r Record) name() string {
	sum := sha256.Sum256([]byte(r.Folder + "\x00" + r.Config))
	return hex.EncodeToString(sum[:16]) + ".json"
}

// Kept returns the record that a person made of the same folder and configuration; false: there is none.
func (s Store) Kept(now Record) (Record, bool, error) {
	if s.Dir == "" {
		return Record{}, false, nil
	}
	path := filepath.Join(s.Dir, now.name())
	data, err := disk.ReadPath(path, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, false, nil
	}
	var kept Record
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil {
		return kept, false, fmt.Errorf("read which folders are trusted: %s: %w: remove the file, and run assay trust again", path, err)
	}
	return kept, kept.Folder == now.Folder && kept.Config == now.Config, nil
}

// Trusts returns the record of what there is now at a place, if a person trusted it: the same settings, which start
// the same files. Where nobody trusted the folder nothing of it is read.
func (s Store) Trusts(at Place, claims []config.Claim) (kept Record, trusted bool, err error) {
	now, err := settings(at, claims)
	if err != nil {
		return kept, false, err
	}
	kept, found, err := s.Kept(now)
	if err != nil || !found || !slices.EqualFunc(kept.Settings, now.Settings, func(a, b Setting) bool { return a.Key == b.Key && a.Sum == b.Sum }) {
		return Record{}, false, err
	}
	if now.Files, err = files(at, claims); err != nil || !slices.Equal(kept.Files, now.Files) {
		return Record{}, false, err
	}
	return kept, true, nil
}

// TrustsFolder returns a folder that a person trusted whole, whatever its settings are now; false: nobody did. It is
// given without symbolic links.
func (s Store) TrustsFolder(folder string) (Folder, bool, error) {
	kept, found, err := s.Kept(Record{Folder: folder, Config: wholeFolder})
	return Folder{Path: folder, Tests: kept.Tests}, found && kept.Whole, err
}

// wholeFolder stands for the configuration in the record that a folder is trusted whole.
const wholeFolder = "*"

// Keep keeps a record in place of the one that there was.
func (s Store) Keep(r Record) error {
	if s.Dir == "" {
		return errors.New("there is no folder for your own configuration: set HOME, or XDG_CONFIG_HOME to a full path")
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.MkdirAll(s.Dir, disk.DirPerm)
	}
	if err != nil {
		return fmt.Errorf("keep that the folder is trusted: %w", err)
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fmt.Errorf("keep that the folder is trusted: %w", err)
	}
	err = disk.Write(root, r.name(), append(data, '\n'))
	if err == nil && r.Whole && r.Config != wholeFolder {
		return errors.Join(root.Close(), s.Keep(Record{Folder: r.Folder, Config: wholeFolder, Whole: true, Since: r.Since, Tests: r.Tests}))
	}
	return errors.Join(err, root.Close())
}

// Forget removes the record of a folder; false: there was none.
func (s Store) Forget(r Record) (bool, error) {
	if s.Dir == "" {
		return false, nil
	}
	there := false
	for _, r := range []Record{r, {Folder: r.Folder, Config: wholeFolder}} {
		err := os.Remove(filepath.Join(s.Dir, r.name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return there, err
		}
		there = there || err == nil
	}
	return there, nil
}
