package laws_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// deciders are the types with a method that carries out a person's decision: on
// baselines, on runs that are deleted or held, on the key of the log.
func deciders() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[baseline.Store](), reflect.TypeFor[retain.Keeper](), reflect.TypeFor[ledger.Ledger]()}
}

// decidersIn returns the ways from a type to a decider, through fields, elements
// and what methods and functions take and return. Interfaces of ours are followed
// by their methods alone: what stands behind one is out of reach.
func decidersIn(from reflect.Type) []string {
	var ways []string
	seen := map[reflect.Type]bool{}
	var follow func(t reflect.Type, way string)
	follow = func(t reflect.Type, way string) {
		for _, d := range deciders() {
			if t == d {
				ways = append(ways, way+" is "+d.String())
				return
			}
		}
		if seen[t] || t.PkgPath() != "" && !strings.HasPrefix(t.PkgPath(), modulePath) {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			follow(t.Elem(), way)
		case reflect.Map:
			follow(t.Key(), way)
			follow(t.Elem(), way)
		case reflect.Struct:
			for i := range t.NumField() {
				if f := t.Field(i); f.IsExported() { // what is hidden, its own room alone can use
					follow(f.Type, way+"."+f.Name)
				}
			}
		case reflect.Func:
			for i := range t.NumOut() {
				follow(t.Out(i), way+"()")
			}
		}
		for i := range t.NumMethod() {
			follow(t.Method(i).Type, way+"."+t.Method(i).Name)
		}
		if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
			follow(reflect.PointerTo(t), way)
		}
	}
	follow(from, from.String())
	return ways
}

// TestAPersonDecides: nothing that a tool is given approves a baseline, deletes or
// holds a run, or changes the key of the log (B8, A14). Which rooms may import
// those that do is said by their rows.
func TestAPersonDecides(t *testing.T) {
	for _, way := range append(decidersIn(reflect.TypeFor[*workspace.Workspace]()), decidersIn(reflect.TypeFor[*tool.Call]())...) {
		t.Errorf("%s: what a tool or a model can decide proves nothing: give tools an interface without the decision", way)
	}
}

// TestDecidersAreFound: the law follows fields, pointers, maps, functions and
// methods, and ends at an interface.
func TestDecidersAreFound(t *testing.T) {
	type store interface {
		Read(digest string) ([]byte, error)
	}
	for want, broken := range map[string]reflect.Type{
		".Baselines is baseline.Store": reflect.TypeFor[struct{ Baselines *baseline.Store }](),
		".Runs is retain.Keeper":       reflect.TypeFor[*struct{ Runs map[string][]retain.Keeper }](),
		".Open() is ledger.Ledger": reflect.TypeFor[struct {
			Open func() (*ledger.Ledger, error)
		}](),
		".Log() is ledger.Ledger": reflect.TypeFor[interface{ Log() *ledger.Ledger }](),
		"":                        reflect.TypeFor[struct{ Baselines store }](),
	} {
		got := decidersIn(broken)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasSuffix(got[0], want)) {
			t.Errorf("found %q, want one way to %q", got, want)
		}
	}
}
