package wiretest

import (
	"encoding/json"
	"time"
)

// Wire names a provider's protocol.
type Wire string

// The wires, by the names that agent.provider has for them.
const (
	OpenAI    Wire = "openai"
	Azure     Wire = "azure"
	Anthropic Wire = "anthropic"
	Gemini    Wire = "google"
	Chat      Wire = "chat"
)

// Wires lists all of them.
func Wires() []Wire { return []Wire{OpenAI, Azure, Anthropic, Gemini, Chat} }

// Seen holds what a request shows the model, whatever the wire.
type Seen struct {
	Wire     Wire
	Request  int      // of the conversation (identified by its task), from 1
	System   string   // standing orders
	Task     string   // the first text that a user said
	Tools    []string // on offer, the provider's own included
	Computer bool     // the provider's own computer tool is on offer
	Answers  []Answer // to the calls of the turn before, in their order
	Said     []string // other texts since the turn before, such as notes
	Body     []byte   // the request as it came
}

// Answer holds the answer to a call.
type Answer struct {
	ID, Name string
	Text     string
	Images   int
	IsError  bool
}

// Say holds a turn of the scripted model.
type Say struct {
	Think    string // reasoning that must be echoed
	Text     string
	Calls    []Call
	Computer []Action        // of the provider's own computer tool, one batch where it has batches
	Final    json.RawMessage // the structured answer that ends the work
	Fault    Fault           // instead of, or in the middle of, the rest
	Times    int             // how often the fault strikes before the turn is said; 0: once
	Input    int             // tokens that it says it took; 0: a tenth of the bytes
	Cached   int             // of Input, read from the provider's cache
	Output   int
}

// Call holds a call of a function tool. Raw, if it is not empty, is sent instead
// of the arguments, whatever it is.
type Call struct {
	Name string
	Args any
	Raw  string
	ID   string // empty: a new one
}

// Action holds an action of a provider's own computer tool, in neutral words: click,
// double_click, right_click, move, type, key, scroll, drag, wait, screenshot.
type Action struct {
	Kind   string
	X, Y   int // in pixels of the picture (Gemini's are made of them)
	ToX    int
	ToY    int
	DX, DY int
	Text   string // what is typed, or the keys: "Control+A"
	Safety string // a safety check that is pending
}

// Fault names what goes wrong on the wire.
type Fault string

// The faults.
const (
	NoFault       Fault = ""
	RateLimit     Fault = "429"            // with Retry-After
	Overload      Fault = "529"            // 503 where the wire has no 529
	ServerError   Fault = "500"            //
	Cut           Fault = "cut"            // the connection ends within the answer
	Slow          Fault = "slow"           // no answer until the client gives up
	Malformed     Fault = "malformed"      // an answer that is no JSON
	Truncated     Fault = "truncated"      // arguments of a call that end in the middle
	DuplicateID   Fault = "duplicate-id"   // two calls with one id
	Empty         Fault = "empty"          // a turn that says nothing
	Refusal       Fault = "refusal"        //
	MaxTokens     Fault = "max-tokens"     // the turn ends at its limit
	SafetyPending Fault = "safety-pending" // a safety check that only a person may acknowledge
	BadCall       Fault = "bad-call"       // the wire's own error for a call that it could not make (MALFORMED_FUNCTION_CALL)
	WrongKey      Fault = "401"
)

// Faults lists all of them but none.
func Faults() []Fault {
	return []Fault{RateLimit, Overload, ServerError, Cut, Slow, Malformed, Truncated, DuplicateID, Empty, Refusal, MaxTokens, SafetyPending, BadCall, WrongKey}
}

// Script says what the model says to what it is shown. It is called by one
// request at a time.
type Script func(Seen) Say

// Fixed plays turns in their order, for each conversation from the first. Behind
// the last it says that the script has ended.
func Fixed(says ...Say) Script {
	return func(s Seen) Say {
		if s.Request > len(says) {
			return Say{Text: "The script has ended."}
		}
		return says[s.Request-1]
	}
}

// Options say what a server demands.
type Options struct {
	Key     string           // that requests must bring; anything else is 401
	Model   string           // that requests must name; anything else is 404
	Secrets []string         // that no request may hold
	Habits  []Habit          // of local servers, on the Chat wire
	Lenient bool             // requests, which echo what no provider says, are held against the rules alone
	Now     func() time.Time // tells Request.Time; nil: that stays zero
}

// Habit names what local servers do beside the official description.
type Habit string

// The habits of local servers.
const (
	NoIDs     Habit = "no-ids"     // calls come without an id, their arguments as an object
	TextCalls Habit = "text-calls" // a call comes as JSON in the text
	NoSchema  Habit = "no-schema"  // 400 on response_format json_schema
	NoImages  Habit = "no-images"  // 400 on pictures in tool messages
)
