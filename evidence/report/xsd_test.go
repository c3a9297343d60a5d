package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

func (n *node) kid(name string) *node {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
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

// xsd is as much of XML Schema as the two files in testdata/schemas use:
// global and nested elements, ref, sequence, choice, occurrences, attributes,
// simple content, and patterns. What else it meets is a failure, so that a
// schema is never half applied.
type xsd struct {
	t        *testing.T
	globals  map[string]*node
	types    map[string]*node
	patterns map[string]*regexp.Regexp
}

func readXSD(t *testing.T, name string) xsd {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("testdata", "schemas", name))
	if err != nil {
		t.Fatal(err)
	}
	s := xsd{t: t, globals: map[string]*node{}, types: map[string]*node{}, patterns: map[string]*regexp.Regexp{}}
	for _, n := range parseXML(t, doc).kids {
		switch n.name {
		case "element":
			s.globals[n.attrs["name"]] = n
		case "complexType":
			s.types[n.attrs["name"]] = n
		case "simpleType":
			s.patterns[n.attrs["name"]] = regexp.MustCompile(`^(?:` + n.kid("restriction").kid("pattern").attrs["value"] + `)$`)
		default:
			t.Fatalf("%s: xs:%s is not understood", name, n.name)
		}
	}
	return s
}

// check validates a document.
func (s xsd) check(doc []byte) error {
	root := parseXML(s.t, doc)
	decl := s.globals[root.name]
	if decl == nil {
		return fmt.Errorf("<%s> is no root of the schema", root.name)
	}
	return s.element(decl, root)
}

func (s xsd) element(decl, n *node) error {
	if ref := decl.attrs["ref"]; ref != "" {
		decl = s.globals[ref]
	}
	complexType := decl.kid("complexType")
	if named := s.types[decl.attrs["type"]]; named != nil {
		complexType = named
	}
	if complexType == nil { // xs:string
		if len(n.kids)+len(n.attrs) > 0 {
			return fmt.Errorf("<%s> has elements or attributes", n.name)
		}
		return nil
	}
	attributes, model := complexType, (*node)(nil)
	text := complexType.attrs["mixed"] == "true"
	for _, part := range complexType.kids {
		switch part.name {
		case "attribute":
		case "sequence", "choice":
			model = part
		case "simpleContent":
			attributes, text = part.kid("extension"), true
		default:
			s.t.Fatalf("xs:%s is not understood", part.name)
		}
	}
	if !text && strings.TrimSpace(n.text) != "" {
		return fmt.Errorf("<%s> has text: %.40q", n.name, n.text)
	}
	if err := s.attributes(attributes, n); err != nil {
		return err
	}
	return s.content(model, n)
}

func (s xsd) attributes(decl, n *node) error {
	known := map[string]*node{}
	for _, a := range decl.kids {
		if a.name == "attribute" {
			known[a.attrs["name"]] = a
			if _, ok := n.attrs[a.attrs["name"]]; !ok && a.attrs["use"] == "required" {
				return fmt.Errorf("<%s> lacks %s", n.name, a.attrs["name"])
			}
		}
	}
	for name, value := range n.attrs {
		a := known[name]
		if a == nil {
			return fmt.Errorf("<%s> has an unknown attribute %s", n.name, name)
		}
		if p := s.patterns[a.attrs["type"]]; p != nil && !p.MatchString(value) {
			return fmt.Errorf("<%s %s=%q>: want %s", n.name, name, value, p)
		}
	}
	return nil
}

// content compares the children's names with the content model, which is
// turned into a regular expression over them, and then each child.
func (s xsd) content(model, n *node) error {
	decls := map[string]*node{}
	pattern := ""
	if model != nil {
		pattern = s.particle(model, decls)
	}
	names := ""
	for _, k := range n.kids {
		names += k.name + ","
	}
	if !regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(names) {
		return fmt.Errorf("<%s> has the children %s want %s", n.name, names, pattern)
	}
	for _, k := range n.kids {
		if err := s.element(decls[k.name], k); err != nil {
			return err
		}
	}
	return nil
}

func (s xsd) particle(p *node, decls map[string]*node) string {
	var out string
	switch p.name {
	case "element":
		name := p.attrs["name"] + p.attrs["ref"]
		decls[name] = p
		out = name + ","
	case "sequence", "choice":
		var parts []string
		for _, k := range p.kids {
			parts = append(parts, s.particle(k, decls))
		}
		out = strings.Join(parts, map[string]string{"sequence": "", "choice": "|"}[p.name])
	default:
		s.t.Fatalf("xs:%s is not understood", p.name)
	}
	out = "(?:" + out + ")"
	switch least, most := p.attrs["minOccurs"], p.attrs["maxOccurs"]; {
	case least == "0" && most == "unbounded":
		return out + "*"
	case most == "unbounded":
		return out + "+"
	case least == "0":
		return out + "?"
	default:
		return out
	}
}

// The schemas refuse what they must: a checker that accepts everything would
// prove nothing.
func TestSchemasRefuse(t *testing.T) {
	junit, surefire := readXSD(t, "junit-10.xsd"), readXSD(t, "surefire-test-report-3.0.xsd")
	const good = `<testsuite name="n" tests="1" errors="0" skipped="0" failures="0" time="0.100"><testcase name="a" time="1.000"/></testsuite>`
	for name, s := range map[string]xsd{"junit": junit, "surefire": surefire} {
		if err := s.check([]byte(good)); err != nil {
			t.Errorf("%s refuses a good document: %v", name, err)
		}
		for _, swap := range [][2]string{{`name="a"`, ""}, {`tests="1"`, ""}, {`time="0.100"`, `time="soon"`}, {"<testcase", `<testcase nonsense="1"`},
			{"<testcase", `<step/><testcase`}, {"<testcase", `words<testcase`}} {
			if s.check([]byte(strings.Replace(good, swap[0], swap[1], 1))) == nil {
				t.Errorf("%s accepts a document with %q for %q", name, swap[1], swap[0])
			}
		}
	}
}
