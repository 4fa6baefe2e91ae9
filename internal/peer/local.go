package peer

import (
	"context"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Local does the effects of an exchange that are for the own store.
type Local struct {
	Store store.Store
	// Sign returns the signer of the checkpoints of the store's logs, and its did:key. With
	// nil the peer gets none.
	Sign func(origin string) (note.Signer, string, error)
	// Wait waits before a request is sent again; nil does not.
	Wait func(ctx context.Context, attempt int) error
	Now  func() time.Time
}

// Do does an effect.
func (l *Local) Do(ctx context.Context, e Effect) {
	s := l.Store
	switch c := e.(type) {
	case *CallSpaces:
		c.Out, c.Err = s.Spaces(ctx)
	case *CallRecall:
		c.Out, c.Err = s.Note(ctx, c.In.Name)
	case *CallRemember:
		c.Err = s.SwapNote(ctx, c.In.Name, c.In.Old, c.In.Now)
	case *CallSince:
		c.Out, c.Err = s.Kept(ctx, c.In.Space, c.In.After, c.In.Limit)
	case *CallItems:
		c.Out, c.Err = s.Get(ctx, c.In.IDs...)
	case *CallUnheld:
		c.Out, c.Err = unheld(ctx, s, c.In.IDs)
	case *CallMissing:
		c.Out, c.Err = Unmarked(ctx, s, c.In.Refs)
	case *CallKeyBook:
		c.Out, c.Err = keyRecords(ctx, s)
	case *CallWrote:
		c.Out, c.Err = wrote(ctx, s, c.In)
	case *CallRing:
		c.Out, c.Err = s.Keyring(ctx)
	case *CallAppend:
		c.Out, c.Err = appendTo(ctx, s, c.In, nil)
	case *CallShow:
		c.Out, c.Err = l.show(ctx, c.In)
	case *CallHold:
		c.Err = l.hold(ctx, c.In)
	case *CallWait:
		if l.Wait != nil {
			c.Err = l.Wait(ctx, c.In.Attempt)
		}
	}
}

// wrote returns those of some keys that wrote in a space.
func wrote(ctx context.Context, s store.Store, in Wrote) ([]string, error) {
	var out []string
	kinds := slices.DeleteFunc(append(memory.Memories(), memory.Claims()...), func(k memory.Kind) bool {
		return !in.Filter.kind(k) && k != memory.KindMark // which may purge
	})
	for _, did := range in.DIDs {
		q := store.Query{Author: did, Spaces: []string{in.Space}, Kinds: kinds, Hidden: true, Limit: 1}
		for _, err := range s.List(ctx, q) {
			if err != nil {
				return nil, err
			}
			out = append(out, did)
		}
	}
	return out, nil
}

// show signs what the own log is, if it is another than was seen last.
func (l *Local) show(ctx context.Context, in Show) (CosignRequest, error) {
	var out CosignRequest
	if l.Sign == nil {
		return out, nil
	}
	f, err := l.Store.Tree(ctx, in.Space)
	if err != nil || f.Size() == 0 || f.Size() == in.Seen && ledger.EncodeHash(f.Root()) == in.SeenRoot {
		return out, err
	}
	name, err := l.Store.StoreName(ctx)
	if err != nil {
		return out, err
	}
	c := ledger.Checkpoint{Origin: Origin(name, in.Space), Size: f.Size(), Root: f.Root()}
	signer, did, err := l.Sign(c.Origin)
	if err != nil {
		return out, err
	}
	raw, err := ledger.Sign(c, signer)
	if err != nil {
		return out, err
	}
	out = CosignRequest{Space: in.Space, Note: string(raw), Key: did, Old: in.Seen, Restart: in.Restart}
	if in.Seen == 0 || in.Seen >= f.Size() {
		return out, nil
	}
	t, err := ledger.NewTree(idsOf(ctx, l.Store, in.Space), f.Size())
	if err != nil {
		return out, err
	}
	p, err := t.Consistency(in.Seen, f.Size())
	out.Proof = p.Strings()
	return out, err
}

func (l *Local) hold(ctx context.Context, in Hold) error {
	c, _, err := ledger.Read([]byte(in.Note))
	if err != nil {
		return err
	}
	at := time.Now()
	if l.Now != nil {
		at = l.Now()
	}
	return l.Store.Hold(
		ctx, store.Checkpoint{Space: in.Space, Size: c.Size, Root: c.Root, Note: in.Note, By: in.By, At: at},
	)
}
