package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/qa"
)

// xmlSuites holds the root of a document, with the totals of its suite. Of Skipped the
// public schemas know nothing: the strict form leaves it out.
type xmlSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  *int       `xml:"skipped,attr"`
	Time     string     `xml:"time,attr"`
	Suites   []xmlSuite `xml:"testsuite"`
}

// xmlSuite holds a testsuite in the order and with the attributes that both
// junit-10.xsd and surefire-test-report-3.0.xsd define; the strict form leaves
// out the rest.
type xmlSuite struct {
	XMLName    xml.Name       `xml:"testsuite"`
	Name       string         `xml:"name,attr"`
	Tests      int            `xml:"tests,attr"`
	Failures   int            `xml:"failures,attr"`
	Errors     int            `xml:"errors,attr"`
	Skipped    int            `xml:"skipped,attr"`
	Time       string         `xml:"time,attr"`
	ID         string         `xml:"id,attr,omitempty"`        // rich
	Timestamp  string         `xml:"timestamp,attr,omitempty"` // rich
	Properties *xmlProperties `xml:"properties"`
	Cases      []xmlCase      `xml:"testcase"`
}

type xmlProperties struct {
	List []xmlProperty `xml:"property"`
}

type xmlProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type xmlCase struct {
	Name       string         `xml:"name,attr"`
	Class      string         `xml:"classname,attr"`
	Time       string         `xml:"time,attr"`
	Timestamp  string         `xml:"timestamp,attr,omitempty"` // rich
	File       string         `xml:"file,attr,omitempty"`      // rich
	Properties *xmlProperties `xml:"properties"`               // rich
	Failure    *xmlFault      `xml:"failure"`
	Skipped    *xmlSkip       `xml:"skipped"`
	Error      *xmlFault      `xml:"error"`
	Out        string         `xml:"system-out,omitempty"`
}

type xmlFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type xmlSkip struct {
	Message string `xml:"message,attr"`
}

// JUnit returns the report as JUnit XML that holds to the letter of the public
// schemas (junit-10.xsd of Jenkins, surefire-test-report-3.0.xsd of Maven):
// what a picky importer takes. The root, testsuites, is of the former only. What could not
// be found out is an error.
func JUnit(r qa.QAReport) ([]byte, error) {
	root := junitSuite(r).root()
	root.Skipped = nil
	return root.encode()
}

// RichJUnit returns what [JUnit] returns with all that CI systems show beyond
// the schemas: times, properties of each case, and output with the attachments
// of Jenkins and GitLab ([[ATTACHMENT|path]], relative to the run's folder).
func RichJUnit(r qa.QAReport) ([]byte, error) {
	s := junitSuite(r)
	s.ID, s.Timestamp = r.RunID, xmlTime(r.StartedAt)
	for i, c := range testCases(r) {
		x := &s.Cases[i]
		x.Timestamp = xmlTime(c.Start)
		x.Properties = &xmlProperties{List: []xmlProperty{{"id", c.ID}}}
		for _, e := range c.Expects {
			x.Properties.List = append(x.Properties.List, xmlProperty{"expectation", visible(e)})
		}
		lines := make([]string, 0, len(c.Detail)+len(c.Files))
		for _, d := range c.Detail {
			lines = append(lines, plainOutput(d))
		}
		for _, f := range c.Files {
			x.Properties.List = append(x.Properties.List, xmlProperty{"attachment", visible(f.Name)}, xmlProperty{"sha256", visible(f.SHA256)})
			lines = append(lines, "[[ATTACHMENT|"+plainOutput(strings.ReplaceAll(f.Name, "\n", " "))+"]]")
		}
		x.Out = strings.Join(lines, "\n")
	}
	return s.root().encode()
}

func junitSuite(r qa.QAReport) xmlSuite {
	s := newSuite(cmp.Or(r.Task.Goal, r.Task.Route, "assay"), r.Costs.DurationMS, testCases(r))
	s.Properties = &xmlProperties{List: properties(r)}
	return s
}

func newSuite(name string, ms int64, cases []testCase) xmlSuite {
	s := xmlSuite{Name: plainOutput(withoutPorts(name)), Time: seconds(ms), Tests: len(cases), Cases: make([]xmlCase, len(cases))}
	for i, c := range cases {
		x := xmlCase{Name: plainOutput(c.Name), Class: plainOutput("assay." + c.Class), Time: seconds(c.Took)}
		fault := &xmlFault{Message: plainOutput(c.Reason), Type: plainOutput(c.Type), Text: plainOutput(joinLines(c.Detail))}
		switch c.Status {
		case qa.TestPassed:
		case qa.TestFailed:
			x.Failure = fault
			s.Failures++
		case qa.TestSkipped:
			x.Skipped = &xmlSkip{Message: fault.Message}
			s.Skipped++
		default:
			x.Error = fault
			s.Errors++
		}
		s.Cases[i] = x
	}
	return s
}

func (s *xmlSuite) add(p ...xmlProperty) {
	if s.Properties == nil {
		s.Properties = &xmlProperties{}
	}
	s.Properties.List = append(s.Properties.List, p...)
}

// properties say where the report came from.
func properties(r qa.QAReport) []xmlProperty {
	e := r.Environment
	var out []xmlProperty
	for _, p := range []xmlProperty{
		{"status", string(r.Status)}, {"statusReason", visible(r.StatusReason)}, {"runId", r.RunID}, {"taskId", r.TaskID}, {"route", r.Task.Route},
		{"environment", e.Name}, {"assay", e.AssayVersion}, {"browser", strings.TrimSpace(e.Browser + " " + e.BrowserVersion)}, {"system", e.OS + "/" + e.Arch},
		{"viewport", e.Viewport}, {"report", r.Links.ReportURL},
	} {
		if p.Value != "" {
			out = append(out, xmlProperty{p.Name, plainOutput(p.Value)})
		}
	}
	for _, u := range r.Understanding() {
		out = append(out, xmlProperty{"understood." + plainOutput(u.ID), plainOutput(u.Text + " · " + u.As)})
	}
	return append(out, evidenceProperties(r)...)
}

// root returns the document's root, with the suite's totals.
func (s xmlSuite) root() xmlSuites {
	return xmlSuites{Name: s.Name, Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: &s.Skipped, Time: s.Time, Suites: []xmlSuite{s}}
}

// encode returns the document. What XML can't hold is replaced: control characters,
// invalid UTF-8.
func (s xmlSuites) encode() ([]byte, error) {
	doc, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode as XML: %w", err)
	}
	return append([]byte(xml.Header), append(doc, '\n')...), nil
}

// plainOutput returns page text that attaches no file: a CI system would fetch
// what it names.
func plainOutput[S ~string](s S) string {
	return strings.ReplaceAll(visible(s), "[[ATTACHMENT|", "[[ATTACHMENT∣")
}

// seconds formats milliseconds as seconds with three decimals, as surefire's
// schema has them.
func seconds(ms int64) string { return strconv.FormatFloat(float64(max(0, ms))/1000, 'f', 3, 64) }

func xmlTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
