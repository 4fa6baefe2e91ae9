package exchange

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keptHere names the spaces in which this person or their agent wrote what the peer does not take:
// it lets this store only read there, or shares the space with it no more. No one would know
// otherwise that the others never read it.
func (e *Exchange) keptHere(
	ctx context.Context, report peer.Report, o peer.Options, gives bool, one *api.SyncPeer, was *told,
) error {
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	was.asked = true
	for i, s := range report.Spaces {
		if s.Role.May(peer.Writer) || s.Problem != "" || s.Code == peer.Unreachable {
			continue
		}
		if n, err := e.waiting(ctx, me.Owner, me.Agent, s.Space, s.Given); err != nil {
			return err
		} else if n > 0 {
			was.Barred = append(was.Barred, s.Space)
			one.Spaces[i].Kept, one.Spaces[i].Code = true, codeKept
			one.Spaces[i].Problem = "you can only read there, so your records stay here: " + atMost(n)
		}
	}
	if !gives {
		return nil
	}
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, sp := range spaces {
		there := slices.ContainsFunc(report.Spaces, func(s peer.SpaceReport) bool { return s.Space == sp.Name })
		begins := mayBegin(report.Begins, sp.Name) && !slices.Contains(report.Not, sp.Name)
		if there || begins || !o.Choose(sp.Name) {
			continue
		}
		raw, err := e.First().Note(ctx, peer.PlacesOf+o.Peer+"/"+sp.Name)
		if err != nil {
			return core.Classify(err)
		}
		if raw == nil && store.OwnerOf(sp.Name) == me.Principal {
			continue // it was never shared
		}
		if raw == nil {
			if elsewhere, err := e.exchanged(ctx, sp.Name); err != nil || elsewhere {
				if err != nil {
					return err
				}
				continue // another remote takes it
			}
		}
		p, err := peer.PlaceOf(raw)
		if err != nil {
			continue // an exchange with it reports it
		}
		n, err := e.waiting(ctx, me.Owner, me.Agent, sp.Name, store.Seq(p.Push))
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		says := "the remote does not share it with you"
		if raw != nil {
			says += " any more"
		}
		was.Barred = append(was.Barred, sp.Name)
		one.Spaces = append(one.Spaces, api.SyncSpace{
			Space: sp.Name, Kept: true, Code: codeKept, Problem: says + ", so your records stay here: " + atMost(n),
		})
	}
	return nil
}

// codeKept is the code of a space of which the remote takes nothing from this store.
const codeKept = "denied"

// mostWaiting bounds how many records that cannot go are counted.
const mostWaiting = 1000

func atMost(n int) string {
	if n >= mostWaiting {
		return fmt.Sprintf("%d or more", n)
	}
	return fmt.Sprint(n)
}

// waiting counts what a person and their agent wrote in a space after a place. Key records do not
// count: they go where what needs them goes.
func (e *Exchange) waiting(ctx context.Context, owner, agent *keys.Key, space string, given store.Seq) (int, error) {
	claims := slices.DeleteFunc(memory.Claims(), func(k memory.Kind) bool { return k == memory.KindKey })
	n := 0
	for _, key := range []*keys.Key{owner, agent} {
		if key == nil {
			continue
		}
		q := store.Query{
			Author: key.DID(), Spaces: []string{space}, Kinds: append(memory.Memories(), claims...), Hidden: true,
			Limit: mostWaiting,
		}
		for it, err := range e.First().List(ctx, q) {
			if err != nil {
				return n, core.Classify(err)
			}
			if it.Record != nil && it.Seq > given {
				n++
			}
		}
	}
	return min(n, mostWaiting), nil
}

// exchanged reports whether any remote exchanged a space.
func (e *Exchange) exchanged(ctx context.Context, space string) (bool, error) {
	names, err := e.First().NoteNames(ctx, peer.PlacesOf)
	return slices.ContainsFunc(names, func(name string) bool {
		_, of, ok := peer.PlaceName(name)
		return ok && of == space
	}), core.Classify(err)
}

// onlyKept reports whether all that went wrong with an exchange is that some spaces take nothing
// from this store: the others were exchanged.
func onlyKept(reply api.SyncReply) bool {
	for _, p := range reply.Peers {
		other := func(s api.SyncSpace) bool { return s.Problem != "" && !s.Kept }
		if p.Problem != "" || slices.ContainsFunc(p.Spaces, other) {
			return false
		}
	}
	return true
}
