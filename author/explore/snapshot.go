package explore

// FrontierSnapshot is what a frontier holds, to be stored.
type FrontierSnapshot struct {
	Open    []Action          `json:"open"`
	Classes map[string]int    `json:"classes"`
	Visited map[string]bool   `json:"visited"`
	Visits  map[string]int    `json:"visits"`
	Alike   map[string]bool   `json:"alike,omitempty"`
	Order   map[string]int    `json:"order"`
	Kin     map[string]KinDid `json:"kin"`
	Added   int               `json:"added"`
	Links   int               `json:"links"`
	Dry     int               `json:"dry,omitempty"`
	Blocked map[string]bool   `json:"blocked"`
	States  int               `json:"states"`
	Found   map[string]int    `json:"found"`
	Ended   map[string]bool   `json:"ended"`
	Barred  map[string]bool   `json:"barred"`
	Refused map[string]bool   `json:"refused,omitempty"`
}

// KinDid is what the actions of one kin did.
type KinDid struct {
	Did    string          `json:"did"`
	Mixed  bool            `json:"mixed"`
	Places map[string]bool `json:"places"`
}

// Snapshot returns what the frontier holds. It shares nothing that changes but maps: it
// is to be stored at once.
func (f *Frontier) Snapshot() FrontierSnapshot {
	s := FrontierSnapshot{Open: f.open, Classes: f.classes, Visited: f.visited, Visits: f.visits, Alike: f.alike, Order: f.order,
		Kin: map[string]KinDid{}, Added: f.added, Links: f.links, Dry: f.dry, States: f.states, Found: f.found, Blocked: f.blocked, Ended: f.ended, Barred: f.barred, Refused: f.refused}
	for name, k := range f.kin {
		s.Kin[name] = KinDid{Did: k.did, Mixed: k.mixed, Places: k.places}
	}
	return s
}

// Restore puts into a new frontier what another one held.
func (f *Frontier) Restore(s FrontierSnapshot) {
	f.open, f.added, f.links, f.dry, f.states = s.Open, s.Added, s.Links, s.Dry, s.States
	copyInto(f.found, s.Found)
	copyInto(f.blocked, s.Blocked)
	copyInto(f.ended, s.Ended)
	copyInto(f.barred, s.Barred)
	copyInto(f.refused, s.Refused)
	copyInto(f.classes, s.Classes)
	copyInto(f.visited, s.Visited)
	copyInto(f.visits, s.Visits)
	copyInto(f.alike, s.Alike)
	copyInto(f.order, s.Order)
	for name, k := range s.Kin {
		f.kin[name] = &controlHistory{did: k.Did, mixed: k.Mixed, places: map[string]bool{}}
		copyInto(f.kin[name].places, k.Places)
	}
}

func copyInto[V any](to, from map[string]V) {
	for key, value := range from {
		to[key] = value
	}
}
