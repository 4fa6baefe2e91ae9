package peer

import (
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// push offers the new records of the local log, and returns those that are wanted. The log
// itself is the queue: records written meanwhile come later in it.
func (x *Exchange) push(s Shared, p *Place, r *SpaceReport) error {
	if err := x.again(s, p, r); err != nil {
		return err
	}
	x.emptyPages = 0
	var under []*inFlight
	land := func(most int) error {
		for len(under) > most {
			if err := x.land(s, under[0], p, r); err != nil {
				return err
			}
			under = under[1:]
		}
		return nil
	}
	for at := p.Push; ; {
		page, err := ask[Since, []store.Kept](&x.asker, Since{s.Space, store.Seq(at), x.o.Page})
		if err != nil {
			return err
		}
		page = slices.DeleteFunc(page, func(k store.Kept) bool { return k.Seq > x.until[s.Space] })
		if len(page) == 0 {
			break
		}
		rs, err := x.wanted(s, page)
		if err != nil {
			return err
		}
		at = int64(page[len(page)-1].Seq)
		next, err := x.ready(rs, at)
		if err != nil {
			return err
		}
		others := mostFlights - 1
		if next.keys || len(under) > 0 && under[len(under)-1].keys {
			others = 0
		}
		if err := land(others); err != nil {
			return err
		}
		if len(next.lines) > 0 {
			next.call = begin[Push, Acks](&x.asker, Push{s.Space, next.lines})
		}
		under = append(under, next)
	}
	if err := land(0); err != nil {
		return err
	}
	return x.giveKeys(s, p, r)
}

// mostFlights is how many pushes may be under way at once: while the peer stores one, it
// verifies the next.
const mostFlights = 2

// enoughEmpty is how many pages are offered before it is assumed that the peer lacks the
// following ones too, until it already has a record.
const enoughEmpty = 4

// inFlight is a started push, and the place in the local log once it is acknowledged. One with
// key records runs alone: those after it need them, and the end of a key comes after what the
// key wrote.
type inFlight struct {
	rs    []*memory.Record
	lines []Line
	keys  bool
	call  *CallPush
	next  int64
}

// ready prepares the next push while the one before it is running.
func (x *Exchange) ready(rs []*memory.Record, next int64) (*inFlight, error) {
	lines, err := linesOf(rs, x.most)
	keys := slices.ContainsFunc(rs, func(r *memory.Record) bool { return r.Header.Kind == memory.KindKey })
	return &inFlight{rs: rs, lines: lines, keys: keys, next: next}, err
}

// land waits for a push, and only then moves the place.
func (x *Exchange) land(s Shared, f *inFlight, p *Place, r *SpaceReport) error {
	if f.call != nil {
		n := len(f.lines)
		acks, err := finish(&x.asker, f.call)
		if err != nil {
			return err
		}
		if err := x.acknowledged(s.Space, f.rs[:n], acks, p, r); err != nil {
			return err
		}
		if err := x.pushAll(s.Space, f.rs[n:], p, r); err != nil {
			return err
		}
	}
	p.gave(f.next)
	return x.save(s.Space, p)
}

// linesOf writes as many of some records as one push may hold, most at the most.
func linesOf(rs []*memory.Record, most int) (lines []Line, err error) {
	size := 0
	for n := 0; n < len(rs) && n < most && size < MostBytes; n++ {
		l, err := envelope.Write(rs[n])
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
		size += len(l)
	}
	return lines, nil
}

// again offers what the peer did not take before.
func (x *Exchange) again(s Shared, p *Place, r *SpaceReport) error {
	var ids []memory.ID
	for _, b := range p.Back {
		if b.Again {
			ids = append(ids, b.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	p.Back = slices.DeleteFunc(p.Back, func(b Refusal) bool { return b.Again })
	if err := x.give(s, ids, p, r); err != nil {
		return err
	}
	return x.save(s.Space, p)
}

// give offers records and pushes those that are wanted.
func (x *Exchange) give(s Shared, ids []memory.ID, p *Place, r *SpaceReport) error {
	wanted, err := x.offer(s.Space, ids)
	if err != nil || len(wanted) == 0 {
		return err
	}
	items, err := ask[Items, []*store.Item](&x.asker, Items{wanted})
	if err != nil {
		return err
	}
	var rs []*memory.Record
	for _, it := range items {
		if it != nil && it.Record != nil {
			rs = append(rs, it.Record)
		}
	}
	if rs, err = x.withKeys(s, rs); err != nil {
		return err
	}
	return x.pushAll(s.Space, rs, p, r)
}

// wanted offers a page of the local log, and returns the records that the peer lacks and the
// filter selects, each after the key records that it needs.
func (x *Exchange) wanted(s Shared, page []store.Kept) ([]*memory.Record, error) {
	all := x.emptyPages >= enoughEmpty
	var lacks map[memory.ID]bool
	if !all {
		ids := make([]memory.ID, len(page))
		for i, k := range page {
			ids[i] = k.Ref.ID
		}
		wanted, err := x.offer(s.Space, ids)
		if err != nil {
			return nil, err
		}
		if lacks = setOf(wanted); len(lacks) == len(page) {
			x.emptyPages++
		} else {
			x.emptyPages = 0
		}
	}
	var rs []*memory.Record
	for _, k := range page {
		if k.Bytes == nil || !all && !lacks[k.Ref.ID] {
			continue // purged, or there already
		}
		r, err := loaded(k)
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
	}
	return x.withKeys(s, rs)
}

// withKeys returns those of some records that the filter chooses, each after the key
// records that it needs and the peer does not have.
func (x *Exchange) withKeys(s Shared, rs []*memory.Record) ([]*memory.Record, error) {
	if err := x.readBook(); err != nil {
		return nil, err
	}
	var send, needed []*memory.Record
	asked := make(map[memory.ID]bool)
	for _, r := range rs {
		if !x.o.Filter.Chooses(r) {
			continue // it stays at home
		}
		send = append(send, r)
		for _, k := range x.book.Needs(r) {
			if !x.sentKeys[k.ID] && !asked[k.ID] {
				asked[k.ID] = true
				needed = append(needed, k)
			}
		}
	}
	lacking, err := x.offer(s.Space, IDs(needed))
	if err != nil {
		return nil, err
	}
	lacks := setOf(lacking)
	var lines []*memory.Record
	in := make(map[memory.ID]bool)
	put := func(k *memory.Record) {
		if !in[k.ID] {
			in[k.ID] = true
			lines = append(lines, k)
		}
	}
	for _, rec := range send {
		for _, k := range x.book.Needs(rec) {
			if lacks[k.ID] {
				put(k)
			}
		}
		put(rec)
	}
	for _, k := range needed { // those too that are about to go, unless they are refused
		x.sentKeys[k.ID] = true
	}
	return lines, nil
}

// giveKeys returns what else is known of the keys that wrote here: that they were
// replaced, or taken back. It comes after what they wrote.
func (x *Exchange) giveKeys(s Shared, p *Place, r *SpaceReport) error {
	if err := x.readBook(); err != nil {
		return err
	}
	mark := DigestIDs(x.book.All())
	if p.Push == 0 || p.KeysOut == mark || p.KeysOut == early+mark && r.Pushed == 0 {
		return nil
	}
	authors, err := ask[Wrote, []string](&x.asker, Wrote{s.Space, x.book.DIDs(), x.o.Filter})
	if err != nil {
		return err
	}
	about := x.book.Concern(authors)
	lacks, err := x.offer(s.Space, IDs(about))
	if err != nil {
		return err
	}
	wanted := setOf(lacks)
	about = slices.DeleteFunc(about, func(k *memory.Record) bool { return !wanted[k.ID] })
	back := p.Back
	p.Back = nil
	if err := x.pushAll(s.Space, about, p, r); err != nil {
		return err
	}
	if p.KeysOut = mark; len(p.Back) > 0 {
		p.KeysOut = early + mark // of one whose words all stayed at home: once some go, so does this
	}
	p.Back = back
	return x.save(s.Space, p)
}

// early says that some key records were too early.
const early = "early "

// offer asks which records the peer does not have, a part at a time.
func (x *Exchange) offer(space string, ids []memory.ID) ([]memory.ID, error) {
	var out []memory.ID
	for part := range slices.Chunk(ids, MostIDs) {
		w, err := request[Offer, Wanted](&x.asker, Offer{space, part})
		if err != nil {
			return nil, err
		}
		mine := setOf(part)
		for _, id := range w.IDs {
			if !mine[id] {
				return nil, fmt.Errorf("the peer wants %s, which was not offered", id.Short())
			}
		}
		out = append(out, w.IDs...)
	}
	return out, nil
}

// pushAll pushes records in their order, no more at a time than a push may hold.
func (x *Exchange) pushAll(space string, rs []*memory.Record, p *Place, r *SpaceReport) error {
	for len(rs) > 0 {
		lines, err := linesOf(rs, x.most)
		if err != nil {
			return err
		}
		n := len(lines)
		acks, err := request[Push, Acks](&x.asker, Push{space, lines})
		if err != nil {
			return err
		}
		if err := x.acknowledged(space, rs[:n], acks, p, r); err != nil {
			return err
		}
		rs = rs[n:]
	}
	return nil
}

// acknowledged notes what became of what was pushed. A peer that does not say so of
// each is asked again the next time.
func (x *Exchange) acknowledged(space string, sent []*memory.Record, acks Acks, p *Place, r *SpaceReport) error {
	open := make(map[memory.ID]*memory.Record, len(sent))
	for _, rec := range sent {
		open[rec.ID] = rec
	}
	for _, id := range acks.Stored {
		if rec := open[id]; rec != nil && rec.Header.Space == space {
			x.acked[id] = true
			r.Pushed++
		}
		delete(open, id)
	}
	for _, id := range acks.Held {
		delete(open, id)
		x.emptyPages = 0
	}
	for _, f := range acks.Refused {
		if open[f.ID] != nil {
			delete(open, f.ID)
			delete(x.sentKeys, f.ID)
			p.Back = refuse(p.Back, f)
		}
	}
	for id := range open {
		return fmt.Errorf("the peer did not say what became of %d records, one of them %s", len(open), id.Short())
	}
	if len(p.Back) > mostRefused {
		return fmt.Errorf(
			"%w: the peer refused more than %d records, the last because: %s", ErrDenied, mostRefused,
			p.Back[len(p.Back)-1].Why,
		)
	}
	return nil
}
