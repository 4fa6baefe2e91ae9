package trust

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A stage is a cast whose records are in a store.
type stage struct {
	*cast
	*Scores
	store *memstore.Store
}

func newStage(t testing.TB) *stage {
	c := newCast(t)
	now := func() time.Time { return noon }
	s := &stage{cast: c, store: memstore.Open(now)}
	s.Scores = New(&core.Core{
		Common: &core.Common{Me: &core.Self{Principal: c.owner.did}}, Store: s.store, C: core.Config{Now: now},
	}, &Scored{})
	grant, _ := c.Ring.Delegated(c.agent.grant)
	s.keep(grant.Record, c.write(c.owner, introduces(c.friend, "Ann")))
	return s
}

func introduces(a actor, name string) *memory.Key {
	return &memory.Key{Op: memory.OpIntroduce, Key: a.did, Name: name}
}

// keep stores records.
func (s *stage) keep(rs ...*memory.Record) {
	s.Helper()
	if _, err := s.store.Append(s.cast.TB.Context(), store.Batch{Records: rs}); err != nil {
		s.Fatal(err)
	}
}

// says writes a record and stores it.
func (s *stage) says(by actor, b memory.Body, change ...func(*memory.Header)) *memory.Record {
	s.Helper()
	r := s.write(by, b, change...)
	s.keep(r)
	return r
}

func (s *stage) look() *Reading { return s.Reading(s.cast.TB.Context()) }

// get returns records as the store has them.
func (s *stage) get(rs ...*memory.Record) []*store.Item {
	s.Helper()
	var ids []memory.ID
	for _, r := range rs {
		ids = append(ids, r.ID)
	}
	items, err := s.store.Get(s.cast.TB.Context(), ids...)
	if err != nil {
		s.Fatal(err)
	}
	return items
}

func (s *stage) who() *Context {
	s.Helper()
	who, err := s.look().TrustContext()
	if err != nil {
		s.Fatal(err)
	}
	return who
}

func witnesses(r *memory.Record, says string) *memory.Witness {
	return &memory.Witness{Of: r.Ref(), Attestation: says}
}

func marks(r *memory.Record, verb string) *memory.Mark {
	of := r.Ref()
	return &memory.Mark{Verb: verb, Of: &of}
}

// What others confirm of an author's words upholds them; a dispute that the reader upholds, and a verdict that the
// reader rejects, count against who said it. An agent's word moves nobody's record.
func TestARecordOfWhatBecameOfWords(t *testing.T) {
	for what, tt := range map[string]struct {
		play           func(s *stage, hers *memory.Record)
		upheld, failed int // of the friend
		mine           int // failed of the reader
		spoken         bool
	}{
		"nothing said": {func(s *stage, hers *memory.Record) {}, 0, 0, 0, false},
		"anchored": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, &memory.Anchor{Of: hers.Ref(), Type: "url", Reference: "https://a.test"})
		}, 0, 0, 0, true},
		"confirmed": {func(s *stage, hers *memory.Record) { s.says(s.owner, witnesses(hers, score.Confirm)) }, 1, 0, 0, true},
		"confirmed, and again": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, witnesses(hers, score.Confirm))
			s.says(s.owner, witnesses(hers, score.Confirm))
			s.says(s.agent, witnesses(hers, score.Confirm))
		}, 1, 0, 0, true},
		"confirmed twice": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, witnesses(hers, score.Confirm))
			s.says(s.owner, witnesses(s.says(s.friend, belief(host)), score.Confirm))
		}, 2, 0, 0, true},
		"confirmed in words that were purged": {func(s *stage, hers *memory.Record) {
			w := s.says(s.owner, witnesses(hers, score.Confirm))
			if _, err := s.store.Append(s.cast.TB.Context(), store.Batch{
				Records: []*memory.Record{s.write(s.owner, marks(w, memory.Purge))}, Purge: []memory.ID{w.ID},
			}); err != nil {
				s.Fatal(err)
			}
		}, 0, 0, 0, false},
		"confirmed by a stranger": {func(s *stage, hers *memory.Record) {
			s.says(s.unknown, witnesses(hers,
				score.Confirm))
		}, 0, 0, 0, true},
		"confirmed by an agent": {func(s *stage, hers *memory.Record) {
			s.says(s.agent, witnesses(hers,
				score.Confirm))
		}, 0, 0, 0, true},
		"confirmed by its own author": {func(s *stage, hers *memory.Record) {
			s.says(s.friend, witnesses(hers,
				score.Confirm))
		}, 0, 0, 0, true},
		"confirmed and rejected": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, witnesses(hers, score.Confirm))
			s.says(s.owner, marks(hers, memory.Reject))
		}, 0, 0, 0, true},
		"confirmed and quarantined": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, witnesses(hers, score.Confirm))
			s.says(s.owner, marks(hers, memory.Quarantine))
		}, 0, 0, 0, true},
		"disputed": {func(s *stage, hers *memory.Record) { s.says(s.owner, witnesses(hers, score.Dispute)) }, 0, 0, 0, true},
		"a dispute that is upheld": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, marks(s.says(s.owner, witnesses(hers, score.Dispute)), memory.Approve))
		}, 0, 1, 0, true},
		"an agent's dispute that is upheld": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, marks(s.says(s.agent, witnesses(hers, score.Dispute)), memory.Approve))
		}, 0, 0, 0, true},
		"a confirmation that is upheld": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, marks(s.says(s.owner, witnesses(hers, score.Confirm)), memory.Approve))
		}, 1, 0, 0, true},
		"a verdict that is rejected": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, marks(s.says(s.owner, witnesses(hers, score.Dispute)), memory.Reject))
		}, 0, 0, 1, true},
		"a friend's verdict that is rejected": {func(s *stage, hers *memory.Record) {
			s.says(s.owner, marks(s.says(s.friend, witnesses(s.says(s.owner, belief(host)), score.Dispute)), memory.Reject))
		}, 0, 1, 0, true},
	} {
		s := newStage(t)
		tt.play(s, s.says(s.friend, belief(port)))
		who := s.who()
		if who.Upheld[s.friend.did] != tt.upheld || who.Failed[s.friend.did] != tt.failed ||
			who.Failed[s.owner.did] != tt.mine || who.spoken != tt.spoken {
			t.Errorf("%s: upheld %v, failed %v, spoken %v; want %d and %d of the friend, %d of the reader, %v",
				what, who.Upheld, who.Failed, who.spoken, tt.upheld, tt.failed, tt.mine, tt.spoken)
		}
		if who.NameOf(s.friend.did) != "Ann" || !who.Knows(s.friend.did) || who.Knows(s.unknown.did) {
			t.Errorf("%s: the friend is %q", what, who.NameOf(s.friend.did))
		}
	}
}

// A context is read again when something was written or a minute has passed, and counted once somebody asks for it.
func TestAContextIsKeptForAMinute(t *testing.T) {
	s := newStage(t)
	at := noon
	s.C.Now = func() time.Time { return at }
	of := func(get func(*Reading) (*Context, error)) *Context {
		t.Helper()
		who, err := get(s.look())
		if err != nil {
			t.Fatal(err)
		}
		return who
	}
	voices, full := (*Reading).Voices, (*Reading).TrustContext
	first := of(voices)
	if first.counted || of(voices) != first {
		t.Error("voices are counted, or read twice")
	}
	counted := of(full)
	if !counted.counted || first.counted || of(full) != counted || of(voices) != counted {
		t.Error("what is counted is not kept, or changed what others read")
	}
	at = at.Add(30 * time.Second)
	if of(full) != counted {
		t.Error("within the minute it is read again")
	}
	at = at.Add(30 * time.Second)
	later := of(full)
	if later == counted {
		t.Error("after the minute it is not read again")
	}
	s.says(s.owner, belief(port))
	if of(full) == later {
		t.Error("after a write it is not read again")
	}
	s.says(s.owner, belief(host))
	rd := s.look()
	one, _ := rd.Voices()
	if two, _ := rd.TrustContext(); two == one || !two.counted {
		t.Error("a reading of voices does not come to be counted")
	}
	if rd.Again() == rd || s.Reading(rd) != rd {
		t.Error("a reading is not kept, or not left")
	}
}

func TestAKeyIsNamed(t *testing.T) {
	s := newStage(t)
	bob, other := actor{did: didOf(7), origin: memory.OriginOwner}, actor{did: didOf(8), origin: memory.OriginOwner}
	s.says(s.owner, introduces(bob, "Bob"))
	s.says(s.owner, introduces(other, "Bob"))
	s.says(s.friend, introduces(s.unknown, "Cleo"))
	s.says(s.owner, introduces(s.friend, "Ann")) // once more
	who := s.who()
	for name, want := range map[string]struct {
		did  string
		kind error
	}{
		"Ann": {s.friend.did, nil}, s.unknown.did: {s.unknown.did, nil}, "did:key:z6Mk": {"", api.ErrInvalid},
		"ssh-ed25519 AAAA": {"", api.ErrInvalid}, "Cleo": {"", api.ErrNotFound}, "Bob": {"", api.ErrAmbiguous},
		strings.Repeat("x", 81): {"", api.ErrNotFound},
	} {
		did, err := s.KeyNamed(who, name)
		if did != want.did || !errors.Is(err, want.kind) || want.kind == nil && err != nil {
			t.Errorf("%.20s is %q, %v; want %q, %v", name, did, err, want.did, want.kind)
		}
		if len(name) > 80 && strings.Contains(err.Error(), name) {
			t.Errorf("a long name is said in full: %v", err)
		}
	}
}

// Whom a keeper vouches for, by whom, in which space, and for how long.
func TestAKeeperVouchesForMembers(t *testing.T) {
	const vouch, unvouch = VouchVerb, UnvouchVerb
	for what, tt := range map[string]struct {
		play func(s *stage, team string, say func(by actor, verb, value string))
		want map[string]string // names by principal: the keeper, "Bob" for the stranger
	}{
		"nobody": {func(s *stage, team string, say func(by actor, verb, value string)) {}, nil},
		"one": {func(s *stage, _ string, say func(by actor, verb, value string)) { say(s.friend, vouch, "Bob") },
			map[string]string{"x": "Bob"}},
		"renamed": {func(s *stage, _ string, say func(by actor, verb, value string)) {
			say(s.friend, vouch, "Bob")
			say(s.friend, vouch, "Ray")
		}, map[string]string{"x": "Ray"}},
		"taken back": {func(s *stage, _ string, say func(by actor, verb, value string)) {
			say(s.friend, vouch, "Bob")
			say(s.friend, unvouch, "")
		}, nil},
		"vouched for again": {func(s *stage, _ string, say func(by actor, verb, value string)) {
			say(s.friend, unvouch, "")
			say(s.friend, vouch, "Bob")
		}, map[string]string{"x": "Bob"}},
		"by somebody else": {func(s *stage, _ string, say func(by actor, verb, value string)) {
			say(s.unknown, vouch,
				"Bob")
		}, nil},
		"another mark": {func(s *stage, _ string, say func(by actor, verb, value string)) {
			say(s.friend,
				"praise", "Bob")
		}, nil},
		"before they kept it":    {nil, nil},
		"by the keeper's agent":  {nil, nil},
		"in another space":       {nil, nil},
		"without the acceptance": {nil, nil},
		"without the keeper":     {nil, nil},
	} {
		s := newStage(t)
		team := s.owner.did + "/team"
		in := func(h *memory.Header) { h.Space = team }
		say := func(by actor, verb, value string) {
			s.says(by, &memory.Mark{Verb: verb, Target: "author:" + s.unknown.did, Value: value}, in)
		}
		appoint := func() { s.says(s.owner, introduces(s.friend, state.AppointmentName(team)), in) }
		accept := func() { s.says(s.owner, introduces(s.friend, state.AcceptanceName(team))) }
		switch what {
		case "before they kept it":
			say(s.friend, vouch, "Bob")
			appoint()
			accept()
		case "by the keeper's agent":
			appoint()
			accept()
			hers := actor{did: didOf(9), origin: memory.OriginAgent}
			hers.grant = s.says(s.friend, &memory.Key{
				Op: memory.OpDelegate, Key: hers.did, Origins: []memory.Origin{memory.OriginAgent},
			}, in).ID
			say(hers, vouch, "Bob")
		case "in another space":
			appoint()
			accept()
			in = func(h *memory.Header) { h.Space = s.owner.did + "/other" }
			say(s.friend, vouch, "Bob")
		case "without the acceptance":
			appoint()
			say(s.friend, vouch, "Bob")
		case "without the keeper":
			accept()
			say(s.friend, vouch, "Bob")
		default:
			appoint()
			accept()
			tt.play(s, team, say)
		}
		who := s.who()
		name, by := who.VouchedBy(s.unknown.did, team)
		if want := tt.want["x"]; name != want || (by == s.friend.did) != (want != "") {
			t.Errorf("%s: %q by %q, want %q", what, name, by, want)
		}
		_, keeper := who.VouchedBy(s.friend.did, team)
		if want := what != "without the acceptance" && what != "without the keeper"; (keeper == s.friend.did) != want {
			t.Errorf("%s: the keeper is a member by %q", what, keeper)
		}
		said, err := s.Vouched(s.look(), who.Ring, s.friend.did, team)
		if err != nil || what != "without the acceptance" && !maps.Equal(said, byDID(tt.want, s.unknown.did)) {
			t.Errorf("%s: the keeper says %v, %v", what, said, err)
		}
	}
	s := newStage(t)
	if team := s.owner.did + "/team"; !KeepsSpace(s.cast.Ring, s.owner.did, team) || KeepsSpace(s.cast.Ring,
		s.friend.did, team) {
		t.Error("another than its owner keeps a space")
	}
}

func byDID(names map[string]string, did string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[did] = name
	}
	return out
}

// What somebody said of others' records, and which of their decisions do not count any more.
func TestDecisionsOfAFormerKeeper(t *testing.T) {
	s := newStage(t)
	team := s.owner.did + "/team"
	in := func(h *memory.Header) { h.Space = team }
	mine, hers := s.says(s.owner, belief(port), in), s.says(s.friend, belief(host), in)
	appointment := s.says(s.owner, introduces(s.friend, state.AppointmentName(team)), in)
	said := []*memory.Record{
		s.says(s.friend, marks(mine, memory.Reject), in),
		s.says(s.friend, marks(hers, memory.Reject), in),
		s.says(s.friend, &memory.Verify{Of: mine.Ref()}, in),
		s.says(s.friend, &memory.Assess{Of: mine.Ref(), Step: 100, Reason: "it is so"}, in),
		s.says(s.friend, &memory.Belief{Statement: "other"}, in, func(h *memory.Header) {
			h.Provenance.Via, h.Provenance.From, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{mine.Ref()},
				[]memory.Ref{mine.Ref()}
		}),
		s.says(s.friend, introduces(s.unknown, "Cleo"), in),
		s.says(s.friend, witnesses(mine, score.Confirm), in),
	}
	s.says(s.owner, marks(hers, memory.Approve), in)
	s.says(s.friend, marks(mine, memory.Approve)) // in another space
	ring := s.who().Ring
	got, err := s.SaidOfOthers(s.look(), ring, s.friend.did, team)
	if err != nil {
		t.Fatal(err)
	}
	want := []*memory.Record{said[0], said[2], said[3], said[4], said[5]}
	if !slices.EqualFunc(got, want, func(a, b *memory.Record) bool { return a.ID == b.ID }) {
		t.Errorf("%d were said of others, want %d", len(got), len(want))
	}
	if all, err := s.Uncounted(s.look(), ring, s.friend.did, nil); err != nil || len(all) != 0 {
		t.Errorf("of a keeper %v do not count, %v", all, err)
	}
	of := appointment.Ref()
	s.says(s.owner, &memory.Key{Op: memory.OpRevoke, Key: s.friend.did, Of: &of, Reason: memory.Superseded}, in)
	late := s.says(s.friend, marks(mine, memory.Protect), in, func(h *memory.Header) { h.At = memory.At(noon) })
	s.says(s.friend, &memory.Verify{Of: mine.Ref()}, in, func(h *memory.Header) { h.At = memory.At(noon) })
	ring = s.who().Ring
	all, err := s.Uncounted(s.look(), ring, s.friend.did, nil)
	if err != nil || len(all) != 1 || all[0].Space != team || !slices.Contains(all[0].Refs, late.Ref()) ||
		slices.Contains(all[0].Refs, said[2].Ref()) {
		t.Errorf("of a former keeper %+v do not count, %v", all, err)
	}
	if all, err := s.Uncounted(s.look(), ring, s.friend.did, map[string]memory.Time{team: {}}); err != nil ||
		len(all) != 0 {
		t.Errorf("without that space %v do not count, %v", all, err)
	}
	if all, err := s.Uncounted(s.look(), ring, s.owner.did, nil); err != nil || len(all) != 0 {
		t.Errorf("of the owner %v do not count, %v", all, err)
	}
}

// The code refs of a memory are those of the latest verification that pinned some.
func TestCodeIsPinnedByTheLatestVerification(t *testing.T) {
	s := newStage(t)
	sum := strings.Repeat("a", 64)
	ev := func(path string) []memory.Evidence {
		return []memory.Evidence{{Type: core.CodeType, Path: path, SHA256: sum}}
	}
	names := func(path string) func(*memory.Header) {
		return func(h *memory.Header) {
			h.Provenance.Evidence = append(ev(path), memory.Evidence{Type: "url", Reference: "https://a.test"})
		}
	}
	plain := s.says(s.agent, belief("x"))
	never := s.says(s.agent, belief(port), names("a.go"))
	once := s.says(s.agent, belief(host), names("b.go"))
	twice := s.says(s.agent, belief(broker), names("c.go"))
	s.says(s.owner, &memory.Verify{Of: once.Ref(), Evidence: ev("bb.go")})
	s.says(s.owner, &memory.Verify{Of: twice.Ref(), Evidence: ev("cc.go")})
	s.says(s.agent, &memory.Verify{Of: twice.Ref(), Evidence: ev("ccc.go")})
	s.says(s.owner, &memory.Verify{Of: twice.Ref(), Evidence: ev("old.go")}, func(h *memory.Header) {
		h.At = memory.At(noon.Add(-2 * time.Hour))
	})
	s.says(s.unknown, &memory.Verify{Of: twice.Ref(), Evidence: ev("theirs.go")})
	s.says(s.owner, &memory.Verify{Of: twice.Ref(), Result: "changed", Evidence: ev("bad.go")})
	s.says(s.owner, &memory.Verify{Of: twice.Ref()})
	items := append(s.get(plain, never, once, twice), nil, &store.Item{})
	got, err := s.Pinned(s.look(), items)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "a.go", "bb.go", "ccc.go", "", ""} {
		path := ""
		if len(got[i]) == 1 {
			path = got[i][0].Path
		}
		if path != want || len(got[i]) > 1 {
			t.Errorf("%d is pinned to %v, want %q", i, got[i], want)
		}
	}
	if tree, _, err := s.WorkTree(s.look()); tree != nil || err != nil {
		t.Errorf("nowhere there is a tree: %v, %v", tree, err)
	}
	if _, err := s.Pins(s.look(), []string{"a.go"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("nowhere code is pinned: %v", err)
	}
	if pins, err := s.Pins(s.look(), nil); pins != nil || err != nil {
		t.Errorf("nothing is pinned to %v, %v", pins, err)
	}
}

// Code is pinned to the bytes that it has in the directory where the user stands.
func TestCodeIsPinnedToItsBytes(t *testing.T) {
	s := newStage(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nfunc F() {}\n", "b.go": "package a\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.C.Dir, s.C.Root, s.C.Cache = dir, dir, t.TempDir()
	pins, err := s.Pins(s.look(), []string{"a.go#F", "b.go"})
	if err != nil || len(pins) != 2 || pins[0].Path != "a.go" || pins[0].Symbol != "F" || pins[0].SHA256 == "" ||
		pins[1].Path != "b.go" || pins[1].SHA256 == pins[0].SHA256 {
		t.Errorf("pinned to %+v, %v", pins, err)
	}
	if kept, err := os.Stat(filepath.Join(s.C.Cache, ChecksDir)); err != nil || kept.Mode().Perm() != 0o700 {
		t.Errorf("what was found is kept in %v, %v", kept, err)
	}
	tree, cache, err := s.WorkTree(s.look())
	if err != nil || tree == nil || cache == nil {
		t.Errorf("the tree is %v with the cache %v, %v", tree, cache, err)
	}
	if again, _, _ := s.WorkTree(s.look()); again != tree {
		t.Error("the tree is opened twice")
	}
	for ref, want := range map[string]error{"c.go": api.ErrNotFound, "a.go#G": api.ErrNotFound,
		"../a.go": api.ErrInvalid} {
		if _, err := s.Pins(s.look(), []string{ref}); !errors.Is(err, want) {
			t.Errorf("%s is pinned: %v, want %v", ref, err, want)
		}
	}
}

// What is behind a memory is read, one level after the other, and what nobody vouches for is not.
func TestWhatIsBehindAMemoryIsRead(t *testing.T) {
	s := newStage(t)
	outside := s.says(s.unknown, belief(broker))
	one := s.says(s.agent, belief(port), from(s.get(outside)...))
	two := s.says(s.agent, belief(host), from(s.get(one)...))
	top := s.says(s.agent, belief("top"), from(s.get(two)...))
	theirs := s.says(s.unknown, belief("theirs"), from(s.get(s.says(s.friend, belief("alone")))...))
	rated, err := s.Rate(s.look(), s.get(top), false)
	if err != nil {
		t.Fatal(err)
	}
	if v := rated[top.ID]; !v.Tainted || v.Facts.Limit == nil || v.Facts.Limit.Missing ||
		v.Facts.Limit.Ref.ID != outside.ID {
		t.Errorf("three steps above a stranger's it is %+v, limited by %+v", v.Tainted, v.Facts.Limit)
	}
	s.says(s.owner, marks(outside, memory.Approve))
	if rated, err = s.Rate(s.look(), s.get(top), false); err != nil || rated[top.ID].Tainted {
		t.Errorf("after an approval it is tainted: %v", err)
	}
	// as it was before
	at := top.Header.At.Time()
	asOf, err := s.AsOf(s.look(), s.get(top)[0], at)
	if err != nil {
		t.Fatal(err)
	}
	if rated, err = s.RateAt(s.look(), []*store.Item{asOf}, at, false); err != nil || !rated[top.ID].Tainted {
		t.Errorf("before the approval it is not tainted: %v", err)
	}
	items := append(s.get(top, theirs), nil)
	if rated, err = s.RateVouched(s.look(), items); err != nil || len(rated) != 2 || rated[top.ID].Tainted {
		t.Errorf("where only what counts is read: %d ratings, %v", len(rated), err)
	}
	if got := rated[theirs.ID]; !got.Tainted || got.Facts.Limit == nil || !got.Facts.Limit.Missing {
		t.Errorf("what nobody vouches for is read behind: %+v", got.Facts.Limit)
	}
	// something that counts rests on what nobody vouches for: then it is read
	above := s.says(s.agent, belief("above"), from(s.get(theirs)...))
	if rated, err = s.RateVouched(s.look(), s.get(theirs, above)); err != nil || rated[theirs.ID].Facts.Limit.Missing {
		t.Errorf("what something rests on is not read behind: %v, %+v", err, rated[theirs.ID].Facts.Limit)
	}
	// purged words are known to be gone
	raw := s.says(s.owner, captured("take 9443"))
	kept := s.says(s.agent, belief("of words"), from(s.get(raw)...))
	purge := s.write(s.owner, marks(raw, memory.Purge))
	if _, err := s.store.Append(t.Context(), store.Batch{
		Records: []*memory.Record{purge}, Purge: []memory.ID{raw.ID},
	}); err != nil {
		t.Fatal(err)
	}
	if rated, err = s.Rate(s.look(), s.get(kept), false); err != nil || rated[kept.ID].Tainted ||
		!rated[kept.ID].State.AnyRaw {
		t.Errorf("of purged words it is %+v, %v", rated[kept.ID], err)
	}
}

// Who asks for one sees all that was said of it; of many only what may count.
func TestWhatWasSaidIsRead(t *testing.T) {
	s := newStage(t)
	one, two := s.says(s.friend, belief(port)), s.says(s.friend, belief(host))
	for _, r := range []*memory.Record{one, two} {
		s.says(s.agent, witnesses(r, score.Confirm)) // an agent's word of what another wrote
		s.says(s.owner, &memory.Link{Source: one.Ref(), Target: two.Ref(), Relation: "extend"})
	}
	said := s.says(s.owner, witnesses(one, score.Dispute))
	s.says(s.owner, marks(said, memory.Reject))
	s.says(s.owner, &memory.Anchor{Of: one.Ref(), Type: "url", Reference: "https://a.test"})
	for n, want := range map[int]string{1: "2 1", 2: "2 1"} {
		rated, err := s.Rate(s.look(), s.get(one, two)[:n], false)
		if err != nil {
			t.Fatal(err)
		}
		v := rated[one.ID]
		if got := fmt.Sprint(len(v.Facts.Verdicts), " ", len(v.Facts.Anchors)); got != want {
			t.Errorf("of %d asked for, the first has %s, want %s", n, got, want)
		}
		if v.Disputed || v.DisputeVoices != 0 {
			t.Errorf("a verdict that was rejected disputes it: %+v", v.Result)
		}
	}
	own := s.says(s.agent, belief(broker))
	s.says(s.agent, witnesses(own, score.Confirm)) // which counts for nothing
	for n, want := range map[int]int{1: 1, 2: 0} {
		rated, err := s.Rate(s.look(), s.get(own, one)[:n], false)
		if err != nil || len(rated[own.ID].Facts.Verdicts) != want {
			t.Errorf("of %d asked for, what was said of the first is %d, %v", n, len(rated[own.ID].Facts.Verdicts), err)
		}
	}
	claims, err := s.look().Speaking([]memory.ID{one.ID, two.ID}, memory.KindWitness)
	if err != nil || len(claims) != 3 {
		t.Errorf("%d witnesses speak, %v", len(claims), err)
	}
	if claims, err = s.look().Speaking(nil, memory.KindWitness); err != nil || len(claims) != 0 {
		t.Errorf("of nothing %d speak, %v", len(claims), err)
	}
}

// A verification by an agent does not hide a person's, where both are held.
func TestBothVerificationsAreRead(t *testing.T) {
	s := newStage(t)
	ev := []memory.Evidence{{Type: core.CodeType, Path: "a.go", SHA256: strings.Repeat("a", 64)}}
	r := s.says(s.agent, belief(port), func(h *memory.Header) { h.Provenance.Evidence = ev })
	s.says(s.owner, &memory.Verify{Of: r.Ref(), Evidence: ev})
	s.says(s.agent, &memory.Verify{Of: r.Ref(), Evidence: ev})
	rated, err := s.Rate(s.look(), s.get(r), false)
	if err != nil || rated[r.ID].State.AgentVerified || rated[r.ID].State.VerifiedBy != s.owner.did {
		t.Errorf("verified by %s, an agent %v, %v", rated[r.ID].State.VerifiedBy, rated[r.ID].State.AgentVerified, err)
	}
	alone := s.says(s.agent, belief(host))
	s.says(s.agent, &memory.Verify{Of: alone.Ref()})
	if rated, err = s.Rate(s.look(), s.get(alone), false); err != nil || !rated[alone.ID].State.AgentVerified {
		t.Errorf("verified by an agent alone: %+v, %v", rated[alone.ID].State, err)
	}
}

func TestOutsideWordsBeforeAMemory(t *testing.T) {
	s := newStage(t)
	page := s.says(s.tool, captured("the host is asleep"), ofPage)
	own := s.says(s.agent, belief(port))
	r := s.says(s.agent, belief(host), shown(s.get(page, own)...), func(h *memory.Header) {
		h.Recalled = append(h.Recalled, memory.ID{7})
		slices.SortFunc(h.Recalled, memory.ID.Compare)
	})
	before, err := s.OutsideBefore(s.look(), s.get(r)[0])
	if err != nil || len(before) != 1 || before[0].Ref.ID != page.ID {
		t.Errorf("before it were %d outside records, %v", len(before), err)
	}
	names, err := s.SourcesOf(s.look(), append(s.get(page, r), nil))
	if err != nil || strings.Join(names, ", ") != "wiki.test, words of others" {
		t.Errorf("they come from %q, %v", names, err)
	}
}

// As of a time counts what held then, and a strict reading looks at signatures.
func TestARatingIsOfItsTime(t *testing.T) {
	s := newStage(t)
	r := s.says(s.agent, belief(port), func(h *memory.Header) { h.ValidUntil = memory.At(noon.Add(-time.Minute)) })
	for at, want := range map[time.Time]string{{}: "held until 2026-03-01", noon.Add(-2 * time.Minute): "",
		noon: "held until 2026-03-01"} {
		rated, err := s.RateAt(s.look(), s.get(r), at, false)
		if err != nil || rated[r.ID].Over != want {
			t.Errorf("at %v it is over: %q, %v", at, rated[r.ID].Over, err)
		}
	}
	for strict, want := range map[bool]score.Level{false: score.Unverified, true: score.Rejected} {
		rated, err := s.Rate(s.look(), s.get(r), strict)
		if err != nil || rated[r.ID].Level != want {
			t.Errorf("its signature is none, and strict %v it is %s, %v", strict, rated[r.ID].Level, err)
		}
	}
	for of, want := range map[error]error{code.ErrInvalid: api.ErrInvalid, code.ErrNotFound: api.ErrNotFound,
		errTorn: errTorn} {
		if got := SortedCode(fmt.Errorf("a.go: %w", of)); !errors.Is(got, want) {
			t.Errorf("%v is %v", of, got)
		}
	}
}

// Nobody looks where there are no keys.
func TestWithoutKeysNobodyLooks(t *testing.T) {
	s := newStage(t)
	s.Me = nil
	if who := s.who(); who.Root != "" || who.Knows(s.owner.did) {
		t.Errorf("without keys %q looks", who.Root)
	}
}
