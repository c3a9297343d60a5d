package explore

import "encoding/json"

// storedMask is a mask as it is stored.
type storedMask struct {
	Nodes  map[string]bool `json:"nodes,omitempty"`
	States map[string]bool `json:"states,omitempty"`
	Lines  []string        `json:"lines,omitempty"`
}

// MarshalJSON writes a mask.
func (m *StateMask) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedMask{Nodes: m.nodes, States: m.states, Lines: m.Lines})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *StateMask) UnmarshalJSON(data []byte) error {
	var in storedMask
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	m.nodes, m.states, m.Lines = in.Nodes, in.States, in.Lines
	if m.nodes == nil && m.states != nil || m.states == nil && m.nodes != nil { // both are there, or none
		m.nodes, m.states = orEmpty(m.nodes), orEmpty(m.states)
	}
	return nil
}

func orEmpty(m map[string]bool) map[string]bool {
	if m == nil {
		return map[string]bool{}
	}
	return m
}

// MarshalJSON writes the values of query parameters that are known.
func (p *StatePlaces) MarshalJSON() ([]byte, error) { return json.Marshal(p.values) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *StatePlaces) UnmarshalJSON(data []byte) error {
	p.values = map[string][]string{}
	return json.Unmarshal(data, &p.values)
}
