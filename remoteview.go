package stemma

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// RemoteView is what a store holds of a remote's logs, each with the remote's own
// signature. There is nothing of what is remembered in it: another store compares it
// with what it holds itself.
type RemoteView struct {
	Remote string       `json:"remote"`
	Peers  []RemotePeer `json:"peers"`
}

// RemotePeer is one peer behind a remote.
type RemotePeer struct {
	Name string      `json:"name"` // of its store
	Key  string      `json:"key"`  // did:key that signs its logs
	Logs []RemoteLog `json:"logs"`
}

// RemoteLog is what a peer said of its log of a space.
type RemoteLog struct {
	Space string `json:"space"`
	Size  int64  `json:"size"`
	Root  string `json:"root,omitempty"`
	Note  string `json:"note,omitempty"` // the signed checkpoint
	// Withheld are refs of what the peer calls purged, while the store that asked knows of no
	// purge by an owner, nor has the record.
	Withheld []string `json:"withheld,omitempty"`
	// WithheldMore says that there may be more than could be remembered.
	WithheldMore bool `json:"withheld_more,omitempty"`
}

// RemoteCompareRequest asks whether a remote told two stores the same.
type RemoteCompareRequest struct {
	Remote string     `json:"remote,omitempty" jsonschema:"which; empty is the only one"`
	View   RemoteView `json:"view" jsonschema:"what another store holds of it: the answer of remote_view there"`
}

// RemoteCompareReply says of each log that both stores hold something of whether it is
// one.
type RemoteCompareReply struct {
	Remote string           `json:"remote"`
	Split  int              `json:"split"`  // logs of which the remote signed two
	Failed int              `json:"failed"` // logs that could not be compared
	Logs   []RemoteCompared `json:"logs"`
}

// RemoteCompared is one log. Where it was split, Here and There are the proof: two
// statements with the remote's signature that cannot both be true.
type RemoteCompared struct {
	Key     string    `json:"key"` // of the peer
	Here    RemoteLog `json:"here"`
	There   RemoteLog `json:"there"`
	Split   bool      `json:"split,omitempty"`
	Problem string    `json:"problem,omitempty"`
}

func (l RemoteLog) head() peer.Head { return peer.Head{Size: l.Size, Root: l.Root, Note: l.Note} }

// RemoteView gives what this store holds of a remote's logs. It asks nobody.
func (e *Engine) RemoteView(ctx context.Context, in RemoteRequest) (RemoteView, error) {
	r, err := e.remote(ctx, in.Name)
	if err != nil {
		return RemoteView{Peers: []RemotePeer{}}, err
	}
	v := RemoteView{Remote: r.Name, Peers: []RemotePeer{}}
	held, err := e.heldOf(ctx, r.Name)
	for _, h := range held {
		v.Peers = append(v.Peers, h.RemotePeer)
	}
	return v, sorted(err)
}

// heldPeer is a peer as this store knows it, and what it is called here.
type heldPeer struct {
	RemotePeer
	called string
}

// heldOf reads what is held of the peers behind a remote, in the order of their names.
func (e *Engine) heldOf(ctx context.Context, remote string) ([]heldPeer, error) {
	s := e.first()
	names, err := s.NoteNames(ctx, peer.PlacesOf+remote)
	if err != nil {
		return nil, err
	}
	var out []heldPeer
	for _, name := range names {
		called, space, isPlace := peer.PlaceName(name)
		if !isPlace || called != remote && !strings.HasPrefix(called, remote+".") {
			continue
		}
		if len(out) == 0 || out[len(out)-1].called != called {
			pin, err := pinOf(ctx, s, called)
			if err != nil {
				return nil, err
			}
			out = append(out, heldPeer{RemotePeer{Name: pin.Name, Key: pin.Key, Logs: []RemoteLog{}}, called})
		}
		raw, err := s.Note(ctx, name)
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
		last.Logs = append(last.Logs, RemoteLog{space, p.Held.Size, p.Held.Root, p.Held.Note, gone, p.MoreGone && len(gone) > 0})
	}
	return out, nil
}

func pinOf(ctx context.Context, s store.Store, called string) (peer.Pin, error) {
	var pin peer.Pin
	raw, err := s.Note(ctx, peer.PlacesOf+called)
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &pin)
	}
	return pin, err
}

// RemoteCompare compares what this store holds of a remote's logs with what another
// holds, and has the remote prove that each is one log. A remote that told the two
// different things cannot.
func (e *Engine) RemoteCompare(ctx context.Context, in RemoteCompareRequest) (RemoteCompareReply, error) {
	reply := RemoteCompareReply{Logs: []RemoteCompared{}}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return reply, err
	}
	reply.Remote = r.Name
	held, err := e.heldOf(ctx, r.Name)
	if err != nil {
		return reply, sorted(err)
	}
	theirs := make(map[string]RemoteLog)
	for _, p := range in.View.Peers {
		for _, l := range p.Logs {
			if err := peer.Signed(p.Name, p.Key, l.Space, l.head()); err != nil {
				return reply, invalid("view: it is damaged, or made up: %s", oneLine(err))
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
		called := r.Name
		if end.Name != "" {
			called += "." + end.Name
		}
		for _, h := range held {
			if h.called != called {
				continue
			}
			for _, mine := range h.Logs {
				if there, ok := theirs[h.Key+" "+h.Name+" "+mine.Space]; ok {
					reply.add(compareLogs(ctx, end.Remote, h.RemotePeer, mine, there))
				}
			}
		}
	}
	if hangUp != nil {
		err = hangUp()
	}
	if len(reply.Logs) == 0 && err == nil && ctx.Err() == nil {
		err = invalid("view: nothing in it is of a log that this store has from %s; was it made of the same remote, and did both sync?", memory.Cut(r.Name, 80))
	}
	return reply, errors.Join(ctx.Err(), err)
}

func (r *RemoteCompareReply) add(c RemoteCompared) {
	r.Logs = append(r.Logs, c)
	switch {
	case c.Split:
		r.Split++
	case c.Problem != "":
		r.Failed++
	}
}

func compareLogs(ctx context.Context, there peer.Remote, p RemotePeer, a, b RemoteLog) RemoteCompared {
	out := RemoteCompared{Key: p.Key, Here: a, There: b}
	if err := peer.Compare(ctx, there, p.Name, p.Key, a.Space, a.head(), b.head()); err != nil {
		out.Split, out.Problem = errors.Is(err, peer.ErrRewritten), oneLine(err)
	}
	return out
}
