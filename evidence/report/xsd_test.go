package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// node is an element of any XML document.
type node struct {
	name  string
	attrs map[string]string
	kids  []*node
	text  string
}

func parseXML(t *testing.T, doc []byte) *node {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(doc))
	var stack []*node
	root := &node{}
	stack = append(stack, root)
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the document is no XML: %v\n%s", err, doc)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			top.kids = append(top.kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
	if len(root.kids) != 1 {
		t.Fatalf("the document has %d roots", len(root.kids))
	}
	return root.kids[0]
}

// all lists the elements of that name at any depth.
func (n *node) all(name string) (out []*node) {
	if n.name == name {
		out = append(out, n)
	}
	for _, k := range n.kids {
		out = append(out, k.all(name)...)
	}
	return out
}

// xsd is a file of testdata/schemas, by which xmllint validates: a program that
// is not ours.
type xsd struct {
	t    *testing.T
	file string
}

func readXSD(t *testing.T, name string) xsd {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("xmllint is missing: make witnesses")
		}
		t.Skip("xmllint is missing: make witnesses")
	}
	return xsd{t: t, file: filepath.Join("testdata", "schemas", name)}
}

// check validates documents by their names, all at once, and returns why some are
// refused.
func (s xsd) check(docs map[string][]byte) map[string]string {
	s.t.Helper()
	dir, err := filepath.EvalSymlinks(s.t.TempDir())
	if err != nil {
		s.t.Fatal(err)
	}
	args, files := []string{"--noout", "--nonet", "--schema", s.file}, map[string]string{}
	for name, doc := range docs {
		files[name] = filepath.Join(dir, fmt.Sprint(len(files), ".xml"))
		args = append(args, files[name])
		if err := os.WriteFile(files[name], doc, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	said, err := exec.CommandContext(s.t.Context(), "xmllint", args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 && exit.ExitCode() != 3) { // no XML, not valid
		s.t.Fatalf("xmllint: %v: %s", err, said)
	}
	refused := map[string]string{}
	for name, file := range files {
		if !strings.Contains("\n"+string(said), "\n"+file+" validates\n") {
			refused[name] = string(said)
		}
	}
	return refused
}

// The schemas refuse what they must: a checker that accepts everything would
// prove nothing.
func TestSchemasRefuse(t *testing.T) {
	t.Parallel()
	junit, surefire := readXSD(t, "junit-10.xsd"), readXSD(t, "surefire-test-report-3.0.xsd")
	const good = `<testsuite name="n" tests="1" errors="0" skipped="0" failures="0" time="0.100"><testcase name="a" time="1.000"/></testsuite>`
	docs := map[string][]byte{"good": []byte(good), "no XML": []byte("<testsuite")}
	for _, swap := range [][2]string{{`name="a"`, ""}, {`tests="1"`, ""}, {`time="0.100"`, `time="soon"`}, {"<testcase", `<testcase nonsense="1"`},
		{"<testcase", `<step/><testcase`}, {"<testcase", `words<testcase`}} {
		docs[fmt.Sprintf("%q for %q", swap[1], swap[0])] = []byte(strings.Replace(good, swap[0], swap[1], 1))
	}
	for name, s := range map[string]xsd{"junit": junit, "surefire": surefire} {
		refused := s.check(docs)
		if why, bad := refused["good"]; bad {
			t.Errorf("%s refuses a good document: %s", name, why)
		}
		for what := range docs {
			if refused[what] == "" && what != "good" {
				t.Errorf("%s accepts a document with %s", name, what)
			}
		}
	}
}
