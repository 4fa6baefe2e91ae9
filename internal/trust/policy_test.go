package trust

import (
	"fmt"
	"testing"
)

func TestReputation(t *testing.T) {
	const most = 1<<63 - 1
	for _, tt := range []struct{ r, s, want int }{
		{0, 0, 5000}, {8, 0, 9000}, {0, 8, 1000}, {1, 0, 6667}, {0, 1, 3333}, {5, 0, 8571}, {13, 0, 9333}, {0, 13, 667},
		{18, 44, 2969}, // 2968.75
		{most, 0, One}, {0, most, 0}, {most, most, 5000}, {-7, -1, 5000},
	} {
		if got := Reputation(tt.r, tt.s); got != tt.want {
			t.Errorf("Reputation(%d, %d) = %d, want %d", tt.r, tt.s, got, tt.want)
		}
	}
	if got, want := Reputation(0, 6), 1250; got != want {
		t.Errorf("Reputation(0, 6) = %d, want %d", got, want)
	}
	if got, want := Reputation(0, 30), 313; got != want { // 312.5
		t.Errorf("Reputation(0, 30) = %d, want %d: a half is rounded up", got, want)
	}
}

func TestOpinion(t *testing.T) {
	for _, tt := range []struct {
		confirms, disputes int
		want               Opinion
	}{
		{0, 0, Opinion{0, 0, One}}, {3, 1, Opinion{5000, 1667, 3333}}, {1, 0, Opinion{3333, 0, 6667}},
		{0, 1, Opinion{0, 3333, 6667}}, {1, 1, Opinion{2500, 2500, 5000}}, {2, 2, Opinion{3333, 3334, 3333}},
		{1 << 20, 1, Opinion{9999, 1, 0}},
	} {
		if got := opinion(tt.confirms, tt.disputes); got != tt.want {
			t.Errorf("opinion(%d, %d) = %+v, want %+v", tt.confirms, tt.disputes, got, tt.want)
		}
	}
}

// The ranges of the levels are half open.
func TestLevelByRange(t *testing.T) {
	for _, tt := range []struct {
		score int
		want  Level
	}{
		{0, Unverified}, {2999, Unverified}, {3000, Attested}, {5999, Attested}, {6000, Anchored},
		{7999, Anchored}, {8000, Consensus}, {One, Consensus},
	} {
		if got := Seed().byRange(tt.score); got != tt.want {
			t.Errorf("byRange(%d) = %s, want %s", tt.score, got, tt.want)
		}
	}
	r := Score(Facts{Signature: Valid, Author: "author", Reputation: One / 2}, Seed())
	if r.Level != Unverified || r.LevelByRange != Attested {
		t.Errorf("a word of one's own: %s, by range %s; want unverified, attested", r.Level, r.LevelByRange)
	}
}

func TestAtLeast(t *testing.T) {
	order := []Level{"odd", Rejected, Unverified, Attested, Anchored, Consensus}
	for i, a := range order {
		for j, b := range order {
			if got, want := a.AtLeast(b), i >= j; got != want {
				t.Errorf("%q.AtLeast(%q) = %v, want %v", a, b, got, want)
			}
		}
	}
}

// A policy that would raise a memory for what speaks against it is refused.
func TestPolicyCheck(t *testing.T) {
	if err := Seed().Check(); err != nil {
		t.Errorf("the seed's policy: %v", err)
	}
	for what, spoil := range map[string]func(*Policy){
		"a dispute that raises":             func(p *Policy) { p.Dispute = -1 },
		"a witness who lowers":              func(p *Policy) { p.Witnesses = -1 },
		"a weight above one":                func(p *Policy) { p.Anchor = One + 1 },
		"a consensus of one":                func(p *Policy) { p.ConsensusVoices = 1 },
		"many that are none":                func(p *Policy) { p.ManyVoices = 0 },
		"anchored below attested":           func(p *Policy) { p.Anchored = p.Attested - 1 },
		"a consensus below what holds well": func(p *Policy) { p.Consensus = p.Anchored - 1 },
	} {
		p := Seed()
		spoil(&p)
		if p.Check() == nil {
			t.Errorf("%s passes", what)
		}
	}
	p := Seed()
	p.Name, p.Version, p.Signature = "house", 3, 1000
	r := Score(Facts{Signature: Valid, Author: "author"}, p)
	if r.Policy != "house v3" || r.Score != 1000 {
		t.Errorf("of another policy: %d by %q, want 1000 by \"house v3\"", r.Score, r.Policy)
	}
	if got := Score(Facts{}, Policy{}).Policy; got != "seed v1" {
		t.Errorf("of no policy: by %q, want \"seed v1\"", got)
	}
}

func TestDecimal(t *testing.T) {
	for n, want := range map[int]string{
		0: "0.0000", 3000: "0.3000", One: "1.0000", 12345: "1.2345", -1500: "-0.1500", -12500: "-1.2500",
	} {
		if got := Decimal(n); got != want {
			t.Errorf("Decimal(%d) = %q, want %q", n, got, want)
		}
	}
}

// Ten witnesses among two hundred people, each introduced by five others.
func BenchmarkScore(b *testing.B) {
	const principals, each = 200, 5
	name := func(i int) string { return fmt.Sprint("did:key:z6Mk", i%principals) }
	var made []Introduction
	for i := range principals {
		if i < principals/10 {
			made = append(made, Introduction{"root", name(i)})
		}
		for j := range each {
			made = append(made, Introduction{name(i), name(i*7 + j*31 + 1)})
		}
	}
	f := Facts{
		Signature: Valid, Author: name(3), Reputation: 9000, Anchors: anchors(2),
		Introductions: NewIntroductions("root", made),
	}
	for i := range 10 {
		f.Verdicts = append(f.Verdicts, Verdict{ID: id(i), Controller: name(50 + 13*i), Says: Confirm, At: second(int64(i))})
	}
	if r := Score(f, Seed()); r.ConfirmVoices != 10 || r.Level != Consensus {
		b.Fatalf("%d voices, %s; want 10, consensus", r.ConfirmVoices, r.Level)
	}
	b.ReportAllocs()
	for b.Loop() {
		Score(f, Seed())
	}
}
