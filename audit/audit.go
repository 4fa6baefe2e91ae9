package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// usualOffenders is how many findings a report shows where nothing is said.
const usualOffenders = 20

// Options are what an auditor knows beforehand. The zero Options know nothing,
// and are enough.
type Options struct {
	// Trusted are the did:keys of owners that are known from elsewhere. Where there
	// are none, every owner who begins in the statements themselves counts, and the
	// report returns the keys for a person to compare.
	Trusted []string
	// Keeper is the did:key of the owner whose own store is audited, if it is one.
	Keeper string
	// Checkpoints are signed notes that somebody else held. That they are given says
	// that they are believed, unless a signature of a known key is wrong.
	Checkpoints [][]byte
	// Witnesses are keys of those who sign checkpoints of others' logs, each as
	// "name+hash+base64".
	Witnesses []string
	// Offenders is how many findings to show; 0 is 20.
	Offenders int
	// Lines is of how many lines of a bundle, or records of a store, to give the words; 0 is none, -1 all.
	Lines int
	// Now is the clock, for how long it took; nil is time.Now.
	Now func() time.Time
}

// A Statement is a record as a store keeps it, or kept it.
type Statement struct {
	Space   string     // of whose log it is
	Seq     int64      // its place there, from 1 without gaps
	Arrived time.Time  // when it came, by the store's clock
	Ref     memory.Ref // under which it is kept
	Version int        // of the format; 0 is 1
	Bytes   []byte     // nil where it was purged
	Sigs    []memory.Signature
	// Known says that it was verified before: only its id, kind and place count, and it is in no
	// count of the report. A record about keys must not be known: later verdicts rest on it.
	Known bool
}

// An Auditor receives one statement after another and then makes a report. It keeps a few
// facts of each and none of the words. It must be used by one goroutine.
type Auditor struct {
	flow      flow
	limit     int
	now       func() time.Time
	began     time.Time
	keeper    string
	trusted   []string
	witnesses []note.Verifier
	presented [][]byte

	report  report.Report
	held    held
	keys    []*memory.Record // records about keys, without their bytes
	purges  []purge
	erased  []erasure
	repeats []repeat
	words   map[string]string // one copy of words that come often

	logs    map[string]*spaceLog
	order   []string // the spaces, as they came
	waiting []homeless
	current string // the space whose lines come just now; "" after its checkpoint
	last    string
	notes   []heldNote
	agreed  map[claim]bool
	unnoted int
	good    bool // a line of a bundle came

	teller teller
}

// New makes an Auditor. Keys that cannot be read are an error.
func New(o Options) (*Auditor, error) {
	a := &Auditor{
		flow: newFlow(), limit: o.Offenders, teller: teller{most: o.Lines}, now: o.Now, keeper: o.Keeper, trusted: o.Trusted,
		presented: o.Checkpoints, held: newHeld(), words: make(map[string]string), logs: make(map[string]*spaceLog),
		agreed: make(map[claim]bool),
	}
	if a.limit <= 0 {
		a.limit = usualOffenders
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.began = a.now()
	a.report = report.Report{Counts: make(map[report.Status]int), Offenders: []report.Finding{},
		Logs: []report.LogFinding{}, Roots: []report.Root{}}
	for _, did := range o.Trusted {
		if _, err := keys.ParseDID(did); err != nil {
			return nil, fmt.Errorf("trusted key: %w", err)
		}
	}
	for _, line := range o.Witnesses {
		v, err := ledger.ParseVerifier(line)
		if err != nil {
			return nil, fmt.Errorf("witness: %w", err)
		}
		a.witnesses = append(a.witnesses, v)
	}
	return a, nil
}

// Add takes statements in the order of their logs. They are verified by all
// processors at once, while the caller reads the next ones: their bytes must not be
// changed before the report.
func (a *Auditor) Add(ctx context.Context, statements []Statement) error {
	for part := range slices.Chunk(statements, batchLines) {
		lines, size := make([]input, len(part)), 0
		for i, s := range part {
			at := &place{ref: s.Ref, space: s.Space, seq: s.Seq, arrived: s.Arrived}
			lines[i].kept, lines[i].known = at, s.Known
			if s.Bytes != nil && !s.Known {
				of := keys.PayloadType(string(s.Ref.Kind), max(s.Version, memory.Version))
				lines[i].sealed = &sealed{payloadType: of, payload: s.Bytes, sigs: s.Sigs, kept: at}
			}
			size += len(s.Bytes)
		}
		if err := a.send(ctx, lines, size); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Checkpoint adds a checkpoint of a space's log.
func (a *Auditor) Checkpoint(space string, signed []byte) {
	a.drain() // it stands behind what came before it
	a.checkpoint(0, &checkpoint{Space: space, Note: string(signed)})
}

// Report says what was found. Nothing may be added after it.
func (a *Auditor) Report() report.Report {
	a.drain()
	a.finishPlaces()
	c := a.newCourt()
	a.report.Logs = append(a.report.Logs, a.judgeLogs(c)...)
	found := append(a.report.Offenders, a.judgeRepeats()...)
	found = append(found, c.judgeAll()...)
	sorting.By(found, func(x, y report.Finding) int { return cmp.Compare(x.Line, y.Line) })
	a.report.Offenders = found[:min(len(found), a.limit)]
	if a.teller.most != 0 {
		a.report.Lines = a.teller.lines(c.statusOf, a.notHere, a.erasedLines())
		a.report.LinesMore = a.held.facts() + len(a.erased) - len(a.report.Lines)
	}
	if !a.good && len(a.report.Offenders) > 0 {
		first := a.report.Offenders[0]
		a.report.NoBundle = fmt.Sprintf("line %d: %s", first.Line, first.Why)
	}
	a.report.Horizon = horizon(a.report.Logs)
	a.report.Elapsed = a.now().Sub(a.began)
	return a.report
}
