package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/wait"
)

// MaxBytes bounds a stored state.
const MaxBytes = 16 << 20

// ErrNone says that no state is stored.
var ErrNone = errors.New("no sign-in is stored")

// Error says why a stored state can't be used, and what to do next. It holds
// nothing of the state.
type Error struct {
	Path    string
	Problem string
	Remedy  string
	cause   error
}

func (e *Error) Error() string { return "stored sign-in " + e.Path + ": " + e.Problem }

// Hint says what to do next.
func (e *Error) Hint() string { return e.Remedy }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.cause }

// State holds the stored sign-in of one role of one environment. It is safe
// for concurrent use.
type State struct {
	env, role, path string
	key             func() ([]byte, error) // nil: states are not sealed
	turn            *wait.Places           // one: the right to sign in

	mu     sync.Mutex
	kept   []byte // the key, once it was had
	failed loginPause
}

// New returns the state of a role, stored at path. key finds the secret that
// states are sealed with, when it is first needed; nil means that they are not
// sealed. Nothing is read yet.
func New(env, role, path string, key func() ([]byte, error)) *State {
	return &State{env: env, role: role, path: path, key: key, turn: wait.NewPlaces(1)}
}

// Path returns the path of a role's state below a data directory.
func Path(dataDir, env, role string) string {
	return filepath.Join(dataDir, "auth", env, role+".json")
}

// Path returns the path of the state's file.
func (s *State) Path() string { return s.path }

// Sealed reports whether states are written encrypted.
func (s *State) Sealed() bool { return s.key != nil }

// Stamp identifies a state by the SHA-256 of its plain text.
func Stamp(state []byte) string {
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:])
}

// Read returns the stored state. The error is [ErrNone], or an [*Error]. A plain
// file is taken as it is, and sealed where a key is configured.
func (s *State) Read() ([]byte, error) {
	data, err := s.load()
	if err != nil {
		return nil, err
	}
	if !isSealed(data) {
		if s.Sealed() { // whoever configures a key wants it used: also for what was there before
			if err := s.Write(data); err != nil {
				return nil, err
			}
		}
		return data, nil
	}
	if !s.Sealed() {
		return nil, s.failure(nil, "configure the key it was sealed with: [auth] key", "it is encrypted, and no key is configured")
	}
	key, err := s.secret()
	if err != nil {
		return nil, err
	}
	plain, err := open(data, key, s.env, s.role)
	if err != nil {
		return nil, s.failure(err, "bring back the key that sealed it ([auth] key, or auth/.key in the data folder), or sign in again: assay login "+s.role, "%v", err)
	}
	return plain, nil
}

// load reads the file, which only its owner may be able to read.
func (s *State) load() (data []byte, err error) {
	file, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, s.failure(err, "make the file readable, or sign in again: assay login "+s.role, "%v", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, s.failure(err, "", "%v", err)
	case !info.Mode().IsRegular():
		return nil, s.failure(nil, "name a file", "it is no regular file")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, s.failure(nil, "run: chmod 600 "+s.path, "it is a credential that other users of this machine may use (mode %04o)", info.Mode().Perm())
	}
	data, err = io.ReadAll(io.LimitReader(file, MaxBytes+1))
	switch {
	case err != nil:
		return nil, s.failure(err, "", "%v", err)
	case len(data) > MaxBytes:
		return nil, s.failure(nil, "sign in again: assay login "+s.role, "it is larger than %d MB", MaxBytes>>20)
	case len(data) == 0:
		return nil, s.failure(nil, "sign in again: assay login "+s.role, "it is empty")
	}
	return data, nil
}

// Write stores a state in place of the one that was there, if any. Nobody ever
// reads half of it. The error is an [*Error].
func (s *State) Write(state []byte) (err error) {
	if len(state) > MaxBytes {
		return s.failure(nil, "let the site keep less in its storage", "it would be larger than %d MB", MaxBytes>>20)
	}
	data := state
	if s.Sealed() {
		key, err := s.secret()
		if err != nil {
			return err
		}
		if data, err = seal(state, key, s.env, s.role); err != nil {
			return s.failure(err, "", "%v", err)
		}
	}
	if err := s.replaceFile(data); err != nil {
		return s.failure(err, folderRemedy, "%v", err)
	}
	return nil
}

// folderRemedy says what to do where the folder of the state can't be written.
const folderRemedy = "make the folder writable, or give the role another state file"

// replaceFile stores the state's file, for its owner only.
func (s *State) replaceFile(data []byte) (err error) {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, disk.DirPerm); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = disk.Write(root, filepath.Base(s.path), data)
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		return cause // without the remedy for a data folder
	}
	return err
}

// minKey bounds a key's length from below, in bytes. It is not stretched, so
// it must be too long to guess.
const minKey = 32

func (s *State) secret() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil {
		return s.kept, nil
	}
	key, err := s.key()
	if err != nil {
		return nil, s.failure(err, "check [auth] key, or auth/.key in the data folder where none is configured", "the key can't be had: %v", err)
	}
	if len(key) < minKey {
		return nil, s.failure(nil, "make one with: openssl rand -base64 32", "the key has %d bytes; accepted: %d or more", len(key), minKey)
	}
	s.kept = key
	return key, nil
}

func (s *State) failure(cause error, remedy, format string, args ...any) *Error {
	return &Error{Path: s.path, Problem: fmt.Sprintf(format, args...), Remedy: remedy, cause: cause}
}
