package state

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// TestFoldShuffled: the order in which claims arrive never matters, not even
// when their times are equal.
func TestFoldShuffled(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Belief{Statement: "the sky is blue"})
	about := fortyClaims(s, r, owner, agent)
	want := s.fold(r, about...)
	if want.Verifications == 0 || want.Disputes == 0 || want.SupersededBy.IsZero() || want.Confidence == 600 {
		t.Fatalf("the claims do too little to test anything: %+v", want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		random.Shuffle(len(about), func(i, j int) { about[i], about[j] = about[j], about[i] })
		if got := s.fold(r, append(about, about[:n%7]...)...); got != want {
			t.Fatalf("shuffle %d: Fold = %+v, want %+v", n, got, want)
		}
	}
}

// fortyClaims makes forty claims and revisions of r, all at one instant.
func fortyClaims(s *scene, r *memory.Record, owner, agent actor) []*memory.Record {
	at, by := noon.Add(time.Minute), []actor{owner, agent, someone(4), someone(5)}
	verbs := []string{
		memory.Approve,
		memory.Reject,
		memory.Forget,
		memory.Recover,
		memory.Protect,
		memory.Unprotect,
		memory.Status,
		memory.Done,
	}
	var out []*memory.Record
	for i := range 5 {
		for j, v := range memory.Attestations {
			out = append(out, s.write(by[(i+j)%len(by)], at, &memory.Witness{Of: r.Ref(), Attestation: v}))
		}
		out = append(out,
			s.write(by[i%2], at, &memory.Verify{Of: r.Ref()}),
			s.write(by[i%2], at, &memory.Assess{Of: r.Ref(), Step: 20 + i}),
			s.write(by[i%2], at, &memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(100 * i))}),
			s.write(by[i%2], at, &memory.Mark{Of: ref(r), Verb: verbs[i], Value: "x"}),
			s.revise(by[i%2], at, "grey", r))
	}
	h := s.header(owner, at)
	h.Provenance.Supersedes = []memory.Ref{out[5].Ref()} // an assessment takes back another
	return append(out[:len(out)-1], s.make(h, &memory.Assess{Of: r.Ref(), Step: 1}))
}

func TestFoldAhead(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	r := s.write(owner, noon, &memory.Belief{Statement: "x"})
	soon := s.write(owner, noon.Add(5*time.Minute), &memory.Mark{Of: ref(r), Verb: memory.Protect})
	ahead := s.write(owner, noon.Add(6*time.Minute), &memory.Mark{Of: ref(r), Verb: memory.Forget})
	later := s.write(owner, noon.Add(9*time.Minute), &memory.Mark{Of: ref(r), Verb: memory.Done})
	about := []*memory.Record{later, ahead, soon}
	got := Fold(r, about, noon, s.ring)
	if got.Forgotten || got.Done || !got.Protected {
		t.Errorf("at noon: %+v", got)
	}
	if want := memory.At(noon.Add(time.Minute)); got.Due != want {
		t.Errorf("Due = %v, want %v", got.Due, want)
	}
	if got = Fold(r, about, got.Due.Time(), s.ring); !got.Forgotten || got.Done ||
		got.Due != memory.At(noon.Add(4*time.Minute)) {
		t.Errorf("when it is due: %+v", got)
	}
	if got = Fold(r, about, noon.Add(time.Hour), s.ring); !got.Done || !got.Due.IsZero() {
		t.Errorf("an hour later: %+v", got)
	}
}

func TestFoldVerify(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Belief{Statement: "x"})
	midnight := noon.Add(12 * time.Hour)
	var about []*memory.Record
	for _, tt := range []struct {
		by   actor
		at   time.Time
		want memory.Confidence
	}{
		{owner, noon.Add(time.Hour), 700},
		{owner, midnight.Add(-time.Millisecond), 700}, // once a day
		{agent, midnight.Add(-time.Millisecond), 775}, // for one author
		{owner, midnight, 831},                        // the next day
		{someone(4), midnight, 831},                   // a stranger
	} {
		about = append(about, s.write(tt.by, tt.at, &memory.Verify{Of: r.Ref()}))
		if got := s.fold(r, about...); got.Confidence != tt.want {
			t.Errorf("after %v: confidence %d, want %d", tt.at, got.Confidence, tt.want)
		}
	}
	got := s.fold(r, about...)
	if got.Verifications != 4 || got.Verified != memory.At(midnight) || got.VerifiedBy != owner.did || got.AgentVerified {
		t.Errorf("Fold = %+v", got)
	}
	failed := s.write(owner, midnight.Add(time.Hour), &memory.Verify{Of: r.Ref(), Result: "changed"})
	if after := s.fold(r, append(about, failed)...); after != got {
		t.Errorf("a check that failed verified: %+v, want %+v", after, got)
	}
	last := s.write(agent, midnight.Add(time.Hour), &memory.Verify{Of: r.Ref()})
	if after := s.fold(r, append(about, last)...); !after.AgentVerified || after.VerifiedBy != agent.did {
		t.Errorf("verified by an agent: %+v", after)
	}
	h := s.header(owner, noon)
	h.Confidence = memory.Certain
	if after := s.fold(s.make(h, &memory.Belief{Statement: "x"}), last, failed); after.Confidence > memory.Certain {
		t.Errorf("confidence %d, more than certain", after.Confidence)
	}
}

// TestFoldAssess: steps stop at the ends, and what a claim replaces is gone
// whatever the clocks say.
func TestFoldAssess(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Belief{Statement: "x"})
	for step, want := range map[int]memory.Confidence{-601: 0, -600: 0, 1: 601, 400: 1000, 401: 1000} {
		if got := s.fold(r, s.write(owner, noon, &memory.Assess{Of: r.Ref(), Step: step})); got.Confidence != want {
			t.Errorf("600%+d = %d, want %d", step, got.Confidence, want)
		}
	}
	first := s.write(owner, noon.Add(time.Hour), &memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(300))})
	for by, want := range map[actor]memory.Confidence{owner: 700, agent: 300, someone(4): 300} {
		h := s.header(by, noon.Add(time.Minute)) // its clock is behind
		h.Provenance.Supersedes = []memory.Ref{first.Ref()}
		second := s.make(h, &memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(700))})
		if got := s.fold(r, second, first); got.Confidence != want {
			t.Errorf("by %+v: confidence %d, want %d", by, got.Confidence, want)
		}
	}
}

func TestFoldWitness(t *testing.T) {
	owner, bo, cy := someone(1), someone(4), someone(5)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	boAgent := s.delegate(bo, 6, memory.Time{}, memory.OriginAgent)
	unknown := someone(7)
	unknown.grant, unknown.origin = memory.ID{1}, memory.OriginAgent
	r := s.write(agent, noon, &memory.Belief{Statement: "x"})
	say := func(by actor, minute int, what string) *memory.Record {
		return s.write(by, noon.Add(time.Duration(minute)*time.Minute), &memory.Witness{Of: r.Ref(), Attestation: what})
	}
	for _, tt := range []struct {
		name                        string
		about                       []*memory.Record
		confirms, disputes, partial int
	}{
		{"two witnesses", []*memory.Record{say(bo, 1, "confirm"), say(cy, 1, "partial")}, 1, 0, 1},
		{"one says it thrice", []*memory.Record{say(bo, 1, "confirm"), say(bo, 2, "confirm"), say(boAgent, 3, "confirm")},
			1, 0, 0},
		{"the latest counts", []*memory.Record{say(bo, 2, "confirm"), say(bo, 1, "dispute")}, 1, 0, 0},
		{
			"at one instant the graver counts",
			[]*memory.Record{say(bo, 1, "dispute"), say(boAgent, 1, "partial"), say(bo, 1, "confirm")}, 0, 1, 0,
		},
		{"partial is graver than confirm", []*memory.Record{say(bo, 1, "confirm"), say(bo, 1, "partial")}, 0, 0, 1},
		{"no one vouches for themselves", []*memory.Record{say(owner, 1, "confirm"), say(agent, 1, "partial")}, 0, 0, 0},
		{"everybody may retract", []*memory.Record{say(owner, 1, "dispute")}, 0, 1, 0},
		{"a stranger does not count", []*memory.Record{say(unknown, 1, "confirm")}, 0, 0, 0},
	} {
		got := s.fold(r, tt.about...)
		if got.Confirms != tt.confirms || got.Disputes != tt.disputes || got.Partials != tt.partial {
			t.Errorf("%s: %d, %d, %d, want %d, %d, %d", tt.name,
				got.Confirms, got.Disputes, got.Partials, tt.confirms, tt.disputes, tt.partial)
		}
	}
}

// TestGravity tries many pairs, so that the smaller id favours each verdict.
func TestGravity(t *testing.T) {
	bo := someone(4)
	s := newScene(t, someone(1))
	r := s.write(someone(1), noon, &memory.Belief{Statement: "x"})
	for range 16 {
		mild := s.write(bo, noon, &memory.Witness{Of: r.Ref(), Attestation: "confirm"})
		partial := s.write(bo, noon, &memory.Witness{Of: r.Ref(), Attestation: "partial"})
		grave := s.write(bo, noon, &memory.Witness{Of: r.Ref(), Attestation: "dispute"})
		if got := s.fold(r, mild, partial); got.Confirms != 0 || got.Partials != 1 {
			t.Fatalf("confirm and partial: %+v", got)
		}
		if got := s.fold(r, partial, grave, mild); got.Partials != 0 || got.Disputes != 1 {
			t.Fatalf("all three: %+v", got)
		}
	}
}

// TestFoldOpaque: a claim of a newer version takes back nothing, because what
// else it says is not understood.
func TestFoldOpaque(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	r := s.write(owner, noon, &memory.Belief{Statement: "x"})
	old := s.write(owner, noon, &memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(300))})
	h := s.header(owner, noon)
	h.Provenance.Supersedes = []memory.Ref{old.Ref()}
	raw := s.make(h, &memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(700))}).Bytes
	newer := must(memory.Decode(bytes.Replace(raw, []byte(`"v":1`), []byte(`"v":2`), 1)))
	if got := s.fold(r, old, newer); got.Confidence != 300 {
		t.Errorf("confidence %d, want 300", got.Confidence)
	}
}

func TestInitial(t *testing.T) {
	s := newScene(t, someone(1))
	for _, tt := range []struct {
		origin    memory.Origin
		body      memory.Body
		review    Review
		protected bool
	}{
		{memory.OriginOwner, &memory.Belief{Statement: "x"}, ReviewNone, false},
		{memory.OriginAgent, &memory.Belief{Statement: "x"}, ReviewPending, false},
		{memory.OriginImport, &memory.Value{Name: "x"}, ReviewPending, true},
		{memory.OriginTool, &memory.Raw{Text: "x"}, ReviewNone, false},
		{memory.OriginAgent, &memory.Mark{Target: "source:x", Verb: memory.Forget}, ReviewNone, true},
	} {
		h := s.header(someone(1), noon)
		h.Origin = tt.origin
		if got, want := Initial(s.make(h, tt.body)), (State{
			Confidence: 600, Review: tt.review, Protected: tt.protected,
		}); got != want {
			t.Errorf("Initial(%s %s) = %+v, want %+v", tt.origin, memory.KindOf(tt.body), got, want)
		}
	}
}
