package flows

import (
	"sync"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/tool"
)

// flowFiles stores what a flow leaves, behind the flow's back and in the order
// in which it came: a step waits for its picture to be taken, not for it to be
// hashed and written.
type flowFiles struct {
	run  *evidence.Run
	step int
	jobs chan func() error
	done chan struct{}

	mu       sync.Mutex
	pictures []tool.ScreenshotRef
	err      error // the first one
}

func newFlowFiles(run *evidence.Run, step int) *flowFiles {
	f := &flowFiles{run: run, step: step, jobs: make(chan func() error, 16), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for job := range f.jobs {
			if err := job(); err != nil {
				f.mu.Lock()
				if f.err == nil {
					f.err = err
				}
				f.mu.Unlock()
			}
		}
	}()
	return f
}

// picture queues a picture and returns its number, from 1.
func (f *flowFiles) picture(name string, data []byte, boxes ...qa.ElementBox) int {
	f.mu.Lock()
	f.pictures = append(f.pictures, tool.ScreenshotRef{})
	n := len(f.pictures)
	f.mu.Unlock()
	f.jobs <- func() error {
		ref, err := tool.StorePicture(f.run, name, data, f.step, boxes...)
		if err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.pictures[n-1] = *ref
		return nil
	}
	return n
}

// is adds a picture that is stored already, and returns its number.
func (f *flowFiles) is(ref tool.ScreenshotRef) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pictures = append(f.pictures, ref)
	return len(f.pictures)
}

// later queues what must come after the pictures that it names.
func (f *flowFiles) later(job func() error) { f.jobs <- job }

// wait returns when everything is stored, with the first error. Nothing may be
// queued any more.
func (f *flowFiles) wait() error {
	close(f.jobs)
	<-f.done
	return f.err
}

// Stored returns the pictures of those numbers, as far as they are stored by now.
func (f *flowFiles) Stored(numbers []int) []tool.ScreenshotRef {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []tool.ScreenshotRef
	for _, n := range numbers {
		if ref := f.pictures[n-1]; ref.Name != "" {
			out = append(out, ref)
		}
	}
	return out
}

func names(refs []tool.ScreenshotRef) []string {
	var out []string
	for _, r := range refs {
		out = append(out, r.Name)
	}
	return out
}
