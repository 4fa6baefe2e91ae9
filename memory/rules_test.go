package memory

import (
	"encoding/base64"
	"strings"
	"testing"
)

// The numbers of kinds are in the tables of stores, so none may change. The layer says which pile a memory is on.
func TestKindsKeepTheirNumbers(t *testing.T) {
	for k, want := range map[Kind]struct {
		number, layer              int
		protected, oneLine, served bool
	}{
		KindRaw: {1, 1, false, false, false}, KindEpisode: {2, 2, false, false, false},
		KindNote: {3, 3, false, true, false}, KindBelief: {4, 3, false, true, false},
		KindValue: {5, 4, true, false, false}, KindGoal: {6, 4, false, false, false},
		KindDrive: {7, 4, true, false, false}, KindRelationship: {8, 5, false, true, false},
		KindPlaybook: {9, 5, false, false, true},
		KindLink:     {101, 0, true, false, false}, KindWitness: {102, 0, true, false, false},
		KindAnchor: {103, 0, true, false, false}, KindVerify: {104, 0, true, false, false},
		KindAssess: {105, 0, true, false, false}, KindMark: {106, 0, true, false, false},
		KindKey: {107, 0, true, false, false},
	} {
		f := k.Form()
		if f.Number != want.number || f.Layer != want.layer || f.Protected != want.protected ||
			f.OneLine != want.oneLine || f.Served != want.served {
			t.Errorf("%s: number %d, layer %d, protected %v, one line %v, served %v; want %+v",
				k, f.Number, f.Layer, f.Protected, f.OneLine, f.Served, want)
		}
	}
}

// What a draft may say as a decimal.
func TestDecimalsHaveBounds(t *testing.T) {
	want := map[string][2]float64{
		"episode.valence": {-1, 1}, "episode.arousal": {0, 1}, "drive.intensity": {0, 1}, "relationship.sentiment": {-1, 1},
	}
	for _, k := range Memories() {
		for _, f := range k.Form().Fields {
			of, is := want[string(k)+"."+f.Name]
			if f.Decimal() != is || is && of != [2]float64{f.Least, f.Most} {
				t.Errorf("%s.%s goes from %v to %v, decimal %v; want %v", k, f.Name, f.Least, f.Most, f.Decimal(), of)
			}
		}
	}
}

// A blob is what no text can say, of at least a byte and at most as many as a text.
func TestABlobIsNoText(t *testing.T) {
	for blob, want := range map[string]bool{
		"": false, "a": false, "\x00a": true, "a\x00": true, "\xff": true,
		"\xff" + strings.Repeat("a", MaxRawText-1): true, "\xff" + strings.Repeat("a", MaxRawText): false,
	} {
		if err := checkBlob(base64.StdEncoding.EncodeToString([]byte(blob))); (err == nil) != want {
			t.Errorf("a blob of %d bytes, %.4q: %v", len(blob), blob, err)
		}
	}
}

func TestBytesThatAreNoRecordAreRefused(t *testing.T) {
	for _, raw := range []string{``, `{`, `[]`, `{"v":"x"}`, `{"kind":3,"v":2}`,
		`{"body":{},"kind":"belief","v":1,"at":5}`} {
		if r, err := Load([]byte(raw)); err == nil {
			t.Errorf("%s is read as %+v", raw, r)
		}
	}
}

func TestOnlyCodeIsCode(t *testing.T) {
	for _, tt := range []struct {
		types string
		want  bool
	}{{"", false}, {"url", false}, {"code", true}, {"url code", true}} {
		r := new(Record)
		for _, typ := range strings.Fields(tt.types) {
			r.Header.Provenance.Evidence = append(r.Header.Provenance.Evidence, Evidence{Type: typ})
		}
		if got := r.HasCode(); got != tt.want {
			t.Errorf("with evidence %q: %v", tt.types, got)
		}
	}
}

// A record replaces records of its own kind, which are among its sources; captured words replace nothing.
func TestWhatMaySupersedeWhat(t *testing.T) {
	belief, note, raw := Ref{KindBelief, ID{1}}, Ref{KindNote, ID{2}}, Ref{KindRaw, ID{3}}
	for what, tt := range map[string]struct {
		kind           Kind
		from, replaces []Ref
		want           bool
	}{
		"nothing":                     {KindBelief, nil, nil, true},
		"its like among its sources":  {KindBelief, []Ref{note, belief}, []Ref{belief}, true},
		"its like from elsewhere":     {KindBelief, []Ref{note}, []Ref{belief}, false},
		"another kind":                {KindBelief, []Ref{note}, []Ref{note}, false},
		"captured words":              {KindRaw, []Ref{raw}, []Ref{raw}, false},
		"a source that it may have":   {KindBelief, []Ref{raw}, nil, true},
		"a source that it cannot":     {KindEpisode, []Ref{belief}, nil, false},
		"a claim that replaces alone": {KindAssess, nil, []Ref{{KindAssess, ID{4}}}, true},
	} {
		h := &Header{Kind: tt.kind, Provenance: Provenance{From: tt.from, Supersedes: tt.replaces}}
		if err := h.checkLineage(); (err == nil) != tt.want {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestIntegersAreThoseOfADouble(t *testing.T) {
	if maxInteger != 9007199254740991 {
		t.Errorf("the greatest integer is %d", maxInteger)
	}
	for n, want := range map[int64]bool{maxInteger: true, -maxInteger: true, maxInteger + 1: false,
		-maxInteger - 1: false} {
		if err := checkRange("seed", n, -maxInteger, maxInteger); (err == nil) != want {
			t.Errorf("%d: %v", n, err)
		}
	}
}
