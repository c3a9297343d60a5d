package rest

import "time"

// The table of what the browser's side waits for, and for how long. What a caller may set
// instead is in [wait.Waits]; no other file has times of its own. A limit ends a wait or a
// question that did not come to its end; a poll is the time between two looks where no event
// tells of a change.

// Calls, and what they do to a page.
const (
	ActLimit   = 30 * time.Second // one action, where nobody says otherwise
	FirstPiece = time.Second      // a wait of Playwright's can't be cancelled: it is cut into pieces of this length
	LastPiece  = 4 * time.Second  // to this one
	ValueLimit = time.Second      // a control's value after an act on it
	TypedLimit = time.Second      // the note of what a key has typed
	IdleLimit  = 10 * time.Second // a network that is to be idle, where nobody says otherwise
	PauseLimit = 30 * time.Second // all waits of one call for inputs, so that it can answer

	LeastPiece = 20 * time.Millisecond // a shorter piece of a wait is not worth a try

	ChooserLimit = 3 * time.Second // from a click to the file chooser that it opens
	ScriptLimit  = time.Second     // the browser's word on whether a script changes anything
	MockDelay    = time.Minute     // the longest delay that a rule may give an answer

	SettleLimit  = 3 * time.Second        // what an act caused: the answer then says what is still under way
	SettlePoll   = 10 * time.Millisecond  // what an act caused
	DownloadPoll = 200 * time.Millisecond // the size of a running download
)

// Pages that do not answer.
const (
	LateLimit    = 2 * time.Second        // a page that is held by a call whose caller has gone, such as a script that never ends
	LateMargin   = 300 * time.Millisecond // of a caller's time, at most: what is kept to answer in
	ControlLimit = 10 * time.Second       // a page that is opened to be compared with one that does not answer
	StuckAfter   = time.Second            // a navigation opens a fresh page where the old one is not left
	AliveLimit   = time.Second            // the driver's word on whether a browser is there
	MoveLimit    = time.Second            // the browser's own page of an error: it need not come
	StopPoll     = 50 * time.Millisecond  // a load that is stopped may begin anew
	EndLimit     = time.Second            // the word of a process's end
)

// Looks at a page.
const (
	LookLimit       = 2 * time.Second         // one look, and what is there already: the caller looks again until it is content
	LookMargin      = time.Second             // beyond a look's own limit, for its answer
	Least           = time.Millisecond        // of a limit that is over: 0 would be none
	ElementsLimit   = 10 * time.Second        // all elements of one look
	FramePlaceLimit = time.Second             // where a frame lies
	LayoutLimit     = 10 * time.Second        // what a page consists of
	FramesLimit     = 4 * time.Second         // all frames of a page that don't answer
	FrameLimit      = 1500 * time.Millisecond // one of them
	FrameLook       = 200 * time.Millisecond  // what a frame shows that did not answer
	FactsLimit      = 5 * time.Second         // one look at a page's health
	TitleLimit      = time.Second             // the title of a tab that another call may hold
	ListenersLimit  = time.Second             // all listeners of a page
	ChangesLimit    = time.Second             // the changes of one document
	TimersLimit     = 500 * time.Millisecond  // timers of the page, before its changes are read
	TimerMargin     = time.Millisecond        // after a timer of the page is due
	TimersPoll      = 50 * time.Millisecond   // the same
	SelfLimit       = 1500 * time.Millisecond // a timer that is due sooner makes a page one that changes by itself
	BlinkLimit      = 3 * time.Second         // what pictures decide in one look
	// between two looks at what must not change: a text that a timer writes anew each 40 ms is another one then, however busy the machine, as timers run in the order in which they are due
	ChangeTime     = 50 * time.Millisecond
	ChangeLimit    = 400 * time.Millisecond // the same, of a page that is not painted or does not answer
	RestPoll       = 100 * time.Millisecond // a page at rest
	StillLong      = time.Second            // what has stood still for so long is at rest, whatever else was asked for
	RefreshLimit   = 5 * time.Second        // a refresh in the markup that is due later is not waited for
	SilenceLimit   = 4 * time.Second        // a page may answer nothing for so long beyond a wait's own limit
	FrameRestLimit = 500 * time.Millisecond // a frame of another site
)

// Pictures.
const (
	StillLimit     = 10 * time.Second       // a still whose caller sets none
	PosePoll       = 8 * time.Millisecond   // what a page still waits for
	RestlessMoment = 200 * time.Millisecond // between two readings of a page that does not come to rest
	RestlessWatch  = 3 * time.Second        // how long what moves on such a page is followed
	RestlessStep   = 40 * time.Millisecond  // between two readings of what moves
	LocateLimit    = 500 * time.Millisecond // an element's place: the picture is worth more
	ShotLimit      = 5 * time.Second        // the first try; later ones have longer
)

// StillPauses returns the waits before the first pictures of a page at rest; the last one
// goes on. What changes every few frames must have changed between two of them: taken at
// once, two pictures of it may be equal.
func StillPauses() []time.Duration {
	return []time.Duration{0, 100 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second}
}

// Processes, and what sessions are made of.
const (
	PlaceLimit   = 5 * time.Second       // a free place for a session
	WarmLimit    = time.Minute           // driver, browser and the session that stands by, which no call waits for
	SpareIdle    = time.Minute           // a session that stands by is closed then
	SparePause   = time.Second           // without a launch before it is made anew
	LaunchLimit  = 30 * time.Second      // the start of a browser process
	StartPoll    = 10 * time.Millisecond // a driver that is starting while the pool closes
	StopLimit    = time.Second           // a driver that has to end
	DeafLimit    = 10 * time.Second      // an empty context, which takes some 30 ms, of a process that has not closed one in time
	PrimeLimit   = 10 * time.Second      // the priming of a context
	TunnelLimit  = 5 * time.Second       // a session's first tunnel waits until its pages are watched
	MessageLimit = 3 * time.Second       // what a WebSocket sends in TLS waits for the word of the session's pages

	ReloadLimit = 10 * time.Second       // a rebuilt session: the first answer of the address
	LoadLimit   = 3 * time.Second        // the same: the document, after that
	NoticeLimit = 400 * time.Millisecond // an interrupted call waits for the outcome

	CookieLimit   = 5 * time.Second        // a session's cookies, for a request of our own
	AgentLimit    = time.Second            // the browser's name, for the same
	StateLimit    = 10 * time.Second       // a storage state
	DatabaseLimit = 5 * time.Second        // the databases of one origin
	KeepAfter     = 200 * time.Millisecond // a session must have been idle for so long before its state is kept
	KeepLimit     = 5 * time.Second        // one such state

	MemoryLimit = 15 * time.Second       // one count of memory: with a page that hangs Chromium takes 10 s
	CrashLimit  = 3 * time.Second        // from the end of a renderer to the crash event of its page
	TraceLimit  = 5 * time.Second        // one question to the driver about a trace: no page has a part in it
	MarkLimit   = 300 * time.Millisecond // the picture of a document in a trace
)

// Answers that a page waits for.
const (
	// LongPoll sets how long a request may be open before it counts as one that stays open by
	// design, where anything else speaks for that.
	LongPoll = 2 * time.Second
	// ByDesign sets for how long a reading is open that stays open by design, where nothing but
	// its age speaks for that.
	ByDesign = 10 * time.Second
	// Standing sets for how long a reading is open that stays open by design where it was sent
	// before the last act, and the page is otherwise at rest: the act is not what it answers.
	Standing = 5 * time.Second
	// OpenRequest bounds how long a request is waited for. One that takes longer stays open by
	// design, such as a long poll.
	OpenRequest = 5 * time.Second
	// LongPast is an age that no window of rest reaches back to: an answer that old is not
	// looked at.
	LongPast = 10 * time.Second
	// Unasked is how long a page counts as quiet that has asked for nothing.
	Unasked = time.Hour
	// answerLook sets after how long it is looked anew which requests are not answered, where
	// nothing has come: one may turn out to stay open by design.
	answerLook = 250 * time.Millisecond
	// meanwhile sets within what time one text comes as another one goes.
	meanwhile = 250 * time.Millisecond
)
