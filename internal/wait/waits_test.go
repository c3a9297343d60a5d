package wait_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// Every wait has a time, and a part of each is that of all.
func TestWaits(t *testing.T) {
	all, part := reflect.ValueOf(wait.Standard()), reflect.ValueOf(wait.Standard().Part(4))
	for i := range all.NumField() {
		d, name := time.Duration(all.Field(i).Int()), all.Type().Field(i).Name
		if d <= 0 || time.Duration(part.Field(i).Int()) != d/4 {
			t.Errorf("%s is %v, a quarter of it %v", name, d, time.Duration(part.Field(i).Int()))
		}
	}
}
