package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

func (w *world) memory(now func() time.Time) store.Store { return memstore.Open(now) }

// asks reports whether an effect is for the peer.
func asks(e Effect) bool { return Ask(context.Background(), nowhere{}, clone(e)) }

// nowhere is a peer that does nothing.
type nowhere struct{}

func (nowhere) Hello(context.Context, Hello) (w Welcome, err error)         { return }
func (nowhere) Offer(context.Context, Offer) (w Wanted, err error)          { return }
func (nowhere) Push(context.Context, Push) (a Acks, err error)              { return }
func (nowhere) Log(context.Context, LogRequest) (p LogPage, err error)      { return }
func (nowhere) Fetch(context.Context, Fetch) (l Lines, err error)           { return }
func (nowhere) Keys(context.Context, KeysRequest) (k KeyList, err error)    { return }
func (nowhere) Cosign(context.Context, CosignRequest) (c Cosigned, e error) { return }
func (nowhere) Prove(context.Context, ProveRequest) (p Proof, err error)    { return }

// fail lets a request have failed on its way.
func fail(e Effect) {
	switch c := e.(type) {
	case *CallHello:
		c.Out, c.Err = Welcome{}, errNet
	case *CallOffer:
		c.Out, c.Err = Wanted{}, errNet
	case *CallPush:
		c.Out, c.Err = Acks{}, errNet
	case *CallLog:
		c.Out, c.Err = LogPage{}, errNet
	case *CallFetch:
		c.Out, c.Err = Lines{}, errNet
	case *CallKeys:
		c.Out, c.Err = KeyList{}, errNet
	case *CallCosign:
		c.Out, c.Err = Cosigned{}, errNet
	case *CallProve:
		c.Out, c.Err = Proof{}, errNet
	}
}

// clone returns a request as it is on its way, apart from the one who made it.
func clone(e Effect) Effect {
	switch c := e.(type) {
	case *CallHello:
		return &CallHello{In: c.In}
	case *CallOffer:
		return &CallOffer{In: c.In}
	case *CallPush:
		return &CallPush{In: c.In}
	case *CallLog:
		return &CallLog{In: c.In}
	case *CallFetch:
		return &CallFetch{In: c.In}
	case *CallKeys:
		return &CallKeys{In: c.In}
	case *CallCosign:
		return &CallCosign{In: c.In}
	case *CallProve:
		return &CallProve{In: c.In}
	}
	return e
}

// live runs one seed from its first step to its healing.
func live(tb testing.TB, seed uint64, b *broken) (rounds int, err error) {
	w := newWorld(tb, seed, b)
	w.run()
	return w.heal()
}

// seeds is how many are run.
func seeds() uint64 {
	if os.Getenv("STEMMA_LONG") == "1" {
		return 10_000
	}
	return 1000 / fewer
}

const seedDir = "testdata/seeds"

// keep writes a seed down, to be run for ever.
func keep(t *testing.T, seed uint64, why error) {
	err := os.MkdirAll(seedDir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(seedDir, fmt.Sprint(seed)), []byte(why.Error()+"\n"), 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestKeptSeeds runs again what has failed once.
func TestKeptSeeds(t *testing.T) {
	files, err := os.ReadDir(seedDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		seed, err := strconv.ParseUint(f.Name(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if rounds, err := live(t, seed, nil); err != nil {
			t.Errorf("seed %d, after %d rounds: %v", seed, rounds, err)
		}
	}
}

// broken is a mistake that others have made, made on purpose.
type broken struct {
	name   string
	effect func(w *world, s *sim, e Effect) bool
	remote func(w *world, r Remote) Remote
	fell   func()
}

func (b *broken) does(w *world, s *sim, e Effect) bool { return b.effect != nil && b.effect(w, s, e) }

func (b *broken) hubFell() {
	if b.fell != nil {
		b.fell()
	}
}

// mistakes are what the simulation must notice.
func mistakes() []*broken {
	ctx := context.Background()
	forgetful := &forgetful{}
	return []*broken{
		{name: "the cursor is written before the records", effect: func(w *world, s *sim, e Effect) bool {
			switch c := e.(type) {
			case *CallAppend:
				s.kept = append(s.kept, c.In.Records...)
				c.Out.Added = len(c.In.Records)
				return true
			case *CallRemember:
				s.local().Do(ctx, e)
				return true
			}
			if len(s.kept) > 0 {
				if _, err := s.Append(ctx, store.Batch{Records: s.kept}); err != nil {
					w.Fatal(err)
				}
				s.kept = nil
			}
			return false
		}},
		{name: "an acknowledgement covers what was written meanwhile", effect: func(w *world, s *sim, e Effect) bool {
			c, ok := e.(*CallRemember)
			if !ok || !strings.HasSuffix(c.In.Name, w.space) {
				return false
			}
			var p Place
			f, err := s.Tree(ctx, w.space)
			if err != nil || json.Unmarshal(c.In.Now, &p) != nil {
				w.Fatal(err)
			}
			if p.Push > 0 {
				p.Push = f.Size()
			}
			if c.In.Now, err = json.Marshal(p); err != nil {
				w.Fatal(err)
			}
			c.In.Old, _ = s.Note(ctx, c.In.Name)
			s.local().Do(ctx, e)
			return true
		}},
		{name: "the last write wins", effect: func(w *world, s *sim, e Effect) bool {
			if c, ok := e.(*CallAppend); ok {
				c.In.Records = slices.DeleteFunc(slices.Clone(c.In.Records), func(r *memory.Record) bool { return s.beaten(w, r) })
			}
			return false
		}},
		{name: "a page with something known in it is skipped", effect: func(w *world, s *sim, e Effect) bool {
			if c, ok := e.(*CallUnheld); ok {
				s.local().Do(ctx, e)
				if len(c.Out) < len(c.In.IDs) {
					c.Out = nil
				}
				return true
			}
			return false
		}},
		{name: "the hub acknowledges before it has written", remote: forgetful.of, fell: forgetful.fell},
	}
}

// beaten reports whether something later replaces what r replaces.
func (s *sim) beaten(w *world, r *memory.Record) bool {
	for _, old := range r.Header.Provenance.Supersedes {
		edges, err := s.Edges(context.Background(), graph.Forward, old.ID)
		if err != nil {
			w.Fatal(err)
		}
		for _, e := range edges {
			items, err := s.Get(context.Background(), e.From)
			if err != nil {
				w.Fatal(err)
			}
			if e.Rel == graph.Supersedes && items[0].Record.Header.At.Time().After(r.Header.At.Time()) {
				return true
			}
		}
	}
	return false
}

// forgetful is a hub that writes down what was pushed when it is next asked.
type forgetful struct {
	Remote
	mine *forgetful
	wait *Push
}

func (f *forgetful) of(_ *world, r Remote) Remote { return &forgetful{Remote: r, mine: f} }

func (f *forgetful) fell() { f.wait = nil }

func (f *forgetful) Push(ctx context.Context, in Push) (Acks, error) {
	if f.mine.wait != nil {
		if _, err := f.Remote.Push(ctx, *f.mine.wait); err != nil {
			return Acks{}, err
		}
	}
	f.mine.wait = &in
	var acks Acks
	for _, l := range in.Lines {
		var line struct{ Payload []byte }
		if err := json.Unmarshal(l, &line); err != nil {
			return acks, err
		}
		r, err := memory.Decode(line.Payload)
		if err != nil {
			return acks, err
		}
		acks.Held = append(acks.Held, r.ID)
	}
	return acks, nil
}
