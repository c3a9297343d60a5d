package baseline_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
)

// childVariable tells a process of this test that it is a child, and the folder.
const childVariable = "ASSAY_TEST_BASELINES"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child captures each name and shade that it reads, and says what became of it.
func child(dir string) {
	s, err := baseline.Open(dir, time.Now)
	if err != nil {
		panic(err)
	}
	t := &testing.T{} // shot only wants to report what never fails
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var name string
		var shade uint8
		if _, err := fmt.Sscan(lines.Text(), &name, &shade); err != nil {
			panic(err)
		}
		v, err := patient(context.Background(), s, shot(t, name, shade))
		fmt.Println(v.ID, err)
	}
}

// patient captures, however long others hold the store: on a busy machine that
// is longer than a caller would wait.
func patient(ctx context.Context, s *baseline.Store, n baseline.New) (baseline.Version, error) {
	for {
		if v, err := s.Capture(ctx, n); !errors.Is(err, baseline.ErrLocked) {
			return v, err
		}
	}
}

func start(t *testing.T, dir string) (*exec.Cmd, io.WriteCloser, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), childVariable+"="+dir), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, bufio.NewScanner(out)
}

// checkLine holds what must be true of one name's versions, whatever happened.
func checkLine(t *testing.T, all []baseline.Version) {
	t.Helper()
	inForce, numbers := 0, map[int]string{}
	for _, v := range all {
		if v.Status == baseline.Unapproved {
			inForce++
		}
		if other, ok := numbers[v.Number]; ok {
			t.Errorf("%s and %s both are version %d", other, v.ID, v.Number)
		}
		numbers[v.Number] = v.ID
	}
	if inForce != 1 || len(numbers) != len(all) {
		t.Errorf("%d in force, %d numbers of %d versions", inForce, len(numbers), len(all))
	}
}

// Captures of one name at once, from several stores and processes: one is
// version 1, each other picture is a proposal, nothing is lost and nothing
// there twice (B2, B8).
func TestCaptureAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	one := open(t, dir)
	for i := range 12 {
		s := one
		if i%2 == 0 {
			s = open(t, dir)
		}
		all.Go(func() {
			v, err := patient(t.Context(), s, shot(t, "Sales", uint8(10+i%4)))
			if err != nil || v.ID == "" {
				t.Errorf("captured %+v, %v", v, err)
			}
		})
	}
	cmd, in, said := start(t, dir)
	for i := range 6 {
		if _, err := fmt.Fprintln(in, "Sales", 13+i%3); err != nil {
			t.Fatal(err)
		}
	}
	for range 6 {
		if !said.Scan() || !strings.HasSuffix(said.Text(), " <nil>") {
			t.Errorf("the other process said %q", said.Text())
		}
	}
	all.Wait()
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	got := must[[]baseline.Version](t)(one.List(t.Context()))
	checkLine(t, got)
	if len(got) != 6 { // shades 10 to 15
		t.Errorf("%d versions of 6 pictures", len(got))
	}
}

// A process that is killed as it captures: each version that it has told of is
// there with its pictures, and the store works (B8).
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	var told []string
	for round := range 30 {
		cmd, in, said := start(t, dir)
		for i := range 4 {
			if _, err := fmt.Fprintf(in, "name-%d %d\n", round%5, 10+(round*4+i)%200); err != nil {
				t.Fatal(err)
			}
		}
		for range round % 3 {
			if !said.Scan() {
				t.Fatal("the child ended by itself")
			}
			told = append(told, said.Text())
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for said.Scan() {
			told = append(told, said.Text())
		}
		_ = cmd.Wait() // it was killed
	}
	all := must[[]baseline.Version](t)(s.List(t.Context()))
	for _, line := range told {
		id, err, _ := strings.Cut(line, " ")
		if err != "<nil>" {
			t.Fatalf("the child said %q", line)
		}
		i := slices.IndexFunc(all, func(v baseline.Version) bool { return v.ID == id })
		if i < 0 {
			t.Errorf("%s is lost", id)
			continue
		}
		for _, p := range all[i].Pictures {
			if _, err := s.Read(p.SHA256); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if len(told) < 20 {
		t.Errorf("only %d were told of: nothing was tried", len(told))
	}
	for _, name := range []string{"name-0", "name-4"} {
		checkLine(t, slices.DeleteFunc(slices.Clone(all), func(v baseline.Version) bool { return v.Name != name }))
	}
	must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "after", 1)))
}

// What is damaged is an error of that kind, whichever file it is, and nobody
// can approve what is lost (B8).
func TestDamaged(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := open(t, dir)
	v := must[baseline.Version](t)(s.Capture(ctx, shot(t, "Sales", 10)))
	blobOf := func(digest string) string { return filepath.Join(dir, "blobs", "sha256", digest[:2], digest[2:]) }
	for _, digest := range []string{v.Pictures[0].SHA256, v.Pictures[1].SHA256, v.Pictures[0].Layout} {
		whole := must[[]byte](t)(os.ReadFile(blobOf(digest)))
		if err := os.Truncate(blobOf(digest), 9); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Read(digest); !errors.Is(err, baseline.ErrCorrupt) {
			t.Errorf("read what was cut: %v", err)
		}
		if _, err := s.Approve(ctx, v.ID, "Ada", "x"); !errors.Is(err, baseline.ErrCorrupt) {
			t.Errorf("approve what was cut: %v", err)
		}
		if _, err := s.Export(ctx, t.TempDir(), nil); !errors.Is(err, baseline.ErrCorrupt) {
			t.Errorf("export what was cut: %v", err)
		}
		if err := os.WriteFile(blobOf(digest), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(dir, "assay.db")
	whole := must[[]byte](t)(os.ReadFile(db))
	if err := os.WriteFile(db, whole[:len(whole)/4], 0o600); err != nil {
		t.Fatal(err)
	}
	for what, operation := range map[string]func() error{
		"Find":    func() error { _, err := s.Find(ctx, "Sales", here()); return err },
		"Get":     func() error { _, err := s.Get(ctx, v.ID); return err },
		"List":    func() error { _, err := s.List(ctx); return err },
		"Capture": func() error { _, err := s.Capture(ctx, shot(t, "Sales", 10)); return err },
		"Propose": func() error { _, err := s.Propose(ctx, shot(t, "Sales", 10)); return err },
		"Approve": func() error { _, err := s.Approve(ctx, v.ID, "Ada", "x"); return err },
		"Reject":  func() error { _, err := s.Reject(ctx, v.ID, "Ada", "x"); return err },
		"Export":  func() error { _, err := s.Export(ctx, t.TempDir(), nil); return err },
	} {
		if err := operation(); !errors.Is(err, baseline.ErrCorrupt) || !strings.Contains(err.Error(), "assay.db") {
			t.Errorf("%s: %v, want ErrCorrupt that names the file", what, err)
		}
	}
	if err := os.WriteFile(db, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	must[baseline.Version](t)(s.Approve(ctx, v.ID, "Ada", "x"))
}
