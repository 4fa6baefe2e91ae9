package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

func remoteLogHead(l api.RemoteLog) peer.Head {
	return peer.Head{Size: l.Size, Root: l.Root, Note: l.Note}
}

// RemoteView returns what this store holds of a remote's logs. It asks no one.
func (e *Exchange) RemoteView(ctx context.Context, in api.RemoteRequest) (api.RemoteView, error) {
	r, err := e.remote(ctx, in.Name)
	if err != nil {
		return api.RemoteView{Peers: []api.RemotePeer{}}, err
	}
	v := api.RemoteView{Remote: r.Name, Peers: []api.RemotePeer{}}
	held, err := e.heldOf(ctx, r.Name)
	for _, h := range held {
		v.Peers = append(v.Peers, h.RemotePeer)
	}
	return v, core.Classify(err)
}

// heldPeer is a peer as this store knows it, and what it is called here.
type heldPeer struct {
	api.RemotePeer
	name string
}

// heldOf reads the notes about the peers behind a remote, in the order of their names.
func (e *Exchange) heldOf(ctx context.Context, remote string) ([]heldPeer, error) {
	s := e.First()
	names, err := s.NoteNames(ctx, peer.PlacesOf+remote)
	if err != nil {
		return nil, err
	}
	var out []heldPeer
	for _, note := range names {
		name, space, isPlace := peer.PlaceName(note)
		if !isPlace || name != remote && !strings.HasPrefix(name, remote+".") {
			continue
		}
		if len(out) == 0 || out[len(out)-1].name != name {
			pin, err := pinOf(ctx, s, name)
			if err != nil {
				return nil, err
			}
			out = append(out, heldPeer{api.RemotePeer{Name: pin.Name, Key: pin.Key, Logs: []api.RemoteLog{}}, name})
		}
		raw, err := s.Note(ctx, note)
		if err != nil {
			return nil, err
		}
		p, err := peer.PlaceOf(raw)
		if err != nil {
			return nil, err
		}
		if p.Held.Note == "" {
			continue // nothing was taken of it yet
		}
		gone, err := e.withheld(ctx, p.Gone)
		if err != nil {
			return nil, err
		}
		last := &out[len(out)-1]
		last.Logs = append(
			last.Logs,
			api.RemoteLog{
				Space: space, Size: p.Held.Size, Root: p.Held.Root, Note: p.Held.Note, Withheld: gone,
				WithheldMore: p.MoreGone && len(gone) > 0,
			},
		)
	}
	return out, nil
}

func pinOf(ctx context.Context, s store.Store, name string) (peer.Pin, error) {
	var pin peer.Pin
	raw, err := s.Note(ctx, peer.PlacesOf+name)
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &pin)
	}
	return pin, err
}

// RemoteCompare compares what this store received of a remote's logs with what another store
// received, and has the remote prove that both are parts of one log. A remote that showed the
// two stores different histories cannot.
func (e *Exchange) RemoteCompare(ctx context.Context, in api.RemoteCompareRequest) (api.RemoteCompareReply, error) {
	reply := api.RemoteCompareReply{Logs: []api.RemoteCompared{}}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return reply, err
	}
	reply.Remote = r.Name
	held, err := e.heldOf(ctx, r.Name)
	if err != nil {
		return reply, core.Classify(err)
	}
	theirs := make(map[string]api.RemoteLog)
	for _, p := range in.View.Peers {
		for _, l := range p.Logs {
			if err := peer.Signed(p.Name, p.Key, l.Space, remoteLogHead(l)); err != nil {
				return reply, core.Invalid("view: it is damaged, or made up: %s", core.OneLine(err))
			}
			theirs[p.Key+" "+p.Name+" "+l.Space] = l
		}
	}
	self, err := e.peerSelf(r.Store)
	if err != nil {
		return reply, err
	}
	ends, hangUp, err := e.dial(ctx, r, self)
	if err != nil {
		return reply, err
	}
	for _, end := range ends {
		name := r.Name
		if end.Name != "" {
			name += "." + end.Name
		}
		for _, h := range held {
			if h.name != name {
				continue
			}
			for _, mine := range h.Logs {
				if there, ok := theirs[h.Key+" "+h.Name+" "+mine.Space]; ok {
					remoteCompareReplyAdd(&reply, compareLogs(ctx, end.Remote, h.RemotePeer, mine, there))
				}
			}
		}
	}
	if hangUp != nil {
		err = hangUp()
	}
	if len(reply.Logs) == 0 && err == nil && ctx.Err() == nil {
		err = core.Invalid(
			"view: nothing in it is of a log that this store has from %s; was it made of the same remote, and did both sync?",
			shorten.To(r.Name, 80),
		)
	}
	return reply, errors.Join(ctx.Err(), err)
}

func remoteCompareReplyAdd(r *api.RemoteCompareReply, c api.RemoteCompared) {
	r.Logs = append(r.Logs, c)
	switch {
	case c.Split:
		r.Split++
	case c.Problem != "":
		r.Failed++
	}
}

func compareLogs(ctx context.Context, there peer.Remote, p api.RemotePeer, a, b api.RemoteLog) api.RemoteCompared {
	out := api.RemoteCompared{Key: p.Key, Here: a, There: b}
	if err := peer.Compare(ctx, there, p.Name, p.Key, a.Space, remoteLogHead(a), remoteLogHead(b)); err != nil {
		out.Split, out.Problem = errors.Is(err, peer.ErrRewritten), core.OneLine(err)
	}
	return out
}
