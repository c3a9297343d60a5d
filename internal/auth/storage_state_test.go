package auth_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/auth"
)

const plain = `{"cookies":[{"name":"sid","value":"Zx81Qp99Lm42Vt77"}],"origins":[]}`

func key(text string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(text), nil }
}

func goodKey() ([]byte, error) { return []byte("0123456789abcdef0123456789abcdef"), nil }

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// A state is for its owner only (B7), sealed where a key is configured, and
// comes back as it was.
func TestWriteAndRead(t *testing.T) {
	for name, key := range map[string]func() ([]byte, error){"plain": nil, "sealed": goodKey} {
		t.Run(name, func(t *testing.T) {
			path := auth.Path(t.TempDir(), "staging", "admin")
			s := auth.New("staging", "admin", path, key)
			if _, err := s.Read(); !errors.Is(err, auth.ErrNone) {
				t.Fatalf("before anything is stored: %v", err)
			}
			for range 2 { // the second replaces the first
				if err := s.Write([]byte(plain)); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.Read(); err != nil || string(got) != plain {
				t.Errorf("read %q, %v", got, err)
			}
			if file, folder := mode(t, path), mode(t, filepath.Dir(path)); file != 0o600 || folder != 0o700 {
				t.Errorf("modes %04o in %04o, want 0600 in 0700", file, folder)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte("Zx81Qp99Lm42Vt77")) != (key == nil) {
				t.Errorf("the file holds %q", data)
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(left) != 1 {
				t.Errorf("left beside it: %v, %v", left, err)
			}
		})
	}
}

// What can't be used says why and what to do, and nothing of the state.
func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	sealed := filepath.Join(dir, "sealed.json")
	if err := auth.New("staging", "admin", sealed, goodKey).Write([]byte(plain)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(data)
	flipped[len(flipped)-3] ^= 1
	for _, tc := range []struct {
		name      string
		content   []byte
		mode      os.FileMode
		env, role string
		key       func() ([]byte, error)
		want      string
		hint      string
	}{
		{"no key", data, 0o600, "staging", "admin", nil, "no key is configured", "[auth] key"},
		{"another key", data, 0o600, "staging", "admin", key(strings.Repeat("x", 32)), "can't be decrypted", "assay login admin"},
		{"another role's", data, 0o600, "staging", "viewer", goodKey, "can't be decrypted", "assay login viewer"},
		{"another environment's", data, 0o600, "prod", "admin", goodKey, "can't be decrypted", "assay login admin"},
		{"changed", flipped, 0o600, "staging", "admin", goodKey, "can't be decrypted", "assay login admin"},
		{"cut", data[:50], 0o600, "staging", "admin", goodKey, "cut off", "assay login admin"},
		{"a later version", []byte("assay-auth v2 x\n123"), 0o600, "staging", "admin", goodKey, `does not know: "assay-auth v2 x"`, "assay login admin"},
		{"short key", data, 0o600, "staging", "admin", key("short"), "the key has 5 bytes", "openssl rand"},
		{"no such key", data, 0o600, "staging", "admin", func() ([]byte, error) { return nil, errors.New("variable X is not set") }, "variable X is not set", "[auth] key"},
		{"others may read", []byte(plain), 0o640, "staging", "admin", nil, "mode 0640", "chmod 600 "},
		{"empty", nil, 0o600, "staging", "admin", nil, "empty", "assay login admin"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.json")
			if err := os.WriteFile(path, tc.content, tc.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tc.mode); err != nil { // whatever the umask says
				t.Fatal(err)
			}
			got, err := auth.New(tc.env, tc.role, path, tc.key).Read()
			var refused *auth.Error
			if !errors.As(err, &refused) || got != nil {
				t.Fatalf("got %q, %v", got, err)
			}
			if !strings.Contains(err.Error(), tc.want) || !strings.Contains(refused.Hint(), tc.hint) || !strings.Contains(err.Error(), path) {
				t.Errorf("%q, hint %q", err, refused.Hint())
			}
		})
	}
}

// A state that was stored before a key was configured is sealed when it is next used.
func TestPlainStateIsSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := auth.New("e", "r", path, nil).Write([]byte(plain)); err != nil {
		t.Fatal(err)
	}
	s := auth.New("e", "r", path, goodKey)
	for range 2 {
		if got, err := s.Read(); err != nil || string(got) != plain {
			t.Fatalf("read %q, %v", got, err)
		}
		if data, err := os.ReadFile(path); err != nil || bytes.Contains(data, []byte("Zx81")) || mode(t, path) != 0o600 {
			t.Fatalf("the file is still plain: %v, %04o", err, mode(t, path))
		}
	}
}

// A reader never meets half a state, however many write.
func TestWriteIsWhole(t *testing.T) {
	s := auth.New("e", "r", filepath.Join(t.TempDir(), "state.json"), nil)
	long, short := []byte(`{"cookies":[],"x":"`+strings.Repeat("a", 1<<16)+`"}`), []byte(plain)
	if err := s.Write(short); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for range 20 {
				state := short
				if i%2 == 0 {
					state = long
				}
				if err := s.Write(state); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if got, err := s.Read(); err != nil || !bytes.Equal(got, long) && !bytes.Equal(got, short) {
			t.Fatalf("read %d bytes, %v", len(got), err)
		}
	}
	writers.Wait()
}

// One signs in at a time, also where another process (here: another State of
// the same file) is the other one; waiting ends with the context.
func TestTurn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "auth", "state.json")
	one, other := auth.New("e", "r", path, nil), auth.New("e", "r", path, nil)
	var inside, most atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		s := one
		if i%2 == 0 {
			s = other
		}
		all.Go(func() {
			end, err := s.Turn(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			most.Store(max(most.Load(), inside.Add(1)))
			inside.Add(-1)
			end()
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at a time", most.Load())
	}
	end, err := one.Turn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	for _, s := range []*auth.State{one, other} {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
		if _, err := s.Turn(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second turn: %v", err)
		}
		cancel()
	}
}

// FuzzRead: no file makes Read panic, or pass for a state of that key.
func FuzzRead(f *testing.F) {
	f.Add([]byte("assay-auth v1 aes-256-gcm hkdf-sha256\n"))
	f.Add([]byte(plain))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := auth.New("e", "r", path, goodKey).Read()
		if err == nil && !bytes.Equal(got, data) {
			t.Errorf("%q came out of %q", got, data)
		}
		auth.Secrets(data)
		auth.Until(data)
	})
}
