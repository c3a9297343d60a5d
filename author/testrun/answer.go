package testrun

import (
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// Answer is what came of a test run, as callers get it.
type Answer struct {
	Status qa.Status     `json:"status"`
	Passed int           `json:"passed"`
	Failed int           `json:"failed"`
	Flaky  int           `json:"flaky"` // always 0: nothing is repeated
	Tests  []Outcome     `json:"tests"`
	Errors []string      `json:"errors,omitempty"` // beside tests, such as files that can't be read
	Suite  string        `json:"suite"`
	Report string        `json:"report"` // path of the suite's index
	Traces []string      `json:"traces"`
	Runner string        `json:"runner"`
	Result qa.TestResult `json:"result"`

	Writes []qa.RequestRef `json:"writes,omitzero"` // that asked a site to change something; nil: not looked at
}

// Outcome is what came of one test.
type Outcome struct {
	Title      string `json:"title"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Project    string `json:"project,omitempty"`
	Status     string `json:"status"`
	DurationMS int64  `json:"duration_ms"`
	Error      string `json:"error,omitempty"`
	Locator    string `json:"locator,omitempty"`
}

// NewAnswer tells of a result that was filed as a suite with an index.
func NewAnswer(r Result, p Project, s suite.Suite, index string) Answer {
	sum := s.Sum()
	a := Answer{Status: sum.Status.Verdict(), Passed: sum.Summary.Passed, Failed: sum.Summary.Failed, Suite: s.ID, Report: index, Runner: p.Describe(),
		Tests: []Outcome{}, Traces: []string{}, Result: sum, Writes: r.Writes}
	for _, t := range r.Tests {
		o := Outcome{Title: t.Title(), File: t.Location.File, Line: t.Location.Line, Project: t.Project, Status: t.Status, DurationMS: t.DurationMS, Error: t.Why(), Locator: t.Locator()}
		a.Tests = append(a.Tests, o)
	}
	for _, e := range r.Mistakes() {
		a.Errors = append(a.Errors, e.Text())
	}
	for _, file := range sum.Artifacts.Traces {
		a.Traces = append(a.Traces, file.Path)
	}
	return a
}
