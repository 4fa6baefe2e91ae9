package door_test

import (
	"context"
	"crypto/rand"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// crossed is a store to which somebody else writes while it is read: after what was asked for was
// read, and before it is given.
type crossed struct {
	store.Store
	meanwhile map[string]func() // by the reading; each is called once
}

func (c *crossed) now(reading string) {
	do := c.meanwhile[reading]
	delete(c.meanwhile, reading)
	if do != nil {
		do()
	}
}

func (c *crossed) Spaces(ctx context.Context) ([]store.Space, error) {
	out, err := c.Store.Spaces(ctx)
	c.now("spaces")
	return out, err
}

func (c *crossed) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	out, err := c.Store.Edges(ctx, dir, ids...)
	c.now("edges")
	return out, err
}

func (c *crossed) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	var all []*store.Item
	for it, err := range c.Store.List(ctx, q) {
		if err != nil {
			return func(yield func(*store.Item, error) bool) { yield(nil, err) }
		}
		all = append(all, it)
	}
	c.now("list")
	return func(yield func(*store.Item, error) bool) {
		for _, it := range all {
			if !yield(it, nil) {
				return
			}
		}
	}
}

// pair is a store behind the doors of two processes that have one book.
type pair struct {
	*testing.T
	inside        store.Store
	between       *crossed
	reader, other *door.Store
	owner         *storetest.Author
	key           *keys.Key
	note          *memory.Record
}

// signed returns a record with a signature that holds.
func (p *pair) signed(r *memory.Record) *memory.Record {
	p.Helper()
	sig, err := p.key.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		p.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: p.key.DID(), Sig: sig}}
	return r
}

func (p *pair) said(text string) *memory.Record { return p.signed(p.owner.Raw(p, text)) }

func (p *pair) claim(verb string) *memory.Record { return p.signed(p.owner.Mark(p, verb, p.note)) }

func newPair(t *testing.T) *pair {
	t.Helper()
	dir := t.TempDir()
	book := func() *proof.Book {
		s, err := seal.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return proof.Open(dir, s, t.Name())
	}
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{T: t, inside: memstore.Open(time.Now), owner: storetest.NewOwner("owner"), key: key}
	p.owner.Key, p.owner.Space = key.DID(), key.DID()+"/main"
	p.between = &crossed{p.inside, make(map[string]func())}
	p.reader, p.other = door.Of(p.between, book(), time.Now), door.Of(p.inside, book(), time.Now)
	p.note = p.signed(p.owner.Belief(t, "the pier is closed"))
	p.add(p.note, p.claim(memory.Approve))
	return p
}

// add lets the other process write, and note that it did.
func (p *pair) add(rs ...*memory.Record) {
	p.Helper()
	if _, err := p.other.Append(p.Context(), store.Batch{Records: rs}); err != nil {
		p.Fatal(err)
	}
	if why, err := p.other.WhyUntrusted(p.Context()); err != nil || why != "" {
		p.Fatal(why, err)
	}
	if err := p.other.Book().Flush(); err != nil {
		p.Fatal(err)
	}
}

// look reads the note as one request does, and says what is wrong with it.
func (p *pair) look(ctx context.Context) string {
	p.Helper()
	items, err := p.reader.Get(ctx, p.note.ID)
	if err != nil {
		p.Fatal(err)
	}
	why, err := p.reader.WhyUntrusted(ctx)
	if err != nil {
		p.Fatal(err)
	}
	return strings.Trim(why+" "+string(items[0].Doubt), " ")
}

// What another process writes between two readings of one look raises no alarm, and is in the next look.
func TestWritesBetweenTwoReadingsRaiseNoAlarm(t *testing.T) {
	for _, reading := range []string{"spaces", "list", "edges"} {
		for what, records := range map[string]func(p *pair) []*memory.Record{
			"words": func(p *pair) []*memory.Record { return []*memory.Record{p.said("said meanwhile")} },
			"a claim": func(p *pair) []*memory.Record {
				return []*memory.Record{p.claim(memory.Forget)}
			},
			"a key": func(p *pair) []*memory.Record {
				_, key := p.owner.NewAgent(p, "agent")
				return []*memory.Record{p.signed(key)}
			},
		} {
			t.Run(what+" after "+reading, func(t *testing.T) {
				p := newPair(t)
				p.between.meanwhile[reading] = func() {
					p.add(records(p)...)
					if reading != "edges" { // the logs are being looked at
						return
					}
					why, err := p.reader.WhyUntrusted(store.Fresh(t.Context())) // another request of the reader's process
					if why != "" || err != nil {
						t.Errorf("meanwhile: %s, %v", why, err)
					}
				}
				if wrong := p.look(store.AtOnce(t.Context())); wrong != "" {
					t.Errorf("it is said: %s", wrong)
				}
				if len(p.between.meanwhile) > 0 {
					t.Errorf("nothing asked for %s", reading)
				}
				if wrong := p.look(store.AtOnce(t.Context())); wrong != "" {
					t.Errorf("the next look: %s", wrong)
				}
			})
		}
	}
}

// Nor does a request whose view of the logs is older than that of another in the same process.
func TestAnOlderRequestRaisesNoAlarm(t *testing.T) {
	p := newPair(t)
	old := store.AtOnce(t.Context())
	spaces, err := p.inside.Spaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.add(p.said("said meanwhile"))
	if wrong := p.look(store.AtOnce(t.Context())); wrong != "" {
		t.Fatal(wrong)
	}
	p.between.Store = &older{p.inside, old, spaces}
	if wrong := p.look(old); wrong != "" {
		t.Errorf("the older request: %s", wrong)
	}
	if wrong := p.look(store.AtOnce(t.Context())); wrong != "" {
		t.Errorf("the next: %s", wrong)
	}
}

// older gives one request the logs as they were.
type older struct {
	store.Store
	of     context.Context
	spaces []store.Space
}

func (o *older) Spaces(ctx context.Context) ([]store.Space, error) {
	if store.GlanceOf(ctx) == store.GlanceOf(o.of) {
		return o.spaces, nil
	}
	return o.Store.Spaces(ctx)
}

// A log that was put back while somebody reads is reported, however much others write into it then; and so is a claim
// that is withheld.
func TestARewrittenLogIsReportedBesideAWriter(t *testing.T) {
	p := newPair(t)
	p.add(p.said("one"), p.said("two"))
	if wrong := p.look(store.AtOnce(t.Context())); wrong != "" {
		t.Fatal(wrong)
	}
	back := memstore.Open(time.Now)
	if _, err := back.Append(t.Context(), store.Batch{Records: []*memory.Record{p.note}}); err != nil {
		t.Fatal(err)
	}
	p.between.Store = back
	for n := range 6 {
		p.between.meanwhile["spaces"] = func() { // a writer that knows nothing of it makes the log longer than it was
			_, err := back.Append(t.Context(), store.Batch{Records: []*memory.Record{p.said(strings.Repeat("x", n+1))}})
			if err != nil {
				t.Error(err)
			}
		}
		if wrong := p.look(store.AtOnce(t.Context())); !strings.Contains(wrong, "not the one that was read here before") {
			t.Errorf("look %d says %q", n, wrong)
		}
	}
}

// Withheld claims are noticed while others write.
func TestAWithheldClaimIsNoticedBesideAWriter(t *testing.T) {
	p := newPair(t)
	dispute := p.claim(memory.Forget)
	p.add(dispute)
	p.between.Store = &withholding{p.inside, dispute.ID}
	for n := range 3 {
		p.between.meanwhile["edges"] = func() { p.add(p.said(strings.Repeat("y", n+1))) }
		if wrong := p.look(store.AtOnce(t.Context())); wrong == "" {
			t.Errorf("look %d does not notice that a claim is withheld", n)
		}
	}
}

// withholding is a store that does not give one record, nor the arrows from it.
type withholding struct {
	store.Store
	id memory.ID
}

func (w *withholding) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	all, err := w.Store.Edges(ctx, dir, ids...)
	var out []graph.Edge
	for _, e := range all {
		if e.From != w.id {
			out = append(out, e)
		}
	}
	return out, err
}

func (w *withholding) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	items, err := w.Store.Get(ctx, ids...)
	for i, id := range ids {
		if id == w.id {
			items[i] = nil
		}
	}
	return items, err
}
