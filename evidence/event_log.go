package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// lineChain holds the end of the chain of lines that a run has written.
type lineChain struct {
	seq    int64  // of the last line
	prev   string // its SHA-256, without its end
	monoMS int64  // its time
	whole  hash.Hash
}

func (c *lineChain) add(line []byte) {
	if c.whole == nil {
		c.whole = sha256.New()
	}
	_, _ = c.whole.Write(append(line, '\n')) // never fails
	c.seq, c.prev = c.seq+1, ledger.BlobDigest(line)
}

// sum returns the SHA-256 of all lines.
func (c *lineChain) sum() string {
	if c.whole == nil {
		return ledger.BlobDigest(nil)
	}
	return hex.EncodeToString(c.whole.Sum(nil))
}

// recordInterruption journals an interruption. If that fails, it is another one.
func (r *Run) recordInterruption(name EventName, in qa.Interruption) {
	if err := r.append(Event{Name: name, Step: r.step, Interruption: &in}); err != nil {
		_ = r.recordLost(string(name), err) // it is in the record now, which is enough
	}
}

// startLog writes the event log's first line, with the task, and enters the run in
// the log. What the log refuses keeps the run from passing, and nothing else:
// who takes a picture is not to blame.
func (r *Run) startLog() error {
	if r.chain.seq > 0 {
		return nil
	}
	if err := r.write(Event{Name: RunStarted, Time: r.started, Task: &r.task}); err != nil {
		return err
	}
	r.entry = ledger.Event{Actor: r.actor(), Action: ledger.RunStarted, Record: r.id, Subject: []string{r.chain.prev}, Options: fingerprint(maskedValue(r.store, r.task))}
	// The log names no run that a power cut can take: it would look as if somebody had deleted it.
	err := r.folder.sync()
	if err == nil {
		err = r.logStart()
	}
	if err != nil {
		in := qa.Interruption{Kind: qa.NotExecuted, Subject: "enter the run in the log", Detail: pagetext.Text(err.Error())}
		r.interruptions, r.refused = append(r.interruptions, in), in.Detail
		r.recordInterruption(Interrupted, in)
	}
	return nil
}

// Refused says once why the log has not taken the run in, which can't pass so;
// "" if there is nothing to say.
func (r *Run) Refused() pagetext.Text {
	r.mu.Lock()
	defer r.mu.Unlock()
	why := r.refused
	r.refused = ""
	return why
}

// logStart enters in the log that the run began.
func (r *Run) logStart() error {
	if r.enrolled {
		return nil
	}
	err := r.store.Log.Update(context.Background(), func(tx *ledger.Tx) error { return appendOnce(tx, &r.entry) })
	r.enrolled = err == nil
	return err
}

func (r *Run) actor() ledger.Actor { return ledger.Actor{Kind: "agent", ID: r.id} }

// appendOnce appends an event, unless an earlier try has: one can fail after the
// event was stored.
func appendOnce(tx *ledger.Tx, e *ledger.Event) error {
	if e.Seq > 0 && e.Seq <= tx.Size() {
		if _, err := provenEntry(tx, *e, tx.Size()); !errors.Is(err, errOther) {
			return err
		}
	}
	var err error
	*e, err = tx.Append(*e)
	return err
}

var errOther = fmt.Errorf("%w: the log has lost this run, or has another entry in its place", ErrRolledBack)

// provenEntry returns an event's entry in the log, with the proof that the tree over
// its first size entries holds it.
func provenEntry(tx *ledger.Tx, e ledger.Event, size int64) (attest.Entry, error) {
	line, err := json.Marshal(e)
	if err != nil {
		return attest.Entry{}, fmt.Errorf("event %q: %w", e.Action, err)
	}
	if e.Seq > size {
		return attest.Entry{}, errOther
	}
	entry, err := tx.Entry(e.Seq-1, size)
	if err == nil && entry.Leaf != string(line) {
		err = errOther
	}
	return entry, err
}

func (r *Run) append(e Event) error {
	if err := r.startLog(); err != nil {
		return err
	}
	e.Time = r.store.now().UTC()
	return r.write(e)
}

// synced reports whether a line, and those before it, are forced to the disk at
// once: whoever called a tool has its answer after it.
func (n EventName) synced() bool { return n == ToolCalled || n == FlowStepped }

// write adds a line. What chains it is not masked: a short secret may well occur
// in a digest.
func (r *Run) write(e Event) error {
	e.RunID = r.id
	body, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("event %s: %w", e.Name, err)
	}
	body = r.store.masked("application/json", body)
	if len(body) < 2 || body[0] != '{' {
		return errors.New("event " + string(e.Name) + ": it is no JSON any more after its secrets were masked")
	}
	r.chain.monoMS = max(r.chain.monoMS, r.store.now().Sub(r.begun).Milliseconds())
	line := fmt.Appendf(nil, `{"seq":%d,"monoMs":%d,"prev":%q,`, r.chain.seq+1, r.chain.monoMS, r.chain.prev)
	line = append(line, body[1:]...)
	if err := r.folder.appendLine(append(line, '\n'), e.Name.synced()); err != nil {
		return err
	}
	r.chain.add(line)
	return nil
}
