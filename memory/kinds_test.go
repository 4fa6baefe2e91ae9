package memory

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// speaking returns a body of kind k that speaks of r, or the sample if it is a
// memory.
func speaking(k Kind, r *Record) Body {
	to := Confidence(800)
	switch k {
	case KindLink:
		return &Link{Source: r.Ref(), Target: refTo(KindBelief, 1), Relation: "extend"}
	case KindWitness:
		return &Witness{Of: r.Ref(), Attestation: "dispute"}
	case KindAnchor:
		return &Anchor{Of: r.Ref(), Type: "url", Reference: "https://example.org"}
	case KindVerify:
		return &Verify{Of: r.Ref()}
	case KindAssess:
		return &Assess{Of: r.Ref(), To: &to}
	case KindMark:
		return &Mark{Of: ref(r), Verb: Forget, Reason: "old"}
	case KindKey:
		return &Key{Op: OpRevoke, Key: someone(9).did, Of: ref(r), Reason: "lost"}
	}
	for _, b := range samples() {
		if b.kind() == k {
			return b
		}
	}
	return nil
}

// TestKinds sends every kind through New, Decode and Load.
func TestKinds(t *testing.T) {
	if len(kinds) < 16 {
		t.Errorf("%d kinds, want at least 16", len(kinds))
	}
	if got, want := len(Memories())+len(Claims()), len(kinds); got != want {
		t.Errorf("the lists name %d kinds, the table %d", got, want)
	}
	for _, k := range append(Memories(), Claims()...) {
		t.Run(string(k), func(t *testing.T) {
			owner := someone(1)
			s := newScene(t, owner)
			r := s.write(owner, noon, &Belief{Statement: "the sky is blue"})
			b := speaking(k, r)
			if b == nil || b.kind() != k || !k.Known() {
				t.Fatalf("nobody thought of %s: body %T", k, b)
			}
			h := s.header(owner, noon.Add(time.Minute))
			switch k {
			case KindBelief:
				h.Provenance.From, h.Provenance.Supersedes = []Ref{r.Ref()}, []Ref{r.Ref()}
			case KindRaw, KindEpisode:
				h.Recalled = []ID{r.ID} // they cannot come from a belief
			default:
				if k.IsMemory() {
					h.Provenance.From = []Ref{r.Ref()}
				}
			}
			c := s.make(h, b)
			if got := k.New().kind(); got != k {
				t.Errorf("the table makes %s for %s", got, k)
			}
			for name, read := range map[string]func([]byte) (*Record, error){"Decode": Decode, "Load": Load} {
				if got := must(read(c.Bytes)); !reflect.DeepEqual(got, c) {
					t.Errorf("%s = %+v, want %+v", name, got, c)
				}
			}
			if _, claim := b.(claimer); claim == k.IsMemory() {
				t.Errorf("%s: claimer %v, memory %v", k, claim, k.IsMemory())
			}
			if c.Headline() == "" {
				t.Error("no headline")
			}
		})
	}
}

func TestMayComeFrom(t *testing.T) {
	episodes := []Kind{KindRaw, KindNote, KindEpisode}
	for k := range kinds {
		for source := range kinds {
			want := k.IsMemory() && source.IsMemory() && k != KindRaw &&
				(k != KindEpisode || slices.Contains(episodes, source))
			if got := k.MayComeFrom(source); got != want {
				t.Errorf("%s from %s = %v, want %v", k, source, got, want)
			}
			b := speaking(k, &Record{ID: ID{1}, Header: Header{Kind: KindBelief}})
			h := newScene(t, someone(1)).header(someone(1), noon)
			h.Provenance.From = []Ref{refTo(source, 1)}
			if _, err := New(h, b); names(err, "from") == want {
				t.Errorf("New(%s from %s) = %v", k, source, err)
			}
		}
		if k.MayComeFrom("dream") {
			t.Errorf("%s may come from a kind nobody knows", k)
		}
	}
}

func TestLayers(t *testing.T) {
	for k, want := range map[Kind]int{
		KindRaw: 1, KindEpisode: 2, KindNote: 3, KindBelief: 3, KindValue: 4, KindGoal: 4, KindDrive: 4,
		KindRelationship: 5, KindPlaybook: 5, KindMark: 0, "dream": 0,
	} {
		if got := k.Form().Layer; got != want {
			t.Errorf("%s is on layer %d, want %d", k, got, want)
		}
	}
	for k := range kinds {
		if got, want := k.Form().Protected, !k.IsMemory() || k == KindValue || k == KindDrive; got != want {
			t.Errorf("%s protected = %v, want %v", k, got, want)
		}
	}
}
