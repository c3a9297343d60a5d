package baseline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

const (
	maxRecord   = 1 << 20 // bytes of baseline.json
	maxImported = 10000   // versions in a folder
)

// Import reads such a folder, all of it or nothing, as a person decided. Versions
// that are in force already stay; where a name has another version in force, the
// imported one is a proposal, unless replace is given. Approvals come along. It
// returns each version of the folder as it is now.
func (s *Store) Import(ctx context.Context, dir string, by string, replace bool) ([]Version, error) {
	by = strings.TrimSpace(by)
	if err := ledger.CheckPrintable("printed name of who imports", by, ledger.MaxBy); err != nil {
		return nil, fmt.Errorf("import baselines: %w", err)
	}
	found, err := s.readFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("import baselines from %s: %w", dir, err)
	}
	var now []Version
	err = s.Log.Update(ctx, func(tx *ledger.Tx) error {
		for _, v := range found {
			all, err := load(tx)
			if err != nil {
				return err
			}
			if v, err = s.storeImported(tx, all, v, dir, by, replace); err != nil {
				return fmt.Errorf("%q: %w", v.Name, err)
			}
			now = append(now, v)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("import baselines from %s: %w", dir, err)
	}
	return now, nil
}

// storeImported enters an imported version in its place.
func (s *Store) storeImported(tx *ledger.Tx, all versions, v Version, dir, by string, replace bool) (Version, error) {
	there, known := all.get(v.ID)
	if known && (there.Name != v.Name || there.Environment != v.Environment || !there.sameOptions(v)) {
		return v, fmt.Errorf("%s is another version here: its record was changed by hand", v.ID)
	}
	force, exists := all.find(v.Name, v.Environment)
	exists = exists && force.Environment == v.Environment
	switch {
	case exists && force.sameOptions(v) && (force.Status == Approved || v.Status == Unapproved):
		return force, nil
	case known && there.Status != Unapproved && !replace:
		return there, nil
	}
	taken := slices.ContainsFunc(all, func(o Version) bool {
		return o.Name == v.Name && environmentLine(o.Environment) == environmentLine(v.Environment) && o.Number == v.Number
	})
	switch {
	case known && there.inForce(): // and approved elsewhere since
		v.Number = there.Number
	case known:
		v.ID, v.Number = newID(), all.nextNumber(v.Name, v.Environment)
	case taken:
		v.Number = all.nextNumber(v.Name, v.Environment)
	}
	v.Imported = dir
	previous := force.digests()
	switch {
	case !exists:
		previous = nil
	case force.sameOptions(v): // what is approved elsewhere is in force here, and not approved
	case !replace:
		v.Status, v.Decision, v.Replaces = Proposed, nil, force.ID
		if same, ok := all.openProposal(v); ok {
			return same, nil
		}
	case v.Status == Unapproved: // replacing is a person's decision
		v.Status = Approved
		v.Decision = &Decision{By: by, Reason: "imported in the place of version " + fmt.Sprint(force.Number), Time: s.now().UTC(), Old: previous, New: v.digests()}
	}
	if err := s.checkBlobsPresent(v); err != nil {
		return v, err
	}
	if v.Status == Proposed {
		if err := s.closeOldestProposals(tx, all, v); err != nil {
			return v, err
		}
	}
	e := versionEvent(v, ledger.Actor{Kind: "human", ID: by}, previous)
	e.Action, e.Reason = "baseline imported", fmt.Sprintf("as %s, from %s", v.Status, dir)
	if err := putVersion(tx, v, e); err != nil {
		return v, err
	}
	if v.Status == Approved {
		return v, supersede(tx, all, v, s.now().UTC())
	}
	return v, nil
}

// readFolder reads and checks all versions of an exported folder, and keeps
// their bytes.
func (s *Store) readFolder(dir string) ([]Version, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, disk.Explain(err)
	}
	defer root.Close()
	var found []Version
	var wrong []error
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." {
			return fs.SkipDir // git's own
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			wrong = append(wrong, fmt.Errorf("%s: is a symbolic link: put the files themselves there", name))
			return nil
		}
		if path.Base(name) != recordFile {
			return nil
		}
		n, err := readVersion(root, name)
		if err == nil && slices.ContainsFunc(found, func(v Version) bool { return v.Name == n.Name && v.Environment == n.Environment }) {
			err = fmt.Errorf("%q has another record for the same environment in this folder", n.Name)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
			return nil
		}
		if found = append(found, n.Version); len(found) > maxImported {
			return fmt.Errorf("more than %d baselines", maxImported)
		}
		return s.putBlobs(n.Blobs)
	})
	if err := errors.Join(append(wrong, err)...); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no %s in it: name a folder that assay baseline export wrote", recordFile)
	}
	return found, nil
}

// readVersion reads one baseline.json and the files that it names.
func readVersion(root *os.Root, record string) (New, error) {
	data, err := disk.Read(root, record, maxRecord)
	if err != nil {
		return New{}, err
	}
	var stated struct{ Format int } // another format has fields of its own
	if json.Unmarshal(data, &stated) == nil && stated.Format > exportFormat {
		return New{}, fmt.Errorf("has format %d, and this program reads %d: import it with the version of assay that exported it, or a newer one", stated.Format, exportFormat)
	}
	var doc exported
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return New{}, fmt.Errorf("is not what export writes: %w", err)
	}
	if doc.Format != exportFormat {
		return New{}, fmt.Errorf("has format %d; this program reads %d", doc.Format, exportFormat)
	}
	n := New{Version: doc.Version, Blobs: map[string][]byte{}}
	n.Replaces, n.Imported, n.Diffs, n.Closed = "", "", nil, time.Time{}
	if err := n.checkImported(); err != nil {
		return New{}, err
	}
	for _, f := range doc.Files {
		if !plainFile(f.File) {
			return New{}, fmt.Errorf("names the file %q, which export would not", f.File)
		}
		data, err := disk.Read(root, path.Join(path.Dir(record), f.File), ledger.MaxBlob)
		if err != nil {
			return New{}, fmt.Errorf("%s: %w", f.File, err)
		}
		if data, err = originalBytes(data, f.SHA256); err != nil {
			return New{}, fmt.Errorf("%s: %w", f.File, err)
		}
		n.Blobs[f.SHA256] = data
	}
	return n, n.validate()
}

// originalBytes returns the bytes that were exported: JSON was indented.
func originalBytes(data []byte, digest string) ([]byte, error) {
	if ledger.BlobDigest(data) == digest {
		return data, nil
	}
	var compact bytes.Buffer
	if json.Compact(&compact, data) == nil && ledger.BlobDigest(compact.Bytes()) == digest {
		return compact.Bytes(), nil
	}
	return nil, fmt.Errorf("has SHA-256 %s, not the %s of its record: it was changed; get it from git again", ledger.BlobDigest(data), digest)
}

// checkImported checks what only an imported version brings along.
func (n New) checkImported() error {
	d := n.Decision
	switch {
	case !validID(n.ID):
		return fmt.Errorf("the id %q is none", n.ID)
	case n.Number < 1:
		return fmt.Errorf("the version %d is none", n.Number)
	case n.Status == Unapproved && d == nil:
		return nil
	case n.Status != Approved || d == nil:
		return fmt.Errorf("the status %q is not that of an exported version, or lacks a decision", n.Status)
	case !slices.Equal(d.New, n.digests()):
		return errors.New("its approval is of other pictures")
	}
	return errors.Join(ledger.CheckPrintable("name of who approved it", d.By, ledger.MaxBy), ledger.CheckPrintable("reason", d.Reason, ledger.MaxReason))
}
