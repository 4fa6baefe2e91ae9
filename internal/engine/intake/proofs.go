package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/memory"
)

// Proven is what shows a stranger that some records are what they seem: a small bundle, in which each record, key and
// checkpoint is once.
type Proven struct {
	Bundle  []byte
	Decided map[memory.ID]memory.Ref // by what a person approved, rejected or hid: the record that says so
	Here    map[memory.ID]bool       // what is in the bundle
}

// Prove makes the bundle of some records: with the decision by which each stands, the keys of all who signed them, and
// their places in the logs of this person's own spaces.
func Prove(rd *trust.Reading, e *Intake, ids []memory.ID) (Proven, error) {
	out := Proven{Decided: make(map[memory.ID]memory.Ref), Here: make(map[memory.ID]bool)}
	p := &proving{e: e, rd: rd, out: &out}
	items, err := rd.Get(ids...)
	if err != nil {
		return out, core.Classify(err)
	}
	for _, it := range items {
		p.add(it)
	}
	claims, err := rd.Speaking(ids, memory.KindMark)
	if err != nil {
		return out, err
	}
	for _, it := range items {
		if it != nil && it.Record != nil {
			p.decision(it, claims)
		}
	}
	if len(p.items) == 0 {
		return out, nil
	}
	if err := p.keys(); err != nil {
		return out, err
	}
	spaces, err := rd.Spaces()
	if err != nil {
		return out, core.Classify(err)
	}
	place := make(map[string]int)
	for i, s := range spaces {
		place[s.Name] = i
	}
	slices.SortStableFunc(p.items, func(a, b *store.Item) int {
		if d := place[a.Record.Header.Space] - place[b.Record.Header.Space]; d != 0 {
			return d
		}
		return int(a.Seq - b.Seq)
	})
	var w bytes.Buffer
	for _, it := range p.items {
		if err := readable(&w, it.Record); err != nil {
			return out, err
		}
	}
	if err := p.places(&w); err != nil {
		return out, err
	}
	out.Bundle = w.Bytes()
	return out, nil
}

// readable writes a record as a line with its bytes as they are: in base64 they pack badly, and no one reads them.
func readable(w *bytes.Buffer, r *memory.Record) error {
	signatures, err := json.Marshal(envelope.Of(r).Signatures)
	fmt.Fprintf(w, "{\"record\":%s,\"signatures\":%s}\n", r.Bytes, signatures)
	return err
}

// proving is a bundle being made.
type proving struct {
	e     *Intake
	rd    *trust.Reading
	out   *Proven
	items []*store.Item
}

func (p *proving) add(it *store.Item) {
	if it != nil && it.Record != nil && it.Doubt != store.Forged && !p.out.Here[it.Ref.ID] {
		p.out.Here[it.Ref.ID] = true
		p.items = append(p.items, it)
	}
}

// decision adds the mark by which a person approved, rejected or hid a record.
func (p *proving) decision(it *store.Item, claims []*store.Item) {
	s := &it.State
	var found *store.Item
	for _, c := range claims {
		m, is := c.Record.Body.(*memory.Mark)
		if !is || !slices.ContainsFunc(memory.Subjects(m), func(r memory.Ref) bool { return r.ID == it.Ref.ID }) {
			continue
		}
		h := &c.Record.Header
		reviewed := (m.Verb == memory.Approve || m.Verb == memory.Reject) && s.ReviewedBy == h.Author && s.ReviewedAt == h.At
		hidden := m.Verb == memory.Forget && s.Forgotten || m.Verb == memory.Quarantine && s.Quarantined
		if !hidden && (!reviewed || found != nil) {
			continue
		}
		found = c
	}
	if found != nil {
		p.add(found)
		p.out.Decided[it.Ref.ID] = found.Ref
	}
}

// keys adds what says whose the keys are that signed, and what was taken back of them.
func (p *proving) keys() error {
	wanted := make(map[string]bool)
	named := make(map[memory.ID]bool)
	for _, it := range p.items {
		h := &it.Record.Header
		owner, _, _ := strings.Cut(h.Space, "/")
		wanted[h.Author], wanted[owner] = true, true
		named[h.Delegation] = true
	}
	var all []*store.Item
	for it, err := range p.e.Store.List(p.rd, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true,
		Oldest: true}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record != nil {
			all = append(all, it)
		}
	}
	if me, err := p.signer(); err != nil {
		return err
	} else if me != nil {
		wanted[me.Agent.DID()] = true // it signs the checkpoints
	}
	for more := true; more; {
		more = false
		for _, it := range all {
			k, is := it.Record.Body.(*memory.Key)
			if !is || p.out.Here[it.Ref.ID] || !named[it.Ref.ID] && !wanted[k.Key] && (k.Previous == "" || !wanted[k.Previous]) {
				continue
			}
			more = true
			wanted[k.Key], wanted[it.Record.Header.Author] = true, true
			p.add(it)
		}
	}
	return nil
}

// signer returns the keys of who reads, nil where they have none: a reader makes none.
func (p *proving) signer() (*core.Self, error) {
	me, err := p.e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return me, err
}

// places writes where the records stand in the logs of this person's spaces, and the checkpoints of the logs.
func (p *proving) places(w *bytes.Buffer) error {
	me, err := p.signer()
	if err != nil || me == nil {
		return err
	}
	stores := []store.Store{p.e.Store}
	if two, is := store.Plain(p.e.Store).(*both.Store); is {
		stores = two.Both()
	}
	sizes, todo := make(map[sized]bool), p.items
	for _, in := range stores {
		if todo, err = p.placed(w, in, todo, sizes); err != nil {
			return err
		}
	}
	return nil
}

// log is the log of a space as one store has it.
type log struct {
	tree *ledger.Tree
	root ledger.Hash
	used bool
}

// sized is how long a log of a space is.
type sized struct {
	space string
	size  int64
}

// placed writes the places of the records that a store has, and returns the others.
func (p *proving) placed(
	w *bytes.Buffer, in store.Store, items []*store.Item, sizes map[sized]bool,
) (rest []*store.Item, err error) {
	logs := make(map[string]*log)
	spaces := make(map[string]bool) // in which there is more than keys
	for _, it := range items {
		if it.Ref.Kind != memory.KindKey {
			spaces[it.Record.Header.Space] = true
		}
	}
	for _, it := range items {
		space := it.Record.Header.Space
		if !spaces[space] {
			continue // where a key stands in its log proves nothing of an entry
		}
		l, asked := logs[space]
		if !asked {
			if l, err = p.log(in, space, sizes); err != nil {
				return nil, err
			}
			logs[space] = l
		}
		at := int64(it.Seq) - 1
		if l == nil || at >= l.tree.Size() {
			rest = append(rest, it)
			continue
		}
		hashes, err := l.tree.Inclusion(at, l.tree.Size())
		if err != nil {
			return nil, err
		}
		if ledger.CheckInclusion(hashes, ledger.Hash(it.Ref.ID), at, l.tree.Size(), l.root) != nil {
			rest = append(rest, it) // that place is another record's: it is in the other store
			continue
		}
		if err := line(w, core.Line{Inclusion: &core.InclusionLine{
			Ref: it.Ref, Space: space, Index: at, Size: l.tree.Size(), Hashes: hashes.Strings(),
		}}); err != nil {
			return nil, err
		}
		l.used = true
	}
	for space, l := range logs {
		if l != nil && l.used {
			_, note, err := p.e.noteOf(p.rd, in, space, l.tree.Size(), l.root)
			if err == nil {
				err = line(w, core.Line{Checkpoint: &core.CheckpointLine{Note: string(note), Space: space}})
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return rest, nil
}

// log returns the log of a space in a store, nil where its owner is another, or where another log of the space has as
// many records: two checkpoints of one size would contradict each other.
func (p *proving) log(in store.Store, space string, sizes map[sized]bool) (*log, error) {
	own, err := p.e.OwnLog(p.rd, space)
	if err != nil || !own {
		return nil, err
	}
	l := &log{}
	if l.tree, l.root, err = p.e.LogTree(p.rd, in, space); err != nil {
		return nil, err
	}
	of := sized{space, l.tree.Size()}
	if sizes[of] {
		return nil, nil
	}
	sizes[of] = true
	return l, nil
}

func line(w *bytes.Buffer, l core.Line) error {
	raw, err := core.MarshalLine(l)
	w.Write(raw)
	return err
}
