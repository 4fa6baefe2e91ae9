package hub

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
	"github.com/stemma-memory/stemma/memory"
)

// tells tells the hub how far a person's store is, as the engine does after an exchange.
func (p *place) tells(who *person, space string, change ...func(*peer.Taken)) {
	p.Helper()
	raw, err := who.Note(p.Context(), peer.PlacesOf+"hub/"+space)
	if err != nil {
		p.Fatal(err)
	}
	at, err := peer.PlaceOf(raw)
	if err != nil {
		p.Fatal(err)
	}
	took, err := peer.TookOf(space, at, peer.Filter{})
	if err != nil {
		p.Fatal(err)
	}
	name, _ := who.StoreName(p.Context())
	in := peer.Taken{Store: name, Spaces: []peer.Took{took}}
	for _, c := range change {
		c(&in)
	}
	if _, err := who.Took(p.Context(), in); err != nil {
		p.Fatal(err)
	}
}

// states asks which machines took in a purge, by the name of the member and of the store.
func (p *place) states(keeper *person, in peer.PurgedRequest) (map[string]string, peer.Purged) {
	p.Helper()
	p.server.Settle()
	got, err := keeper.Purged(p.Context(), in)
	if err != nil {
		p.Fatal(err)
	}
	out := make(map[string]string)
	for _, m := range got.Machines {
		out[m.Name+" "+m.Store] = m.State
	}
	return out, got
}

// purgesFor makes the purge of a record by its author, and what the hub is asked about it.
func (p *place) purgesFor(who *person, r *memory.Record) peer.PurgedRequest {
	p.Helper()
	of := r.Ref()
	mark := who.make(p, r.Header.Space, &memory.Mark{Of: &of, Verb: memory.Purge})
	if _, err := who.Append(p.Context(), store.Batch{
		Records: []*memory.Record{mark}, Purge: []memory.ID{r.ID},
	}); err != nil {
		p.Fatal(err)
	}
	return peer.PurgedRequest{
		Space: r.Header.Space, Purges: []peer.Purging{{ID: r.ID, Marks: []memory.ID{mark.ID}}},
	}
}

func wantStates(p *place, when string, got, want map[string]string) {
	p.Helper()
	for name, state := range want {
		if got[name] != state {
			p.Errorf("%s: %q is %q, want %q (all: %v)", when, name, got[name], state, got)
		}
	}
	if len(got) != len(want) {
		p.Errorf("%s: machines %v, want %v", when, got, want)
	}
}

// A machine is shown as one that erased a purge only where its own word says so: by a place in this log, after the
// mark, which it did not refuse and its filter does not leave out.
func TestAMachineErasedWhatItSaysItTook(t *testing.T) {
	everyHub(t, func(p *place) {
		p.now = time.Now()
		ann := p.joins("ann", "", "")
		space := ann.home()
		secret := ann.believes(p, space, "the password is swordfish")
		ann.mustSync(p)
		bob := p.joins("bob", space, store.Writer)
		bob.mustSync(p)
		p.tells(bob, space)
		in := p.purgesFor(ann, secret)
		got, all := p.states(ann, in)
		wantStates(p, "before the hub has it", got, map[string]string{
			"ann ": peer.MachineUnknown, "bob store-of-bob": peer.MachinePending,
		})
		if len(all.Records) != 1 || !all.Records[0].Words || all.Records[0].Mark {
			p.Errorf("the hub says %+v, want words and no mark", all.Records)
		}
		ann.mustSync(p)
		p.tells(ann, space)
		bob.mustSync(p) // he pulled the mark, and his machine said nothing: it may have stopped before it erased
		erased := func(state string) map[string]string {
			return map[string]string{"ann store-of-ann": peer.MachineErased, "bob store-of-bob": state}
		}
		got, all = p.states(ann, in)
		wantStates(p, "pulled and not said", got, erased(peer.MachinePending))
		if all.Records[0].Words || !all.Records[0].Mark || all.Machines[1].Took.IsZero() || all.Machines[1].Seen.IsZero() {
			p.Errorf("the hub says %+v", all)
		}
		for what, lie := range map[string]struct {
			change func(*peer.Taken)
			state  string
		}{
			"a place beyond the log": {func(in *peer.Taken) { in.Spaces[0].Size += 100 }, peer.MachinePending},
			"a place in another log": {func(in *peer.Taken) { in.Spaces[0].Root = in.Spaces[0].Root[4:] }, peer.MachinePending},
			"a refused mark":         {func(t *peer.Taken) { t.Spaces[0].Waits = in.Purges[0].Marks }, peer.MachinePending},
			"a filter": {func(in *peer.Taken) {
				in.Spaces[0].Filter.Kinds = []memory.Kind{memory.KindEpisode}
			}, peer.MachineFiltered},
		} {
			p.tells(bob, space, lie.change)
			got, _ = p.states(ann, in)
			wantStates(p, what, got, erased(lie.state))
		}
		p.tells(bob, space)
		got, _ = p.states(ann, in)
		wantStates(p, "said", got, erased(peer.MachineErased))

		// restored from a backup, it is where the backup was; a second store with the token is a machine of its own
		p.tells(bob, space, func(in *peer.Taken) { in.Spaces[0].Size, in.Spaces[0].Root = 0, "" })
		got, _ = p.states(ann, in)
		wantStates(p, "restored", got, erased(peer.MachinePending))
		p.tells(bob, space)
		p.tells(bob, space, func(in *peer.Taken) { in.Store, in.Spaces[0].Size, in.Spaces[0].Root = "second", 0, "" })
		got, _ = p.states(ann, in)
		want := erased(peer.MachineErased)
		want["bob second"] = peer.MachinePending
		wantStates(p, "two stores", got, want)
	})
}

// Only a person who keeps the space may ask. To everybody else it is as if there were no such space.
func TestWhoMayAskWhichMachinesErased(t *testing.T) {
	everyHub(t, func(p *place) {
		p.now = time.Now()
		ann, eve := p.joins("ann", "", ""), p.joins("eve", "", "")
		space := ann.home()
		secret := ann.believes(p, space, "the password is swordfish")
		ann.mustSync(p)
		bob, cleo := p.joins("bob", space, store.Writer), p.joins("cleo", space, store.Keeper)
		robot := p.machine(ann, "robot", store.Keeper, space)
		in := p.purgesFor(ann, secret)
		ann.mustSync(p)
		if _, err := cleo.Purged(p.Context(), in); err != nil {
			p.Errorf("a keeper is refused: %v", err)
		}
		for name, who := range map[string]*person{"a writer": bob, "a stranger": eve, "a service account": robot} {
			if got, err := who.Purged(p.Context(), in); !errors.Is(err, peer.ErrDenied) || len(got.Machines) > 0 {
				p.Errorf("%s is told %+v, %v, want ErrDenied", name, got, err)
			}
		}
		// what a stranger says of the space is not noted
		noted, err := eve.Took(p.Context(), peer.Taken{Store: "of-eve", Spaces: []peer.Took{{Space: space, Size: 1}}})
		if err != nil || len(noted.Spaces) > 0 {
			p.Errorf("a stranger's word is noted: %+v, %v", noted, err)
		}
		if _, err := eve.Took(p.Context(), peer.Taken{Store: "../x"}); !errors.Is(err, peer.ErrRequest) {
			p.Errorf("a store with a name of its own is taken: %v", err)
		}
		// nor of more stores with one token than a machine has
		for i := range 2 * mostStores {
			p.tells(bob, space, func(in *peer.Taken) { in.Store = "store" + string(rune('A'+i)) })
		}
		if got, _ := p.states(ann, in); len(got) != mostStores+2+1 {
			p.Errorf("%d machines, want %d: %v", len(got), mostStores+3, got)
		}
	})
}

// Who left with the words is named, and no one waits for them. Who left before they came is not, and who joined after
// the purge never had them.
func TestWhoLeftMayHaveTheWords(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := context.WithoutCancel(p.Context())
		p.now = time.Now().Add(-time.Hour)
		ann := p.joins("ann", "", "")
		space := ann.home()
		early := p.joins("early", space, store.Reader)
		if err := p.store.RevokeToken(ctx, tokens(p, early)[0].ID, early.key.DID(), p.now); err != nil {
			p.Fatal(err)
		}
		p.now = time.Now()
		secret := ann.believes(p, space, "the password is swordfish")
		ann.mustSync(p)
		left, ended, stolen := p.joins("left", space, store.Reader), p.joins("ended", space, store.Reader),
			p.joins("stolen", space, store.Reader)
		ended.mustSync(p)
		p.tells(ended, space)
		for _, err := range []error{
			p.store.RemoveMember(ctx, space, left.key.DID()), p.store.EndAccount(ctx, ended.key.DID(), p.now),
			p.store.RevokeToken(ctx, tokens(p, stolen)[0].ID, stolen.key.DID(), p.now),
		} {
			if err != nil {
				p.Fatal(err)
			}
		}
		in := p.purgesFor(ann, secret)
		ann.mustSync(p)
		p.tells(ann, space)
		p.now = time.Now().Add(time.Hour)
		p.joins("late", space, store.Reader)
		got, all := p.states(ann, in)
		wantStates(p, "after they left", got, map[string]string{
			"ann store-of-ann": peer.MachineErased, "left ": peer.MachineLeft, "ended store-of-ended": peer.MachineLeft,
			"stolen ": peer.MachineLeft,
		})
		for _, m := range all.Machines {
			if m.State == peer.MachineLeft && m.Left.IsZero() {
				p.Errorf("%s left, and it is not said when: %+v", m.Name, m)
			}
		}
	})
}

// tokens returns the tokens of a person.
func tokens(p *place, who *person) []store.Token {
	p.Helper()
	return must[[]store.Token](p)(p.store.Tokens(p.Context(), who.key.DID()))
}

// While a space is archived no purge arrives: the hub says that, and that it has the words.
func TestAnArchivedSpaceSaysThatNoPurgeArrives(t *testing.T) {
	everyHub(t, func(p *place) {
		p.now = time.Now()
		ann := p.joins("ann", "", "")
		secret := ann.believes(p, ann.home()+"-plans", "the password is swordfish")
		ann.mustSync(p)
		if err := p.store.Archive(p.Context(), secret.Header.Space, p.now); err != nil {
			p.Fatal(err)
		}
		p.now = p.now.Add(2 * archivedFor)
		in := p.purgesFor(ann, secret)
		ann.mustSync(p)
		_, got := p.states(ann, in)
		if !got.Archived || len(got.Records) != 1 || !got.Records[0].Words || got.Records[0].Mark {
			p.Errorf("the hub says %+v, want an archived space with the words", got)
		}
	})
}

// A purge by somebody who may not erase the words erased them on no machine, whatever it took.
func TestAPurgeThatErasesNothingIsNotErased(t *testing.T) {
	everyHub(t, func(p *place) {
		p.now = time.Now()
		ann := p.joins("ann", "", "")
		space := ann.home()
		words := ann.believes(p, space, "herons fish at dawn")
		ann.mustSync(p)
		bob := p.joins("bob", space, store.Writer)
		bob.mustSync(p)
		in := p.purgesFor(bob, words)
		for range 2 {
			bob.mustSync(p)
			ann.mustSync(p)
		}
		p.tells(ann, space)
		p.tells(bob, space)
		got, all := p.states(ann, in)
		if !all.Records[0].Words || !all.Records[0].Mark {
			p.Fatalf("the hub says %+v, want words and a mark", all.Records)
		}
		wantStates(p, "a purge that counts nowhere", got, map[string]string{
			"ann store-of-ann": peer.MachinePending, "bob store-of-bob": peer.MachinePending,
		})
	})
}

// Of a purge that counts nowhere and came before one that counts, a machine that took only the first has the
// words, and is not said to have erased them.
func TestAPurgeThatCountsNowhereConfirmsNoMachine(t *testing.T) {
	everyHub(t, func(p *place) {
		p.now = time.Now()
		ann := p.joins("ann", "", "")
		space := ann.home()
		words := ann.believes(p, space, "herons fish at dawn")
		ann.mustSync(p)
		bob, cleo := p.joins("bob", space, store.Writer), p.joins("cleo", space, store.Writer)
		for _, who := range []*person{bob, cleo} {
			who.mustSync(p)
		}
		in := p.purgesFor(bob, words) // of another's words: it erases in his own store alone
		for _, who := range []*person{bob, cleo, ann} {
			who.mustSync(p)
			p.tells(who, space)
		}
		counts := p.purgesFor(ann, words)
		in.Purges[0].Marks = append(in.Purges[0].Marks, counts.Purges[0].Marks...)
		ann.mustSync(p)
		ann.mustSync(p)
		p.tells(ann, space)
		got, all := p.states(ann, in)
		if all.Records[0].Words || !all.Records[0].Mark {
			p.Fatalf("the hub says %+v, want a mark and no words", all.Records)
		}
		wantStates(p, "before the purge that counts", got, map[string]string{
			"ann store-of-ann": peer.MachineErased, "bob store-of-bob": peer.MachinePending,
			"cleo store-of-cleo": peer.MachinePending,
		})
		if it, err := cleo.Get(p.Context(), words.ID); err != nil || it[0].Record == nil {
			p.Fatalf("cleo has no words: %v", err)
		}
		cleo.mustSync(p)
		p.tells(cleo, space)
		if got, _ = p.states(ann, in); got["cleo store-of-cleo"] != peer.MachineErased {
			p.Errorf("after it: %v", got)
		}
	})
}

// A purge by a clock that is fast erases at the hub when its time has come, without a push: it is asked then.
func TestAHubThatIsAskedCarriesOutWhatCameDue(t *testing.T) {
	now := start.Add(24 * time.Hour)
	h, err := hubstore.Open(t.Context(), filepath.Join(t.TempDir(), "hub.db"), sqlstore.Options{
		Now: func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	p := serveHub(t, h)
	ann := p.joins("ann", "", "")
	space := ann.home()
	words := ann.believes(p, space, "herons fish at dawn")
	ann.mustSync(p)
	ann.made = int((26 * time.Hour).Seconds()) // two hours ahead
	in := p.purgesFor(ann, words)
	ann.mustSync(p)
	for _, want := range []bool{true, false} {
		if _, all := p.states(ann, in); all.Records[0].Words != want || !all.Records[0].Mark {
			p.Errorf("the hub says %+v, want words %v", all.Records, want)
		}
		now = now.Add(3 * time.Hour)
	}
	if it, err := h.Within(t.Context(), store.Sight{Reads: []string{space}}); err != nil {
		t.Error(err)
	} else if held, err := it.Get(t.Context(), words.ID); err != nil || held[0].Record != nil {
		t.Errorf("the hub has the words: %v", err)
	}
}
