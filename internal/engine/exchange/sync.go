package exchange

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// Sync exchanges records with a remote: what came here since the last time goes
// there, and what came there comes here, each verified before it is stored. It may be
// stopped at any time, and goes on from there.
func (e *Exchange) Sync(ctx context.Context, in api.SyncRequest) (api.SyncReply, error) {
	return e.sync(ctx, in, false, nil)
}

// RemoteAccept accepts that a remote's history changed: it forgets what is known of the remote
// and offers everything again. No record is lost.
func (e *Exchange) RemoteAccept(ctx context.Context, in api.SyncRequest) (api.SyncReply, error) {
	if err := e.OwnerOnly("accept a rewritten history"); err != nil {
		return api.SyncReply{}, err
	}
	return e.sync(ctx, in, true, nil)
}

// errReadOnlySync says that a store cannot take part.
var errReadOnlySync = &core.Failure{Kind: api.ErrForbidden, Text: "the store is read-only"}

func (e *Exchange) sync(
	ctx context.Context, in api.SyncRequest, accept bool, pause func(int) time.Duration,
) (api.SyncReply, error) {
	if e.C.ReadOnly {
		return api.SyncReply{Peers: []api.SyncPeer{}}, errReadOnlySync
	}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return api.SyncReply{Peers: []api.SyncPeer{}}, err
	}
	if err := CarryOutDue(ctx, e); err != nil {
		return api.SyncReply{Peers: []api.SyncPeer{}}, err
	}
	former := e.former(ctx)
	differs := e.lifecycle.Differ(ctx) // what differs here already goes with this exchange
	var was told
	reply, err := e.syncWith(ctx, r, in, accept, &was)
	e.noteSync(ctx, r.Name, reply, was, err, pause)
	if err == nil && ctx.Err() == nil {
		err = errors.Join(differs, e.lifecycle.Differ(ctx), e.sayUncounted(ctx, &reply, former))
	}
	return reply, err
}

// syncWith exchanges records with every peer behind a remote.
func (e *Exchange) syncWith(
	ctx context.Context, r api.Remote, in api.SyncRequest, accept bool, was *told,
) (api.SyncReply, error) {
	reply := api.SyncReply{Remote: r.Name, Peers: []api.SyncPeer{}}
	self, err := e.peerSelf(r.Store)
	if err != nil {
		return reply, err
	}
	chosen, err := e.choosing(ctx, &r)
	if err != nil {
		return reply, err
	}
	if in.Push || !in.Pull {
		if reply.KeptBack, err = e.keptBack(ctx, chosen); err != nil {
			return reply, err
		}
	}
	ends, hangUp, err := e.dial(ctx, r, self)
	if err != nil {
		return reply, err
	}
	ends, logs, err := e.expected(ctx, r, ends, self, accept)
	if err != nil {
		return reply, err // nothing was written, so there is nothing to hang up for
	}
	var clears []peer.Clears
	for _, end := range ends {
		o := peer.Options{
			Peer: r.Name, Store: r.Store, Filter: remoteFilter(&r),
			Choose: chosen.has, Accept: accept,
			Push: end.Gives && (in.Push || !in.Pull), Pull: end.Takes && (in.Pull || !in.Push),
		}
		if end.Name != "" {
			o.Peer += "." + end.Name
		}
		if end.Whole {
			o.Expect = logs[end.Name]
		}
		if !o.Push && !o.Pull {
			continue
		}
		report, err := exchange(ctx, o, e.syncing(self, end.Cosigns), end.Remote)
		was.add(o.Peer, end.Gives, report)
		one := syncPeer(report, err)
		if post, ok := end.Remote.(peer.Post); ok && err == nil && o.Pull {
			if err = e.takeAnswers(ctx, post, &one); err != nil {
				one.Problem = "letters: " + core.OneLine(err)
			}
		}
		if err == nil && o.Push {
			err = e.keptHere(ctx, report, o, end.Gives, &one, was)
		}
		if hub, ok := end.Remote.(peer.Taking); ok && o.Pull && ctx.Err() == nil && !errors.Is(err, peer.ErrAway) {
			_ = e.tellTook(ctx, hub, report, o) // the next exchange says it again
		}
		switch {
		case errors.Is(err, peer.ErrUnderWay):
			reply.Busy, one.Code = true, "busy"
		case err != nil:
			reply.Failed++
			if errors.Is(err, peer.ErrAway) {
				one.Code = peer.Unreachable
			}
		}
		for _, s := range report.Spaces {
			like := api.NotTaken{Remote: r.Name, Peer: end.Name, Space: s.Space}
			reply.Reasons = reasons(reply.Reasons, like, s)
		}
		for _, s := range one.Spaces {
			reply.Pushed, reply.Pulled = reply.Pushed+s.Pushed, reply.Pulled+s.Pulled
			if s.Problem != "" {
				reply.Failed++
			}
		}
		reply.Peers = append(reply.Peers, one)
		if files, ok := end.Remote.(peer.Clears); ok && err == nil && o.Push {
			clears = append(clears, files)
		}
	}
	for _, files := range clears { // with the marks that came from others, too
		if err := e.clearFiles(ctx, r.Name, files); err != nil {
			reply.Failed++
			reply.Peers = append(
				reply.Peers,
				api.SyncPeer{Spaces: []api.SyncSpace{}, Problem: "what was purged: " + core.OneLine(err)},
			)
		}
	}
	if err = ctx.Err(); err == nil {
		err = e.findWithheld(ctx, &reply)
	}
	if hangUp != nil {
		err = errors.Join(err, hangUp())
	}
	return reply, err
}

// exchange runs one exchange with one peer and reports it in numbers.
func exchange(ctx context.Context, o peer.Options, here *peer.Local, there peer.Remote) (peer.Report, error) {
	ctx, span := tracing.Start(ctx, tracing.Inside, "sync exchange")
	defer span.End()
	report, err := peer.Run(ctx, peer.New(o), here, there)
	pushed, pulled, refused, troubled := 0, 0, 0, 0
	for _, s := range report.Spaces {
		pushed, pulled, refused = pushed+s.Pushed, pulled+s.Pulled, refused+len(s.Refused)+len(s.Back)
		if s.Problem != "" {
			troubled++
			span.Fail(cmp.Or(s.Code, "failed"))
		}
	}
	if err != nil {
		span.Fail(cmp.Or(peer.Code(err), "failed"))
	}
	span.Set(tracing.Number(
		"stemma.sync.spaces", len(report.Spaces),
	), tracing.Number("stemma.sync.pushed", pushed), tracing.Number("stemma.sync.pulled", pulled),
		tracing.Number("stemma.sync.refused", refused), tracing.Number("stemma.sync.spaces_in_trouble", troubled))
	return report, err
}

// peerSelf says who asks a peer.
func (e *Exchange) peerSelf(storeName string) (peer.Self, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return peer.Self{}, err
	}
	return peer.Self{
		Store: storeName, Key: me.Agent.DID(),
		Sign: func(origin string) (note.Signer, error) { return me.Agent.NoteSigner(origin) },
	}, nil
}

// dial opens the peers behind a remote.
func (e *Exchange) dial(ctx context.Context, r api.Remote, self peer.Self) ([]peer.Endpoint, func() error, error) {
	if e.C.Dial == nil {
		return nil, nil, core.Invalid("nothing here opens remotes: set Config.Dial")
	}
	ends, hangUp, err := e.C.Dial(ctx, r.Address, self)
	if err != nil {
		err = &core.Failure{Kind: api.ErrUnavailable, Text: fmt.Sprintf("remote %s: %s", r.Name, core.OneLine(err))}
	}
	return ends, hangUp, err
}

// syncing returns what does the effects of an exchange here.
func (e *Exchange) syncing(self peer.Self, cosigned bool) *peer.Local {
	l := &peer.Local{Store: e.First(), Now: e.C.Now, Wait: e.waitAgain}
	if cosigned {
		l.Sign = func(origin string) (note.Signer, string, error) {
			s, err := self.Sign(origin)
			return s, self.Key, err
		}
	}
	return l
}

// waitAgain waits before a request is sent again.
func (e *Exchange) waitAgain(ctx context.Context, attempt int) error {
	var b [4]byte
	if _, err := e.C.Rand.Read(b[:]); err != nil {
		return err
	}
	const whole = 1 << 32
	t := time.NewTimer(peer.Backoff(attempt, float64(binary.BigEndian.Uint32(b[:]))/whole))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func syncPeer(r peer.Report, err error) api.SyncPeer {
	out := api.SyncPeer{Name: r.Name, Spaces: []api.SyncSpace{}}
	if err != nil {
		out.Problem, out.Code = core.OneLine(err), peer.Code(err)
	}
	for _, s := range r.Spaces {
		out.Spaces = append(out.Spaces, api.SyncSpace{
			Space: s.Space, Pushed: s.Pushed, Pulled: s.Pulled, Size: s.Size, Cosigned: s.Cosigned,
			Refused: refusals(s.Refused), Back: refusals(s.Back), Problem: s.Problem, Code: s.Code,
			Gone: s.Gone, GoneMore: s.MoreGone,
		})
	}
	return out
}

// Hub returns the store as a peer with full access, for somebody who could open its file. It
// serves a pipe between two processes of one person.
func (e *Exchange) Hub() (peer.Remote, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	return peer.NewHub(e.First(), me.Agent, e.C.Now).For(peer.Caller{Account: "pipe", Any: true}), nil
}
