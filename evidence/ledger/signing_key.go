package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/disk"
)

const maxSmall = 1 << 20 // bytes of a file beside the database

// What can be wrong with the key. A log is never signed with another one in
// silence.
var (
	ErrKeyLost = errors.New(`the signing key is missing: put it back from a copy; if it is lost for good, "assay key rotate" begins a new one, and the log says so`)
	ErrKey     = errors.New("the signing key can't be used")
)

// Key returns the signing key, made if there is none and nothing was ever
// signed. It is not for use within [Ledger.Update].
func (l *Ledger) Key() (*attest.Key, error) {
	root, err := l.openFolder()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	key, err := l.readSigningKey(root, l.options.Key)
	if errors.Is(err, ErrKeyLost) && !exists(root, Keys) && !exists(root, Checkpoint) {
		// Two processes that begin at once wait for each other here, and agree.
		err = l.Update(context.Background(), func(tx *Tx) error {
			key, err = l.signingKey(root, tx)
			return err
		})
		return key, err
	}
	if err == nil && checkLastKey(root, key) != nil { // another process may be changing it
		if key, err = l.readSigningKey(root, l.options.Key); err == nil {
			err = checkLastKey(root, key)
		}
	}
	if err != nil {
		return nil, err
	}
	return key, nil
}

// checkLastKey fails unless the key is the last one that the log had, as far as that is
// known: log/keys is written right after the first key, and a rotation that is
// under way has named its own already.
func checkLastKey(root *os.Root, key *attest.Key) error {
	if exists(root, NextKey) || !exists(root, Keys) {
		return nil
	}
	keys, err := verifiers(root)
	if err != nil {
		return err
	}
	if last := keys[len(keys)-1]; last != key.Verifier() {
		return fmt.Errorf("%w: it is %s, and log/keys names %s last: put the right one back", ErrKey, attest.KeyID(key.Verifier()), attest.KeyID(last))
	}
	return nil
}

// openFolder opens the data folder, which it makes.
func (l *Ledger) openFolder() (*os.Root, error) {
	if err := disk.MakeDataFolder(l.dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(l.dir)
	return root, disk.Explain(err)
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// readSigningKey reads the signing key, from elsewhere if it isn't in log/key.
func (l *Ledger) readSigningKey(root *os.Root, elsewhere func() (string, error)) (*attest.Key, error) {
	if elsewhere != nil {
		text, err := elsewhere()
		if err != nil {
			return nil, fmt.Errorf("signing key: %w", err)
		}
		return attest.ParseKey(text)
	}
	return l.readKeyFile(root, Key)
}

// readKeyFile reads a key's file. Who else can read it can sign as well.
func (l *Ledger) readKeyFile(root *os.Root, name string) (*attest.Key, error) {
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (%s)", ErrKeyLost, path)
	}
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%w: others can read %s (%s), and may have copied it: take that away with chmod 600, and then change the key with assay key rotate", ErrKey, path, info.Mode().Perm())
	}
	text, err := disk.Read(root, name, maxSmall)
	if err != nil {
		return nil, fmt.Errorf("signing key %s: %w", path, disk.Explain(err))
	}
	key, err := attest.ParseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w: put it back from a copy; if there is none, move it away and begin a new one with assay key rotate", ErrKey, path, err)
	}
	return key, nil
}

// Trust returns the verifier keys that the data folder itself names.
func (l *Ledger) Trust() (attest.Trust, error) {
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return attest.Trust{}, disk.Explain(err)
	}
	defer root.Close()
	keys, err := verifiers(root)
	if err != nil {
		return attest.Trust{}, err
	}
	return attest.ParseTrust(keys...)
}

// verifiers reads log/keys, oldest first.
func verifiers(root *os.Root) ([]string, error) {
	text, err := disk.Read(root, Keys, maxSmall)
	if err != nil {
		return nil, fmt.Errorf("verifier keys: %w", disk.Explain(err))
	}
	keys := strings.Fields(string(text))
	if len(keys) == 0 {
		return nil, fmt.Errorf("verifier keys: %s is empty: put it back from a copy", Keys)
	}
	return keys, nil
}

func writeVerifiers(root *os.Root, keys []string) error {
	return disk.Write(root, Keys, []byte(strings.Join(keys, "\n")+"\n"))
}

// signingKey returns the key that may sign on from what tx holds. It makes the
// first one. The caller holds the database.
func (l *Ledger) signingKey(root *os.Root, tx *Tx) (*attest.Key, error) {
	if err := l.finishRotation(root, tx); err != nil {
		return nil, err
	}
	key, err := l.readSigningKey(root, tx.key)
	begins := tx.signed == nil && !exists(root, Keys) && !exists(root, Checkpoint)
	if errors.Is(err, ErrKeyLost) && begins {
		key, err = attest.NewKey(rand.Reader, "assay/"+strings.ToLower(rand.Text()[:10]))
		if err == nil {
			err = disk.Write(root, Key, []byte(key.Secret()+"\n"))
		}
	}
	if err != nil {
		return nil, err
	}
	if begins {
		return key, writeVerifiers(root, []string{key.Verifier()})
	}
	if err := checkLastKey(root, key); err != nil {
		return nil, err
	}
	if tx.signed == nil {
		return key, nil
	}
	trust, err := attest.ParseTrust(key.Verifier())
	if err != nil {
		return nil, err
	}
	if _, _, err := trust.OpenCheckpoint(tx.signed); err != nil {
		return nil, fmt.Errorf("%w: it is %s, and did not sign this log: put the right one back: %w", ErrKey, attest.KeyID(key.Verifier()), err)
	}
	return key, nil
}

// sign makes the checkpoint over all events, if some are new.
func (l *Ledger) sign(tx *Tx) error {
	if !tx.uncovered() {
		return nil
	}
	root, err := l.openFolder()
	if err != nil {
		return err
	}
	defer root.Close()
	var keys []*attest.Key
	if tx.change != nil {
		keys = tx.change.signers
	} else {
		key, err := l.signingKey(root, tx)
		if err != nil {
			return err
		}
		keys = []*attest.Key{key}
	}
	hash, err := tx.Root(tx.Size())
	if err != nil {
		return err
	}
	tx.signed, err = attest.SignCheckpoint(attest.Checkpoint{Origin: keys[0].Name(), Size: tx.Size(), Root: hash}, keys[0], keys[1:]...)
	if err == nil && tx.change != nil {
		err = tx.Put(keysTable, keys[0].Verifier(), tx.signed)
	}
	return err
}
