package agent

import "fmt"

// Gesture holds one action of computer_action, as that tool takes it. Adapters
// turn a provider's computer actions into these.
type Gesture struct {
	Action string  `json:"action"`
	Coords *Point  `json:"coords,omitempty"`
	To     *Point  `json:"to,omitempty"` // of drag and zoom
	Text   string  `json:"text,omitempty"`
	Hotkey string  `json:"hotkey,omitempty"`
	Scroll *Scroll `json:"scroll,omitempty"`
	Wait   *Pause  `json:"wait,omitempty"`
}

// Point holds a place on the screen, in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Scroll holds how far a wheel is turned, in CSS pixels.
type Scroll struct {
	DeltaX float64 `json:"deltaX,omitempty"`
	DeltaY float64 `json:"deltaY,omitempty"`
}

// Pause holds what to wait for: type ms, with the number of milliseconds as
// the value.
type Pause struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// FreshIDs names the calls of the next turn: by the provider's ids, and where
// one is empty or was had before by ids of our own.
func FreshIDs(c Conversation) func(id string, i int) string {
	had := map[string]bool{"": true}
	for _, t := range c.Turns {
		for _, call := range t.Reply.Calls {
			had[call.ID] = true
		}
	}
	return func(id string, i int) string {
		if had[id] {
			id = fmt.Sprintf("call-%d-%d", len(c.Turns)+1, i+1)
		}
		had[id] = true
		return id
	}
}
