package gone

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// How many probes there are at most, and from how many they are chosen.
const (
	mostProbes     = 10_000
	mostCandidates = 8 * mostProbes
)

// Purge lists what belongs to a person, or erases exactly what such a list had.
func (e *Gone) Purge(ctx context.Context, in api.PurgeRequest) (api.PurgeReply, error) {
	reply := api.PurgeReply{Purged: []string{}, RestsOnThem: []api.Affected{}}
	if err := e.OwnerOnly("purge records"); err != nil {
		return reply, err
	}
	switch {
	case len(in.Refs) > 0:
		return reply, core.Invalid("refs: give refs or a person, not both; also and keep change the list of a person")
	case in.Status:
		return reply, core.Invalid("status: it is of refs; name those that were purged")
	case in.DryRun && in.List != "":
		return reply, core.Invalid("list: a dry run shows the list as it is now, so give no list with it")
	case in.List != "" && !isDigest(in.List):
		return reply, core.Invalid("list: must be the digest that a dry run shows, got %q", shorten.To(in.List, 40))
	case !in.DryRun && in.List == "":
		return reply, core.Invalid("look first: run it with `dry_run=true`, then with the digest that shows as `list=DIGEST`")
	}
	if in.DryRun {
		s, err := e.selects(ctx, in.Person, false)
		if err == nil {
			reply.Person, err = s.list(ctx)
		}
		return reply, err
	}
	free, err := e.alone()
	if err != nil {
		return reply, err
	}
	defer free()
	var done finished
	if is, err := e.get(in.List+doneSuffix, &done); err != nil {
		return reply, core.Classify(err)
	} else if is && done.Store == e.nameOf(ctx) {
		back, err := e.anyHeld(ctx, done.Refs)
		if err != nil {
			return reply, err
		}
		if !back { // else an older backup was restored since, and has them again
			reply.Outcome, reply.Remotes = &done.Outcome, done.Remotes
			reply.Outcome.Before = true
			return reply, nil
		}
	}
	var o order
	is, err := e.get(in.List+orderSuffix, &o)
	if err != nil {
		return reply, core.Classify(err)
	}
	if !is || o.Store != e.nameOf(ctx) {
		if o, err = e.ordered(ctx, in); err != nil {
			return reply, err
		}
	}
	named := probes.NewNames(append([]string{in.About, in.Speaker}, in.Names...))
	if err := e.carryOut(ctx, &o, named); err != nil {
		return reply, err
	}
	return reply, e.certify(ctx, &o, &reply)
}

// isDigest reports whether a text may be the digest of a list: files are named by it.
func isDigest(text string) bool {
	return len(text) == len(digest(nil)) && strings.Trim(text, "0123456789abcdef") == ""
}

// nameOf is the name of the store that is written to.
func (e *Gone) nameOf(ctx context.Context) string {
	name, err := e.First().StoreName(ctx)
	if err != nil {
		return ""
	}
	return name
}

// ordered makes an order of a list, if it is still the one that was seen, and writes it down.
func (e *Gone) ordered(ctx context.Context, in api.PurgeRequest) (order, error) {
	o := order{
		V: 1, Store: e.nameOf(ctx), List: in.List, At: e.C.Now().UTC(), Reason: in.Reason, Kinds: make(map[string]int),
		Stays: make(map[string]int),
	}
	s, err := e.selects(ctx, in.Person, false)
	if err != nil {
		return o, err
	}
	refs := s.refs()
	if now := digest(refs); now != in.List {
		const changed = "the list has changed since: it is %s now, with %d records; look again with `dry_run=true`"
		return o, core.Conflict(changed, now, len(refs))
	}
	if len(refs) == 0 {
		return o, core.Conflict("the list is empty: there is nothing to erase")
	}
	shown, err := s.list(ctx)
	if err != nil {
		return o, err
	}
	o.Repeats, o.Unsure, o.Kinds = len(shown.Repeats)+shown.RepeatsMore, len(shown.Unsure), shown.ByKind
	for _, one := range shown.Stays {
		o.Stays[s.staysAs(one)]++
	}
	o.Refs = make([][]memory.Ref, len(e.stores()))
	for _, r := range refs {
		for _, at := range s.at[r.ID].stores {
			o.Refs[at] = append(o.Refs[at], r)
		}
	}
	if o.Probes, o.Whole, err = e.probesOf(ctx, s); err != nil {
		return o, err
	}
	before, err := e.sift(ctx, o.Probes, "")
	if err != nil {
		return o, err
	}
	o.Before = before.found()
	return o, core.Classify(e.put(o.List+orderSuffix, o))
}

// staysAs is why a record stays, in one word.
func (s *selection) staysAs(one api.PersonRecord) string {
	ref, err := memory.ParseRef(one.Ref)
	switch {
	case one.Ref == "":
		return "spaces"
	case err != nil || s.keep[ref.ID]:
		return "asked"
	case ref.Kind == memory.KindMark:
		return "decisions"
	case ref.Kind == memory.KindKey:
		return "keys"
	}
	return "theirs"
}

// probesOf makes probes of what goes, without those that stand in what stays.
func (e *Gone) probesOf(ctx context.Context, s *selection) (probes.Set, []uint64, error) {
	const saltBytes = 8
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(e.C.Rand, salt); err != nil {
		return probes.Set{}, nil, err
	}
	m := probes.NewMaker(salt, mostCandidates)
	var whole []uint64
	for i, one := range e.stores() {
		err := each(ctx, one, func(it *store.Item) error {
			if f := s.at[it.Ref.ID]; f != nil && f.stores[0] == i && s.picked[f.ref.ID] {
				for _, text := range saidBy(it.Record).texts {
					m.Add(text)
					if h, n := probes.Whole(text); n >= sameWords {
						whole = append(whole, h)
					}
				}
			}
			return nil
		})
		if err != nil {
			return probes.Set{}, nil, err
		}
	}
	for _, one := range e.stores() {
		err := each(ctx, one, func(it *store.Item) error {
			if !s.picked[it.Ref.ID] {
				m.But(it.Record.Bytes)
			}
			return nil
		})
		if err != nil {
			return probes.Set{}, nil, err
		}
	}
	slices.Sort(whole)
	return m.Set(mostProbes), slices.Compact(whole), nil
}

// carryOut erases what an order says, in one transaction for each store, and clears all around it. It can be begun
// again at any point.
func (e *Gone) carryOut(ctx context.Context, o *order, named *probes.Names) error {
	for i, one := range e.stores() {
		if i >= len(o.Refs) || len(o.Refs[i]) == 0 {
			continue
		}
		var held []*store.Item
		for page := range slices.Chunk(o.Refs[i], core.ExportPage) {
			items, err := one.Get(ctx, core.IDsOf(page)...)
			if err != nil {
				return core.Classify(err)
			}
			for _, it := range items {
				if it != nil && it.Record != nil {
					held = append(held, it)
				}
			}
		}
		b := store.Batch{Purge: core.IDsOf(o.Refs[i])}
		if len(held) > 0 {
			marks, err := e.Marks(ctx, core.Marking{Verb: memory.Purge, Reason: o.Reason, With: true}, held...)
			if err != nil {
				return err
			}
			b.Records, b.Purge, b.By = marks, core.IDsOf(core.RefsOf(held)), marks[0].Header.Author
			if i == 0 {
				if err := e.Append(ctx, b); err != nil {
					return err
				}
				continue
			}
		}
		if _, err := one.Append(ctx, b); err != nil { // it was cut off after that: the files are scoured again
			return core.Classify(err)
		}
	}
	for _, one := range e.stores() {
		if d, ok := core.Inside(one).(store.Database); ok {
			if err := d.Compact(ctx); err != nil {
				return core.Classify(err)
			}
		}
	}
	return e.clear(o, named)
}

// clear takes what was erased out of all that is kept around the stores.
// Receipts of questions that name the person go too, where the names are known.
func (e *Gone) clear(o *order, named *probes.Names) error {
	ids := make(map[string]bool)
	for _, refs := range o.Refs {
		for _, r := range refs {
			ids[":"+r.ID.String()] = true
		}
	}
	search := probes.NewSearch(o.Probes)
	err := e.receipts.Drop(func(line []byte) bool {
		return slices.ContainsFunc(core.LongID.Get().FindAll(line, -1), func(id []byte) bool { return ids[string(id)] }) ||
			search.Holds(string(line)) ||
			slices.ContainsFunc(named.In(string(line)), func(h probes.Hit) bool { return h.Sure })
	})
	if err != nil {
		return core.Classify(err)
	}
	if e.C.Waiting != nil {
		if err := e.C.Waiting(func(text string) bool {
			h, _ := probes.Whole(text)
			_, same := slices.BinarySearch(o.Whole, h)
			return same || search.Holds(text)
		}); err != nil {
			return core.Classify(err)
		}
	}
	o.Copies += e.dropCopies(o.Store)
	return nil
}

// orderLasts is how long an order is kept of which nothing was carried out.
const orderLasts = 7 * 24 * time.Hour

// FinishDue clears up after acts that were killed when the records were gone and what lies around them was not. It
// signs nothing: the certificate comes with the same command. Where nothing was cut off it reads one directory.
func FinishDue(ctx context.Context, e *Gone) error {
	if e.C.ReadOnly || e.C.Foreign {
		return nil
	}
	for _, list := range e.orders() {
		var o order
		if is, err := e.get(list+orderSuffix, &o); !is || err != nil || o.Cleared || o.Store != e.nameOf(ctx) {
			continue
		}
		stays, err := e.anyHeld(ctx, o.Refs)
		if err == nil && stays && e.C.Now().Sub(o.At) > orderLasts {
			err = e.drop(list + orderSuffix)
		}
		if err != nil || stays {
			continue // nothing is erased yet: who ordered it begins again
		}
		if err := e.carryOut(ctx, &o, probes.NewNames(nil)); err != nil {
			return err
		}
		o.Cleared = true
		if err := e.put(list+orderSuffix, o); err != nil {
			return core.Classify(err)
		}
	}
	return nil
}

// anyHeld reports whether a record that an act names has its words.
func (e *Gone) anyHeld(ctx context.Context, refs [][]memory.Ref) (bool, error) {
	for i, one := range e.stores() {
		if i >= len(refs) {
			break
		}
		for page := range slices.Chunk(refs[i], core.ExportPage) {
			items, err := one.Get(ctx, core.IDsOf(page)...)
			if err != nil {
				return true, core.Classify(err)
			}
			if slices.ContainsFunc(items, func(it *store.Item) bool { return it != nil && it.Record != nil }) {
				return true, nil
			}
		}
	}
	return false, nil
}
