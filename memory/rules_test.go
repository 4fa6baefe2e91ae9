package memory

import (
	"encoding/base64"
	"reflect"
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
	for _, k := range []Kind{
		KindRaw, KindEpisode, KindNote, KindBelief, KindValue, KindGoal, KindDrive, KindRelationship, KindPlaybook,
	} {
		for _, f := range k.Form().Fields {
			of, is := want[string(k)+"."+f.Name]
			if f.Decimal() != is || is && of != [2]float64{f.Least, f.Most} {
				t.Errorf("%s.%s goes from %v to %v, decimal %v; want %v", k, f.Name, f.Least, f.Most, f.Decimal(), of)
			}
		}
	}
}

// Memories but captured words are drafted; claims are not.
func TestWhatIsDrafted(t *testing.T) {
	for _, k := range append(Memories(), Claims()...) {
		if got, want := k.Blank() != nil, k.IsMemory() && k != KindRaw; got != want {
			t.Errorf("%s is drafted: %v", k, got)
		}
	}
	if Kind("other").Blank() != nil || Kind("other").New() != nil || Kind("other").Known() {
		t.Error("a kind that is not known is drafted")
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

// What is written here is read from the front; a member that is not known ends that, wherever it stands.
func TestOnlyWhatIsKnownIsReadFromTheFront(t *testing.T) {
	for _, k := range append(Memories(), Claims()...) {
		for body, want := range map[string]bool{
			`{}`: true, `{"x":1}`: false, `{"x":"y"}`: false, `{"x":{}}`: false, `{"x":[]}`: false, `{`: false, `[]`: false,
			`{"x"}`: false, `{"x":1,}`: false, ``: false, `{}}`: false,
		} {
			if got := readBody([]byte(body), k.New()); got && !want {
				t.Errorf("%s: %s is read", k, body)
			}
		}
	}
	for _, b := range samples() { // all that we write is read so
		if l, is := b.(*Link); is {
			l.Seed = 42 // one below 0 is read the long way
		}
		r, err := New(fullHeader(b), b)
		if err != nil {
			t.Fatal(err)
		}
		h, body, ok := readHeader(r.Bytes)
		if !ok || !reflect.DeepEqual(h, r.Header) {
			t.Errorf("the header of a %s is not read from the front: %+v", b.kind(), h)
		}
		into := b.kind().New()
		if _, is := into.(readable); is && (!readBody(body, into) || !reflect.DeepEqual(into, r.Body)) {
			t.Errorf("the body of a %s is not read from the front: %+v", b.kind(), into)
		}
	}
	for text, want := range map[string]bool{
		`{"tags":["a","b"]}`: true, `{"tags":[]}`: true, `{"tags":["a" "b"]}`: false, `{"tags":["a",]}`: false,
		`{"tags":["a"}`: false, `{"tags":[1]}`: false, `{"tags":"a"}`: false, `{"tags":["a\"b"]}`: true,
		`{"tags":["a\x"]}`: false,
		`{"v":1}`:          true, `{"v":2}`: false, `{"v":-1}`: false, `{"v":}`: false, `{"confidence":1000}`: true,
		`{"confidence":1001}`: false, `{"other":1}`: false, `{"provenance":{"other":1}}`: false, `{"at":"now"}`: false,
		`{"recalled":["x"]}`: false, `{"v":1 ,"kind":"belief"}`: false, `{"ext":{"a":[1,{"b":"}"}]}}`: true,
		`{"ext":{`:    false,
		`{"agent":"a`: false, `{"agent":"a\"}`: false,
	} {
		if _, _, got := readHeader([]byte(`{"body":{},` + text[1:])); got != want {
			t.Errorf("%s is read from the front: %v", text, got)
		}
	}
}

func TestWhatIsRefusedAtABound(t *testing.T) {
	one := Ref{KindBelief, ID{1}}
	for what, tt := range map[string]struct {
		err  error
		want bool
	}{
		"an anchor of a tebibyte":     {(&Anchor{Of: one, Type: "url", Reference: "x", Size: 1 << 40}).check(), true},
		"an anchor of more":           {(&Anchor{Of: one, Type: "url", Reference: "x", Size: 1<<40 + 1}).check(), false},
		"an anchor of no type":        {(&Anchor{Of: one, Reference: "x"}).check(), false},
		"no way in which it was made": {(&Header{Kind: KindBelief}).checkProvenance(), false},
		"a way in which it was made": {(&Header{Kind: KindBelief,
			Provenance: Provenance{Via: ViaDirect}}).checkProvenance(), true},
		"the zero id":             {new(ID).UnmarshalText([]byte(strings.Repeat("0", 64))), false},
		"an id":                   {new(ID).UnmarshalText([]byte(strings.Repeat("1", 64))), true},
		"an id in capitals":       {new(ID).UnmarshalText([]byte(strings.Repeat("A", 64))), false},
		"an id that is no number": {new(ID).UnmarshalText([]byte(strings.Repeat("g", 64))), false},
		"a shorter id":            {new(ID).UnmarshalText([]byte(strings.Repeat("1", 63))), false},
		"a ref to nothing":        {new(Ref).UnmarshalText([]byte("belief:" + strings.Repeat("0", 64))), false},
		"a time in quotes":        {new(Time).UnmarshalJSON([]byte(`"2026-01-02T03:04:05.678Z"`)), true},
		"a time that begins so":   {new(Time).UnmarshalJSON([]byte(`"2026-01-02T03:04:05.678Zx`)), false},
		"a time that ends so":     {new(Time).UnmarshalJSON([]byte(`x2026-01-02T03:04:05.678Z"`)), false},
		"one quotation mark":      {new(Time).UnmarshalJSON([]byte(`"`)), false},
		"no time":                 {new(Time).UnmarshalJSON([]byte(`null`)), false},
	} {
		if (tt.err == nil) != tt.want {
			t.Errorf("%s: %v", what, tt.err)
		}
	}
	if _, err := Decode(make([]byte, MaxRecord+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a longer record: %v", err)
	}
	if _, err := Decode(make([]byte, MaxRecord)); err == nil || strings.Contains(err.Error(), "at most") {
		t.Errorf("a record of %d zeros: %v", MaxRecord, err)
	}
	// of twenty bytes one may be no character
	for odd, want := range map[int]bool{5: true, 6: false} {
		blob := strings.Repeat("a", 100-odd) + strings.Repeat("\x01", odd) + "\xff"
		if got := decoded([]byte(blob[1:])) != ""; got != want {
			t.Errorf("with %d odd characters of 100 it says words: %v", odd, got)
		}
	}
	for blob, want := range map[string]string{
		"a~b\xff": "a~bÿ", "a\x7fb\xffcdefghijklmnopqrstuv": "a bÿcdefghijklmnopqrstuv", "a\tb\nc\rd\xe9": "a\tb\nc\rdé",
		"a\x00b": "a b", " a \xff": "a ÿ", "\xff\xfea\x00": "a", "\xfe\xff\x00a": "a", "\xff\xfe": "", "\xff": "ÿ",
		"\x1fabcdefghijklmnopqrst\xff": "abcdefghijklmnopqrstÿ", "\xff\xfea\x00b": "a",
	} {
		if got := decoded([]byte(blob)); got != want {
			t.Errorf("%q says %q, want %q", blob, got, want)
		}
	}
	for c, want := range map[byte]rune{0x7f: 0x7f, 0x80: '€', 0x81: '\ufffd', 0x9f: 'Ÿ', 0xa0: 0xa0, 0xe9: 'é'} {
		if got := windows1252(c); got != want {
			t.Errorf("%#x is %q, want %q", c, got, want)
		}
	}
}

// What the first words say is not said again beside them.
func TestNothingIsSaidTwice(t *testing.T) {
	for _, tt := range []struct {
		b    Body
		want string
	}{
		{&Note{Type: "decision", Summary: "It broke because SQLite locked up.", Reason: "because SQLite locked up"},
			"It broke because SQLite locked up."},
		{&Note{Type: "decision", Summary: "It broke as it locked.", Reason: "it locked"},
			"It broke as it locked.\nReason: it locked"},
		{&Note{Type: "decision", Summary: "It broke because SQLite locked upon it", Reason: "because SQLite locked up"},
			"It broke because SQLite locked upon it.\nReason: because SQLite locked up"},
		{&Note{Type: "insight", Summary: "It broke", Body: "It broke. Twice."}, "It broke. Twice."},
		{&Note{Type: "insight", Summary: "It broke", Body: "Twice."}, "It broke.\nTwice."},
		{&Playbook{Name: "stop", When: "it breaks", Steps: []string{"wait", "look"}},
			"stop: it breaks.\nSteps: 1. wait\n2. look"},
		{&Relationship{Name: "Ann", Description: "leads"}, "Ann: leads"},
		{&Relationship{Name: "Ann"}, "Ann"},
		{&Raw{Text: "a", Caption: "b"}, "a.\nPicture: b"},
		{&Raw{Text: "a \n"}, "a \n"},
		{&Episode{Objective: "sail", Emotion: &Emotion{Labels: []string{"glad", "calm"}}}, "sail.\nFelt: glad, calm"},
		{&Episode{Objective: "sail!", Lessons: []string{"wait"}}, "sail!\nLessons: wait"},
	} {
		if got := Whole(tt.b); got != tt.want {
			t.Errorf("%T says %q, want %q", tt.b, got, tt.want)
		}
	}
}

// An error says a number as it was typed, and what is wrong with a space.
func TestErrorsSayWhatWasTyped(t *testing.T) {
	for want, err := range map[string]error{
		"from 0 to 1, got 1.5":        checkRange("effort", 1500, 0, 1000),
		"from -1 to 1, got -1.001":    checkRange("effort", -1001, -1000, 1000),
		"from 0 to 2, got 3":          checkRange("seed", 3, 0, 2),
		"must be <owner's did:key>/":  checkSpace("main"),
		"a letter or digit first":     CheckSpaceName(".a"),
		"a name has 1 to 64 bytes, g": CheckSpaceName(""),
		"bytes, got 65":               CheckSpaceName(strings.Repeat("a", 65)),
		"steps of 0.001":              onlyError(Thousandths("x", 0.0005, 0, 1)),
		"from 0 to 1, got 1.001":      onlyError(Thousandths("x", 1.001, 0, 1)),
		"from 0 to 1, got -0.001":     onlyError(Thousandths("x", -0.001, 0, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
	for _, name := range []string{"a", "Z", "0", "a.b_c-d", "z9", strings.Repeat("a", 64)} {
		if err := CheckSpaceName(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a/b", "a b", "é", "-a", "_a", "a@", "a[", "a`", "a{", "a:"} {
		if CheckSpaceName(name) == nil {
			t.Errorf("%s is a name", name)
		}
	}
	for c, want := range map[Confidence]string{0: "0.00", 1000: "1.00", 850: "0.85", 855: "0.855", 5: "0.005"} {
		if got := c.String(); got != want || c.Float() != float64(c)/1000 {
			t.Errorf("%d is %s, want %s", c, got, want)
		}
	}
	if n, err := Thousandths("x", 0.285, 0, 1); n != 285 || err != nil {
		t.Errorf("0.285 is %d thousandths, %v", n, err)
	}
}

func TestTextsAreJoined(t *testing.T) {
	for want, got := range map[string]string{
		"": joined(), "a": joined("", "a", ""), "a\nb": joined("a", "", "b"), "n": titled("n\nm", ""),
		"n: t": titled("n\nm", "\nt\nu"),
	} {
		if got != want {
			t.Errorf("joined they are %q, want %q", got, want)
		}
	}
}

func onlyError(_ int, err error) error { return err }
