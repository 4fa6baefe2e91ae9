package stemma

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/shelves"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/memory"
)

// SyncRequest asks for an exchange of records.
type SyncRequest struct {
	Remote string `json:"remote,omitempty" jsonschema:"which; empty is the only one"`
	Push   bool   `json:"push,omitempty" jsonschema:"only give; neither push nor pull is both"`
	Pull   bool   `json:"pull,omitempty" jsonschema:"only take"`
}

// SyncReply says what came of it.
type SyncReply struct {
	Remote string `json:"remote"`
	Pushed int    `json:"pushed"`
	Pulled int    `json:"pulled"`
	Failed int    `json:"failed"`         // peers and spaces with which it did not go through
	Busy   bool   `json:"busy,omitempty"` // another sync with it was under way, and this one stepped back
	// Withheld is how many records the peers call purged while no purge by an owner is known
	// here, and the record is not either.
	Withheld int        `json:"withheld,omitempty"`
	Peers    []SyncPeer `json:"peers"`
}

// SyncPeer is one peer behind a remote: a hub is one, a folder is one for each store
// that writes to it.
type SyncPeer struct {
	Name    string      `json:"name,omitempty"` // of its store
	Spaces  []SyncSpace `json:"spaces"`
	Problem string      `json:"problem,omitempty"` // why it ended early
	Code    string      `json:"code,omitempty"`    // of that: history_rewritten, denied, …

	Answers []string     `json:"answers,omitempty"` // refs of what witnesses said whom this store asked
	Waiting int          `json:"waiting,omitempty"` // requests to be a witness
	Unfit   []SyncRefuse `json:"unfit,omitempty"`   // answers that were not taken, by the id of the request
}

// SyncSpace is what came of one space.
type SyncSpace struct {
	Space    string       `json:"space"`
	Pushed   int          `json:"pushed"`
	Pulled   int          `json:"pulled"`
	Size     int64        `json:"size"`               // of the peer's log
	Cosigned int64        `json:"cosigned,omitempty"` // how much of the log here the peer signed that it saw
	Refused  []SyncRefuse `json:"refused,omitempty"`  // of what the peer gave
	Back     []SyncRefuse `json:"back,omitempty"`     // what the peer did not take
	Withheld []string     `json:"withheld,omitempty"` // refs of what the peer calls purged, and of which no purge is known here
	// WithheldMore says that there may be more than could be remembered.
	WithheldMore bool   `json:"withheld_more,omitempty"`
	Problem      string `json:"problem,omitempty"`
	Code         string `json:"code,omitempty"` // history_rewritten, denied, …
	Kept         bool   `json:"kept,omitempty"` // something was written here that stays here: the peer lets this store only read the space

	gone     []memory.Ref // what Withheld is found in
	goneMore bool
}

// SyncRefuse is a record that was not taken.
type SyncRefuse struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Sync exchanges records with a remote: what came here since the last time goes
// there, and what came there comes here, each verified before it is stored. It may be
// stopped at any time, and goes on from there.
func (e *Engine) Sync(ctx context.Context, in SyncRequest) (SyncReply, error) {
	return e.sync(ctx, in, false)
}

// RemoteAccept goes on with a remote whose history is not what it was: what is held
// of it is forgotten, and everything here is offered anew. Nothing is lost by it.
func (e *Engine) RemoteAccept(ctx context.Context, in SyncRequest) (SyncReply, error) {
	if err := e.ownerOnly("accept that a history was rewritten"); err != nil {
		return SyncReply{}, err
	}
	return e.sync(ctx, in, true)
}

// errReadOnlySync says that a store cannot take part.
var errReadOnlySync = &failure{kind: ErrForbidden, text: "the store is read-only"}

func (e *Engine) sync(ctx context.Context, in SyncRequest, accept bool) (SyncReply, error) {
	if e.c.ReadOnly {
		return SyncReply{Peers: []SyncPeer{}}, errReadOnlySync
	}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return SyncReply{Peers: []SyncPeer{}}, err
	}
	reply, err := e.syncWith(ctx, r, in, accept)
	e.noteSync(ctx, r.Name, reply, err)
	return reply, err
}

// syncWith exchanges records with every peer behind a remote.
func (e *Engine) syncWith(ctx context.Context, r Remote, in SyncRequest, accept bool) (SyncReply, error) {
	reply := SyncReply{Remote: r.Name, Peers: []SyncPeer{}}
	self, err := e.peerSelf(r.Store)
	if err != nil {
		return reply, err
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
			Peer: r.Name, Store: r.Store, Filter: r.filter(), Choose: r.chosen, Accept: accept,
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
		one := syncPeer(report, err)
		if post, ok := end.Remote.(peer.Post); ok && err == nil && o.Pull {
			if err = e.takeAnswers(ctx, post, &one); err != nil {
				one.Problem = "letters: " + oneLine(err)
			}
		}
		if err == nil && o.Push {
			err = e.keptHere(ctx, report, &one)
		}
		if err != nil {
			reply.Failed++
			reply.Busy = reply.Busy || errors.Is(err, peer.ErrUnderWay)
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
			reply.Peers = append(reply.Peers, SyncPeer{Spaces: []SyncSpace{}, Problem: "what was purged: " + oneLine(err)})
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

// keptHere marks the spaces that a peer lets this store only read, and in which its
// owner or agent wrote since they were last offered: nobody would know otherwise.
func (e *Engine) keptHere(ctx context.Context, report peer.Report, one *SyncPeer) error {
	me, err := e.ownKeys()
	if err != nil {
		return err
	}
	for i, s := range report.Spaces {
		if s.Role.May(peer.Writer) {
			continue
		}
		for _, key := range []*keys.Key{me.Owner, me.Agent} {
			if key == nil {
				continue
			}
			q := store.Query{Author: key.DID(), Spaces: []string{s.Space}, Kinds: append(memory.Memories(), memory.Claims()...), Hidden: true, Limit: 1}
			for it, err := range e.first().List(ctx, q) {
				if err != nil {
					return sorted(err)
				}
				one.Spaces[i].Kept = one.Spaces[i].Kept || it.Seq > s.Given
			}
		}
	}
	return nil
}

// exchange does one exchange with one peer, and tells of it by numbers.
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
	span.Set(tracing.Number("stemma.sync.spaces", len(report.Spaces)), tracing.Number("stemma.sync.pushed", pushed), tracing.Number("stemma.sync.pulled", pulled),
		tracing.Number("stemma.sync.refused", refused), tracing.Number("stemma.sync.spaces_in_trouble", troubled))
	return report, err
}

// peerSelf says who asks a peer.
func (e *Engine) peerSelf(storeName string) (peer.Self, error) {
	me, err := e.ownKeys()
	if err != nil {
		return peer.Self{}, err
	}
	return peer.Self{Store: storeName, Key: me.Agent.DID(), Sign: func(origin string) (note.Signer, error) { return me.Agent.NoteSigner(origin) }}, nil
}

// dial opens the peers behind a remote.
func (e *Engine) dial(ctx context.Context, r Remote, self peer.Self) ([]peer.Endpoint, func() error, error) {
	if e.c.Dial == nil {
		return nil, nil, invalid("nothing here opens remotes: set Config.Dial")
	}
	ends, hangUp, err := e.c.Dial(ctx, r.Address, self)
	if err != nil {
		err = &failure{kind: ErrUnavailable, text: fmt.Sprintf("remote %s: %s", r.Name, oneLine(err))}
	}
	return ends, hangUp, err
}

// syncing gives what does the effects of an exchange here.
func (e *Engine) syncing(self peer.Self, cosigned bool) *peer.Local {
	l := &peer.Local{Store: e.first(), Now: e.c.Now, Wait: e.waitAgain}
	if cosigned {
		l.Sign = func(origin string) (note.Signer, string, error) {
			s, err := self.Sign(origin)
			return s, self.Key, err
		}
	}
	return l
}

// first gives the store that is written to, without the one beside it.
func (e *Engine) first() store.Store {
	if two, ok := e.store.(*shelves.Store); ok {
		return two.Store
	}
	return e.store
}

// inside gives a store without the door before it, for who looks for damage or
// copies all of it.
func inside(s store.Store) store.Store {
	if d, ok := s.(*door.Store); ok {
		return d.Inside()
	}
	return s
}

// waitAgain waits before a request is sent again.
func (e *Engine) waitAgain(ctx context.Context, attempt int) error {
	var b [4]byte
	if _, err := e.c.Rand.Read(b[:]); err != nil {
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

func syncPeer(r peer.Report, err error) SyncPeer {
	out := SyncPeer{Name: r.Name, Spaces: []SyncSpace{}}
	if err != nil {
		out.Problem, out.Code = oneLine(err), peer.Code(err)
	}
	for _, s := range r.Spaces {
		out.Spaces = append(out.Spaces, SyncSpace{
			Space: s.Space, Pushed: s.Pushed, Pulled: s.Pulled, Size: s.Size, Cosigned: s.Cosigned,
			Refused: refusals(s.Refused), Back: refusals(s.Back), Problem: s.Problem, Code: s.Code,
			gone: s.Gone, goneMore: s.MoreGone,
		})
	}
	return out
}

func refusals(rs []peer.Refusal) []SyncRefuse {
	var out []SyncRefuse
	for _, r := range rs {
		out = append(out, SyncRefuse{r.ID.String(), r.Why})
	}
	return out
}

// Hub gives the store as a peer for somebody who may read and write all of it: whoever
// could open its file. It is for a pipe between two processes of one person.
func (e *Engine) Hub() (peer.Remote, error) {
	me, err := e.ownKeys()
	if err != nil {
		return nil, err
	}
	return peer.NewHub(e.first(), me.Agent, e.c.Now).For(peer.Caller{Account: "pipe", Any: true}), nil
}
