package pattern_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/pattern"
)

// Every method answers as that of regexp of the same name.
func TestMethods(t *testing.T) {
	const text = `(?i)(b)(\d)?`
	args := map[reflect.Type]reflect.Value{
		reflect.TypeFor[string]():              reflect.ValueOf("ab1 B2 b"),
		reflect.TypeFor[[]byte]():              reflect.ValueOf([]byte("ab1 B2 b")),
		reflect.TypeFor[int]():                 reflect.ValueOf(2),
		reflect.TypeFor[func(string) string](): reflect.ValueOf(strings.ToUpper),
		reflect.TypeFor[func([]byte) []byte](): reflect.ValueOf(slices.Clone[[]byte]),
	}
	ours, theirs := reflect.ValueOf(pattern.New(text)), reflect.ValueOf(regexp.MustCompile(text))
	for method := range ours.Type().Methods() {
		same := theirs.MethodByName(method.Name)
		if !same.IsValid() {
			t.Errorf("regexp has no method %s", method.Name)
			continue
		}
		var in []reflect.Value
		for arg := range same.Type().Ins() {
			in = append(in, args[arg])
		}
		got, want := ours.MethodByName(method.Name).Call(in), same.Call(in)
		if !reflect.DeepEqual(got[0].Interface(), want[0].Interface()) {
			t.Errorf("%s: %v, want %v", method.Name, got[0], want[0])
		}
	}
}

// Goroutines that use a pattern for the first time at once all see it compiled.
func TestFirstUseAtOnce(t *testing.T) {
	p := pattern.New(`^\d+$`)
	var users sync.WaitGroup
	for range 16 {
		users.Go(func() {
			if !p.MatchString("12") || p.MatchString("a") {
				t.Error("not compiled")
			}
		})
	}
	users.Wait()
}

// A text that is no pattern makes each use panic, and nothing before.
func TestBroken(t *testing.T) {
	p := pattern.New(`a(`)
	for range 2 {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, "a(") || !strings.Contains(said, "missing closing )") {
					t.Errorf("panicked with %s", said)
				}
			}()
			p.MatchString("a")
			t.Error("a broken pattern matches")
		}()
	}
}
