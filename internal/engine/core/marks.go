package core

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What the provenance of a mark names when no person decided about the one memory.
const (
	ContextForgetRun = "forget run"      // a run of forgetting wrote it
	ContextUndo      = store.ContextUndo // an undo wrote it, so that the next goes further back
	ContextRemember  = "remember"        // of words: they are what somebody wants remembered, not what was observed
	ContextCorrect   = "correct"         // the same, of a correction
	ContextOutside   = "outside: "       // in front of the source of words that a tool brought from outside
)

// A Marking is a verb and the other fields of a mark about records.
type Marking struct {
	Verb, Value, Reason string
	Context             string    // of the act; "" is the verb
	Run                 string    // of the command, where it wrote other records too
	At                  time.Time // zero is now
	With                bool      // in the space of each record, whosever it is
}

// Marks says it of records, all at one time: in the space where each belongs, and as
// many in one mark as it holds.
func (e *Core) Marks(ctx context.Context, m Marking, items ...*store.Item) ([]*memory.Record, error) {
	if m.At.IsZero() {
		m.At = e.C.Now()
	}
	v, err := e.Voice()
	if err != nil {
		return nil, err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	var spaces []string
	of := make(map[string][]memory.Ref)
	for _, it := range items {
		space := it.Record.Header.Space
		if !m.With {
			space = spaceFor(v, it.Record, who)
		}
		if of[space] == nil {
			spaces = append(spaces, space)
		}
		of[space] = append(of[space], it.Ref)
	}
	var out []*memory.Record
	for _, space := range spaces {
		more, err := e.MarksIn(space, m, of[space])
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// MarksIn says it in one space; "" is the one that is written to.
func (e *Core) MarksIn(space string, m Marking, all []memory.Ref) ([]*memory.Record, error) {
	var out []*memory.Record
	for refs := range slices.Chunk(all, memory.MaxSources) {
		body := &memory.Mark{Of: &refs[0], Verb: m.Verb, Value: m.Value, Reason: m.Reason}
		if len(refs) > 1 {
			body.Also = slices.Clip(refs[1:])
		}
		r, err := e.Sign(memory.Header{
			Space: space, At: memory.At(m.At), Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: Or(m.Context, m.Verb), Run: m.Run},
		}, body)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// Mark makes one mark about few records of one space.
func (e *Core) Mark(space, verb, reason string, of ...memory.Ref) (*memory.Record, error) {
	all, err := e.MarksIn(space, Marking{Verb: verb, Reason: reason, At: e.C.Now()}, of)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// SpaceFor returns the space in which something is said of a record.
func (e *Core) SpaceFor(ctx context.Context, r *memory.Record) (string, error) {
	v, err := e.Voice()
	if err != nil {
		return "", err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return "", err
	}
	return spaceFor(v, r, who), nil
}

// spaceFor is SpaceFor for a given voice. A decision about one's own record, or one in a space
// that one owns or keeps, goes to the record's space, so that whoever receives the record
// receives the decision. A decision about others' records concerns only the person who decides:
// "" is the space that is written to.
func spaceFor(v state.Voice, r *memory.Record, who *state.Keyring) string {
	space := r.Header.Space
	if v.Principal != "" && (who.Voice(r).Principal == v.Principal || state.OwnsSpace(v, space, who) ||
		v.Owner && who.Keeps(v.Principal, space)) {
		return space
	}
	return ""
}

// ContextRest begins what the provenance of a memory names that says what stays of another whose place was taken in
// part; behind it stands the record by which it was.
const ContextRest = "rest after "

// RestAfter returns the record by which the place of another was taken, of which a memory says what stays, or a mark
// something about such a memory.
func RestAfter(r *memory.Record) (by memory.ID, is bool) {
	act, is := strings.CutPrefix(r.Header.Provenance.Context, ContextRest)
	if !is {
		return by, false
	}
	ref, err := memory.ParseRef(act)
	return ref.ID, err == nil
}

// SaidIn is the verb of a mark that ties what an agent wrote to the turns of a conversation that it comes from: it is
// said of both. It is no lineage.
const SaidIn = state.SaidIn

// SaidOtherwise is the verb of a mark that ties a memory to a turn in which a person said otherwise later. It is said
// of both, and decides nothing. Its value is InPart where who may decide said that the other takes its place in part.
const (
	SaidOtherwise = state.SaidOtherwise
	InPart        = state.InPart
)

// Committed is the verb of a mark that says which lines of a commit a session wrote, said of its prompts. It decides
// nothing.
const Committed = state.Committed
