package health

// Facts holds all that was read from a page.
type Facts struct {
	Asked       string // the address that was requested; empty: none was requested
	URL         string // the address that is shown
	Arrived     int    // HTTP status of the document that was asked for; 0: unknown
	Status      int    // HTTP status of the document that is shown; 0: unknown
	ContentType string // of the document that is shown, as the browser took it
	Title       string
	ParseError  bool   // the browser shows its own complaint about malformed XML
	Texts       []Text // painted ones, in reading order
	Words       int    // characters of all painted texts, also of those left out of Texts
	Codes       int    // code blocks and pieces of code

	Drawn     int  // painted pictures, drawings, videos and frames
	Canvases  int  // of these
	Below     int  // of Drawn, outside of the viewport
	InView    int  // texts and controls in the viewport
	Controls  int  // painted
	Passwords int  // painted fields for a password
	New       int  // of them, those of a form that asks for a new one
	Unread    int  // frames that could not be read
	OneColour bool // the picture of the viewport has a single colour; false without a picture
	Pictured  bool // there is a picture

	Overlays []string // elements by which development servers show errors
	Cover    *Cover
	Dialog   *Place
	Waiting  []Waiting
	Images   []Place // with an empty address (Kind empty), or without a picture (broken)
	Frames   []Place // with an empty address
	Requests []Request
	Capped   bool // the page was larger than what is read

	Sheets []Sheet  // style sheets that the page links, and that count now
	Rules  int      // of its own style elements
	Fonts  []string // families that came and can't be used
	Wide   *Place   // what makes the page wider than its window; Kind: by how many pixels
	Shift  *Place   // what moved after the load, and no act asked for it; Kind: by how many pixels
	Glyphs []Place  // icons, by their codes (Kind), that their fonts (Text) do not have
	Blank  []string // scripts that came empty, where the page has no other
	Broken []string // style sheets that are none, or that end before their end
	Open   []Place  // fields for a password that show it; Kind shown: it may be no password, or can be hidden
	Errors []string // requests that were answered 200 with an error in their body
	Loops  []string // requests that the page sends without end
	Twice  []string // writes that the page sent twice within one act
}

// Sheet describes a linked style sheet.
type Sheet struct {
	URL   string
	Rules int // -1: unknown
}

// Text describes one painted text: what stands in a block without a break.
type Text struct {
	Text     string
	Tag      string
	Level    int // of a heading; 0: none
	Font     int // size in pixels
	Selector string
	Own      []string // undefined, NaN and null that stand in an element of their own
	Code     bool     // in code, a log or a terminal
	Pre      bool
	Edit     bool // in what a person edits
	User     bool // in what users wrote: comments, chats, quotations
	Alert    bool // in a message about an input
	Prose    bool // in a paragraph, a list or an article
	Cell     bool // of a table
	Link     bool
	Button   bool
}

// Place describes an element with a fact about it.
type Place struct {
	Selector string
	Kind     string
	Text     string
}

// Cover describes one element over all that could be read or used in the
// viewport. It has neither words nor controls.
type Cover struct {
	Selector string
	Opaque   bool
	Waits    bool // it holds a spinner
	Over     int  // texts and controls under it
}

// Waiting describes a spinner or a skeleton.
type Waiting struct {
	Skeleton bool
	Selector string
	Share    float64 // of the viewport in which there is nothing else
}

// Request describes a request of the page with its answer.
type Request struct {
	URL         string
	Type        string // document, script, stylesheet, image and so on
	Status      int
	ContentType string
	Failure     string
	Main        bool // it brought the page's own document
	Aborted     bool // the page gave it up
	Blocked     bool // a rule of ours refused it
}
