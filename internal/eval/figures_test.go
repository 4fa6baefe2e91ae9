package eval

import (
	"math"
	"strings"
	"testing"
	"time"
)

// near compares what was computed by hand to five places.
func near(got, want float64) bool { return math.Abs(got-want) < 1e-5 }

func TestJudge(t *testing.T) {
	const no = "x x x x x x x x x x x x x x x x x x x x"
	tests := []struct {
		name            string
		evidence, found string
		recall, hit     [3]float64
		first, gain     float64
	}{
		{"nothing is found", "a", "", [3]float64{}, [3]float64{}, 0, 0},
		{"others are found", "a", no, [3]float64{}, [3]float64{}, 0, 0},
		{"the best there is", "a b", "b a", [3]float64{1, 1, 1}, [3]float64{1, 1, 1}, 1, 1},
		{"second", "a", "x a", [3]float64{1, 1, 1}, [3]float64{0, 1, 1}, 0.5, 0.63093}, // 1/log2(3)
		// (1/log2(3) + 1/log2(7)) / (1 + 1/log2(3) + 1/log2(4)) = (0.63093 + 0.35621) / 2.13093
		{
			"two of three, second and sixth", "a b c", "x a x x x c", [3]float64{1. / 3, 2. / 3, 2. / 3},
			[3]float64{0, 1, 1}, 0.5, 0.46324,
		},
		// (1/log2(6) + 1/log2(7)) / (1 + 1/log2(3)) = (0.38685 + 0.35621) / 1.63093
		{
			"fifth and sixth are on both sides of 5", "a b", "x x x x a b", [3]float64{0.5, 1, 1},
			[3]float64{0, 1, 1}, 0.2, 0.45561,
		},
		{"eleventh has no gain", "a", "x x x x x x x x x x a", [3]float64{0, 0, 1}, [3]float64{}, 1. / 11, 0},
		{"beyond the last is nothing", "a", no + " a", [3]float64{}, [3]float64{}, 0, 0},
		{"twice counts once", "a b", "a a", [3]float64{0.5, 0.5, 0.5}, [3]float64{1, 1, 1}, 1, 0.61315}, // 1 / 1.63093
	}
	for _, tt := range tests {
		got := judge(Question{Kind: Temporal, Evidence: strings.Fields(tt.evidence)}, strings.Fields(tt.found))
		for i := range got.recall {
			if !near(got.recall[i], tt.recall[i]) {
				t.Errorf("%s: recall at %d = %v, want %v", tt.name, depths[i], got.recall[i], tt.recall[i])
			}
			if got.hit[i] != tt.hit[i] {
				t.Errorf("%s: hit at %d = %v, want %v", tt.name, nearby[i], got.hit[i], tt.hit[i])
			}
		}
		if !near(got.first, tt.first) || !near(got.gain, tt.gain) || got.kind != Temporal {
			t.Errorf(
				"%s: 1/place %v, nDCG %v, kind %v, want %v, %v, %v", tt.name, got.first, got.gain, got.kind,
				tt.first, tt.gain, Temporal,
			)
		}
	}
}

// More than ten turns answer a question: the best order is full of them.
func TestGainIsOneWhereTheFirstTenAllAnswer(t *testing.T) {
	many := strings.Fields("a b c d e f g h i j k l")
	got := judge(Question{Kind: MultiHop, Evidence: many}, many)
	if got.gain != 1 || !near(got.recall[1], 10./12) {
		t.Errorf("nDCG %v and recall at 10 %v, want 1 and %v", got.gain, got.recall[1], 10./12)
	}
}

func TestTableIsMeansByKind(t *testing.T) {
	var all []outcome
	for i, kind := range []Kind{SingleHop, MultiHop, SingleHop, SingleHop} {
		all = append(all, outcome{
			kind: kind, recall: [3]float64{float64(i) / 4, 0.5, 1}, hit: [3]float64{0, 0, 1}, first: 1 / float64(i+1),
			gain: float64(i), took: time.Duration(i+1) * time.Millisecond,
		})
	}
	got := table(all)
	want := Figures{
		Of: "all", Questions: 4, Recall5: 0.375, Recall10: 0.5, Recall20: 1, Hit10: 1, MRR: 0.5208, NDCG10: 1.5,
		Median: 2, P95: 4,
	}
	if got.All != want {
		t.Errorf("all: %+v, want %+v", got.All, want)
	}
	if len(got.Kinds) != 2 || got.Kinds[0].Of != "multi-hop" || got.Kinds[1].Of != "single-hop" {
		t.Fatalf("kinds: %+v, want multi-hop and single-hop", got.Kinds)
	}
	if f := got.Kinds[1]; f.Questions != 3 || f.Recall5 != 0.4167 || f.Median != 3 {
		t.Errorf("single-hop: %+v, want 3 questions, recall at 5 of 0.4167, median 3", f)
	}
}

func TestPercentile(t *testing.T) {
	var took []time.Duration
	for i := range 40 {
		took = append(took, time.Duration(i+1)*time.Microsecond)
	}
	for _, tt := range []struct {
		n, p int
		want float64
	}{{40, 50, 0.02}, {40, 95, 0.038}, {1, 95, 0.001}, {3, 50, 0.002}} {
		if got := percentile(took[:tt.n], tt.p); got != tt.want {
			t.Errorf("percentile %d of %d = %v, want %v", tt.p, tt.n, got, tt.want)
		}
	}
}
