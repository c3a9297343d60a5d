package measure

import (
	"os"
	"runtime"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{7}, 7},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 2, 9}, 3},
	} {
		if got := Median(test.values); got != test.want {
			t.Errorf("Median(%v) = %v, want %v", test.values, got, test.want)
		}
	}
}

func TestMemoryOfThisProcess(t *testing.T) {
	m, err := Of(os.Getpid())
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("measured without /proc")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.Processes < 1 || m.Server < 1<<20 || m.Resident < m.Server || m.Tree <= 0 || m.Tree > m.Resident {
		t.Errorf("%+v: want at least this process, and no more proportional than resident", m)
	}
}
