package exchange

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What became of a purge at a remote.
const (
	purgeErased   = "erased"
	purgeWords    = "words"
	purgeWaiting  = "waiting"
	purgeArchived = "archived"
	purgeAway     = "away"
	purgeDenied   = "denied"
)

// PurgeStatus asks every remote, and of hubs the machines, whether what was purged here is erased
// there. It reports only what was asked for now, or what a machine said of itself.
func PurgeStatus(ctx context.Context, e *Exchange, in api.PurgeRequest) (api.PurgeReply, error) {
	reply := api.PurgeReply{Purged: []string{}, RestsOnThem: []api.Affected{}}
	if err := e.OwnerOnly("ask which machines erased what was purged"); err != nil {
		return reply, err
	}
	if in.DryRun || in.Reason != "" {
		return reply, core.Invalid("status: it purges nothing, so give no reason and no dry_run with it")
	}
	if n := len(in.Refs); n == 0 || n > peer.MostPurges {
		return reply, core.Invalid("refs: name 1 to %d purged records, got %d", peer.MostPurges, n)
	}
	items, err := e.ResolveAll(ctx, in.Refs)
	if err != nil {
		return reply, err
	}
	err = Purged(ctx, e, items, &reply)
	return reply, err
}

// Purged asks what became of the purges of records, of any number, and adds it to a reply.
func Purged(ctx context.Context, e *Exchange, items []*store.Item, reply *api.PurgeReply) error {
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return err
	}
	spaces := make(map[string][]peer.Purging)
	all, err := e.purgeMarks(ctx, v, items)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Record != nil {
			return core.Invalid("%s was not purged: its words are here", it.Ref.Short())
		}
		marks := all[it.Ref.ID]
		if len(marks) == 0 {
			return core.Conflict("%s was purged, and no mark here says by whom: run `doctor`", it.Ref.Short())
		}
		first := marks[0]
		principal := v.Controller(first)
		reply.Here = append(reply.Here, api.PurgedRecord{
			Ref: it.Ref.String(), Claim: first.Ref().String(), At: first.Header.At.String(),
			By: cmp.Or(v.NameOf(principal), principal), Space: first.Header.Space,
		})
		reply.Purged = append(reply.Purged, it.Ref.String())
		one := peer.Purging{ID: it.Ref.ID}
		for _, m := range marks {
			if m.Header.Space == first.Header.Space {
				one.Marks = append(one.Marks, m.ID)
			}
		}
		spaces[first.Header.Space] = append(spaces[first.Header.Space], one)
	}
	remotes, err := Named(ctx, e)
	if err != nil {
		return err
	}
	for _, r := range remotes.Remotes {
		within, cancel := context.WithTimeout(ctx, statusWait)
		err := e.statusAt(within, r, spaces, v, reply)
		cancel()
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// statusWait is how long one remote may take to answer; later it counts as not reached.
const statusWait = time.Minute

// purgeMarks returns the marks by people that purge records, of each the first made first.
func (e *Exchange) purgeMarks(
	ctx context.Context, v *trust.Context, items []*store.Item,
) (map[memory.ID][]*memory.Record, error) {
	edges, err := e.First().Edges(ctx, graph.Forward, core.IDsOf(core.RefsOf(items))...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ids []memory.ID
	said := make(map[memory.ID]*memory.Record)
	for _, edge := range edges {
		if _, seen := said[edge.From]; !seen {
			said[edge.From] = nil
			ids = append(ids, edge.From)
		}
	}
	claims, err := e.First().Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, it := range claims {
		if it == nil || it.Record == nil {
			continue
		}
		if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge && v.Ring.Voice(it.Record).Owner {
			said[it.Ref.ID] = it.Record
		}
	}
	out := make(map[memory.ID][]*memory.Record)
	for _, edge := range edges {
		if m := said[edge.From]; m != nil && !slices.Contains(out[edge.To], m) {
			out[edge.To] = append(out[edge.To], m)
		}
	}
	for _, marks := range out {
		slices.SortStableFunc(marks, func(a, b *memory.Record) int { return a.Header.At.Time().Compare(b.Header.At.Time()) })
	}
	return out, nil
}

// statusAt asks the peers behind one remote.
func (e *Exchange) statusAt(
	ctx context.Context, r api.Remote, spaces map[string][]peer.Purging, v *trust.Context, reply *api.PurgeReply,
) error {
	chosen := make([]string, 0, len(spaces))
	exchanged, err := e.choosing(ctx, &r)
	if err != nil {
		return err
	}
	for space := range spaces {
		if exchanged.has(space) {
			chosen = append(chosen, space)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	slices.Sort(chosen)
	self, err := e.peerSelf(r.Store)
	if err != nil {
		return err
	}
	ends, hangUp, err := e.dial(ctx, r, self)
	if err == nil {
		ends, _, err = e.expected(ctx, r, ends, self, true)
	}
	if err != nil {
		for _, space := range chosen {
			reply.Pending++
			reply.Remotes = append(reply.Remotes, api.PurgeRemote{
				Remote: r.Name, Space: space, State: purgeAway, Note: core.OneLine(err),
			})
		}
		return nil
	}
	if hangUp != nil {
		defer func() { _ = hangUp() }() // nothing was written
	}
	asked := make(map[string]bool)
	for _, end := range ends {
		w, err := end.Hello(ctx, peer.Hello{Version: peer.Version, Store: r.Store, Parts: true})
		for _, space := range chosen {
			shown := slices.ContainsFunc(w.Spaces, func(s peer.Shared) bool { return s.Space == space })
			if err == nil && !shown && end.Whole {
				continue // this part of a folder has nothing of the space
			}
			asked[space] = true
			one := api.PurgeRemote{Remote: r.Name, Part: shorten.To(end.Name, mostPart), Space: space}
			if err != nil {
				one.State, one.Note = purgeAway, core.OneLine(err)
				if peer.Code(err) == "denied" {
					one.State = purgeDenied
				}
			} else {
				reply.Pending += allAtPeer(ctx, end.Remote, spaces[space], v, &one)
			}
			if one.State != purgeErased { // also where it cannot be known
				reply.Pending++
			}
			reply.Remotes = append(reply.Remotes, one)
		}
	}
	for _, space := range chosen {
		if !asked[space] { // an empty folder may be where a drive is not connected
			reply.Pending++
			reply.Remotes = append(reply.Remotes, api.PurgeRemote{
				Remote: r.Name, Space: space, State: purgeAway, Note: "nothing of the space is there",
			})
		}
	}
	return nil
}

// mostPart is how much of the name of a part is shown.
const mostPart = 16

// allAtPeer is atPeer for any number of purges: what it says is true of each.
func allAtPeer(
	ctx context.Context, there peer.Remote, purges []peer.Purging, v *trust.Context, one *api.PurgeRemote,
) (pending int) {
	first := true
	for some := range slices.Chunk(purges, peer.MostPurges) {
		now := api.PurgeRemote{Remote: one.Remote, Part: one.Part, Space: one.Space}
		n := atPeer(ctx, there, some, v, &now)
		if first || now.State != purgeErased && one.State == purgeErased {
			confirmed := one.Confirmed
			if *one = now; !first {
				one.Confirmed = min(confirmed, now.Confirmed)
			}
		} else {
			one.Confirmed = min(one.Confirmed, now.Confirmed)
		}
		if n > pending && len(now.Open) > 0 {
			one.Open = now.Open
		}
		if pending, first = max(pending, n), false; one.State == purgeAway || one.State == purgeDenied {
			return pending
		}
	}
	return pending
}

// atPeer fills in what became of purges in a space at one remote: whether the peer still gives the words, and what
// machines said. It returns how many machines may still erase them; a hub that cannot say counts as one.
func atPeer(
	ctx context.Context, there peer.Remote, purges []peer.Purging, v *trust.Context, one *api.PurgeRemote,
) (pending int) {
	space := one.Space
	ids := make([]memory.ID, 0, len(purges))
	for _, p := range purges {
		ids = append(ids, p.ID)
	}
	got, err := there.Fetch(ctx, peer.Fetch{Space: space, IDs: ids})
	switch {
	case peer.Code(err) == "denied":
		one.State, one.Note = purgeDenied, "it does not show you this space, and may have the words"
		return 0
	case err != nil:
		one.State, one.Note = purgeAway, core.OneLine(err)
		return 0
	case len(got.Lines) > 0:
		one.State = purgeWords
	default:
		one.State = purgeErased
	}
	hub, ok := there.(peer.Taking)
	if !ok {
		return 0
	}
	said, err := hub.Purged(ctx, peer.PurgedRequest{Space: space, Purges: purges})
	switch {
	case errors.Is(err, peer.ErrAbsent):
		one.Note = "the hub is of an earlier version, which does not know what machines erased"
		return 1
	case peer.Code(err) == "denied":
		one.Note = "only a person who keeps the space may see what machines erased"
		return 0
	case err != nil:
		one.State, one.Note = purgeAway, core.OneLine(err)
		return 0
	}
	for _, id := range ids {
		at := slices.IndexFunc(said.Records, func(r peer.PurgedThere) bool { return r.ID == id })
		switch {
		case at >= 0 && said.Records[at].Words:
			one.State = purgeWords
		case (at < 0 || !said.Records[at].Mark) && one.State == purgeErased:
			one.State = purgeWaiting // it never had the words, or not yet; another machine may still bring them
		}
	}
	if said.Archived && one.State != purgeErased {
		one.State, one.Note = purgeArchived, "the space is archived there: no purge arrives until that ends"
	}
	for _, m := range said.Machines {
		one.Machines++
		if m.State == peer.MachineErased {
			one.Confirmed++
			continue
		}
		if m.State != peer.MachineLeft {
			pending++
		}
		one.Open = append(one.Open, api.PurgeMachine{
			State: m.State, Account: m.Account, Name: cmp.Or(v.NameOf(v.Ring.Principal(m.Account)), m.Name),
			Label: m.Label, Token: m.Token, Store: shorten.To(m.Store, mostPart),
			Seen: timeOf(m.Seen), Said: timeOf(m.Took), Left: timeOf(m.Left),
		})
	}
	return pending
}

func timeOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return memory.At(t).String()
}
