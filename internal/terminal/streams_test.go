package terminal_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/terminal"
)

// talkerEnv makes the test binary a program that keeps its stdout and then lets
// everybody write to it.
const talkerEnv = "ASSAY_TEST_TALKER"

const kept = "the answer\n"

// TestTalker is not a test but the program that TestKeep looks at.
func TestTalker(t *testing.T) {
	if os.Getenv(talkerEnv) == "" {
		return // the ordinary run
	}
	before := os.Stdout
	answers, err := terminal.KeepStdout(os.Stdout, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = os.Stderr
	fmt.Println("foreign: fmt")
	log.New(before, "", 0).Print("foreign: the file that was stdout")
	if _, err := os.NewFile(1, "descriptor").WriteString("foreign: descriptor\n"); err != nil {
		t.Error(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^$") // prints PASS
	child.Stdout = before
	if err := child.Run(); err != nil {
		t.Error(err)
	}
	if _, err := answers.WriteString(kept); err != nil {
		t.Error(err)
	}
}

// After Keep the answers alone reach stdout, whoever writes to it and how.
func TestKeep(t *testing.T) {
	var stdout, stderr bytes.Buffer
	program := exec.Command(os.Args[0], "-test.run=^TestTalker$")
	program.Env = append(program.Environ(), talkerEnv+"=1")
	program.Stdout, program.Stderr = &stdout, &stderr
	if err := program.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	if stdout.String() != kept {
		t.Errorf("stdout has %q, want %q alone", &stdout, kept)
	}
	for _, line := range []string{"foreign: fmt", "foreign: the file that was stdout", "foreign: descriptor", "PASS"} {
		if !strings.Contains(stderr.String(), line) {
			t.Errorf("stderr lacks %q: %q", line, &stderr)
		}
	}
}
