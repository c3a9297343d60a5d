package explore

import (
	"context"
	"log/slog"
	"time"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
)

// Options say what is explored, and how far.
type Options struct {
	StartURL    string
	Role        string
	Seed        int64
	AllowWrites bool

	StayOnDomain bool
	StayOnPath   string // addresses must begin with this path; "": any
	Limits       Limits
	Notable      int // elements that are noted of a state; 0: none

	Now  func() time.Time
	Log  *slog.Logger
	Save func(site.Site) error // stores what is known so far; may be nil
	// Checkpoint stores how to go on from what Save stored last, and nil once there is
	// nothing to go on with; may be nil.
	Checkpoint func(data []byte) error
	Resume     *Resumed                                                              // goes on with this one; nil: begins
	Keep       func(state string, picture []byte, ext string) (*site.Picture, error) // stores a picture; nil: none is taken
	Tell       func(Progress)                                                        // may be nil
	// Choose lets a model pick among the next actions; nil: the policy alone does.
	Choose  func(ctx context.Context, q Question) (Choice, error)
	Choices int // among how many it picks
	// Destructive reports whether a control that is called so may do harm; nil: none does.
	Destructive func(name string) bool
	// Identify names the state that a look shows otherwise than package identity does,
	// for comparisons with it; nil: as that does.
	Identify func(page *scan.Page, id StateID) string
}

// Limits bound an exploration. 0 is no limit.
type Limits struct {
	Navigations int // changes of the address
	Loops       int
	Actions     int
	States      int
	Time        time.Duration
	Idle        int // actions in a row without a new state
	Frontier    FrontierLimits
}

// Progress says where an exploration stands.
type Progress struct {
	Loops, States, Edges, Findings int
	Loop                           site.Loop
}

// idle is how many actions in a row may bring no new state.
const idle = 25

func (o Options) withDefaults() Options {
	if o.Limits.Idle == 0 {
		o.Limits.Idle = idle
	}
	if o.Limits.Frontier == (FrontierLimits{}) {
		o.Limits.Frontier = DefaultFrontierLimits()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Tell == nil {
		o.Tell = func(Progress) {}
	}
	if o.Save == nil {
		o.Save = func(site.Site) error { return nil }
	}
	return o
}

// Question is what a model is asked: which of the elements it would work next.
type Question struct {
	URL, Title string
	Visited    []string
	Elements   []site.Element
	Kinds      []string // what would be done to each
}

// Choice is a model's answer.
type Choice struct {
	Element int // index in Elements of the question
	Value   string
	Reason  string
}
