package anamnesis

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// least is a document with no more than it needs; the tests put things into it.
const least = `{"id":"mem_1","content":{"type":"insight","summary":"s"},"provenance":{"author":{"agent_id":"a"},` +
	`"created_at":"2026-02-05T16:00:00Z"}}`

// with returns least with a member of the top level more.
func with(member string) string { return strings.TrimSuffix(least, "}") + "," + member + "}" }

// instead returns least with old replaced.
func instead(t testing.TB, old, by string) string {
	t.Helper()
	if !strings.Contains(least, old) {
		t.Fatalf("%s is not in %s", old, least)
	}
	return strings.Replace(least, old, by, 1)
}

// context returns least with a context of one member.
func context(t testing.TB, member string) string {
	return instead(t, `"created_at"`, `"context":{`+member+`},"created_at"`)
}

func TestParseRefuses(t *testing.T) {
	witness := func(member string) string {
		return with(`"witnesses":[{"agent_id":"w","attestation":"confirm"},{"agent_id":"w",` + member + `}]`)
	}
	tests := []struct{ name, raw, want string }{
		{
			"no list of content", instead(t, `"insight"`, `"dream"`),
			`content.type: must be insight, encounter, decision, correction or observation, got "dream"`,
		},
		{"letter case", instead(t, `"insight"`, `"Insight"`), "content.type: must be"},
		{"no type", instead(t, `"type":"insight",`, ``), "content.type: is missing"},
		{"type is null", instead(t, `"insight"`, `null`), "content.type: must be a string, got null"},
		{
			"attestation", witness(`"attestation":"deny"`),
			`witnesses[1].attestation: must be confirm, dispute or partial, got "deny"`,
		},
		{
			"anchor", with(`"anchors":[{"type":"tweet","reference":"r"}]`),
			"anchors[0].type: must be moltbook_post, git_commit",
		},
		{"anchor to nothing", with(`"anchors":[{"type":"url","reference":" "}]`), "anchors[0].reference: is blank"},
		{
			"confidence below", context(t, `"confidence":-0.1`),
			"provenance.context.confidence: must be a number from 0 to 1, got -0.1",
		},
		{
			"confidence above", context(t, `"confidence":1.1`),
			"provenance.context.confidence: must be a number from 0 to 1, got 1.1",
		},
		{"confidence NaN", context(t, `"confidence":NaN`), "confidence: NaN is not a number in JSON"},
		{"confidence infinite", context(t, `"confidence": -Infinity`), "confidence: -Infinity is not"},
		{
			"confidence of text", context(t, `"confidence":"NaN"`),
			`provenance.context.confidence: must be a number, got "NaN"`,
		},
		{
			"confidence of four decimals", context(t, `"confidence":0.1234`),
			"provenance.context.confidence: has at most three decimals",
		},
		{
			"confidence that a double rounds", context(t, `"confidence":0.85000000000000000001`),
			"provenance.context.confidence: has at most three decimals",
		},
		{"score", with(`"trust":{"score":1.5}`), "trust.score: must be a number from 0 to 1"},
		{"reputation", with(`"trust":{"factors":{"author_reputation":-1}}`), "trust.factors.author_reputation: must be"},
		{
			"count", with(`"trust":{"factors":{"witness_count":0.5}}`),
			"trust.factors.witness_count: must be a whole number from 0",
		},
		{"version", with(`"version":0`), "version: must be a whole number from 1"},
		{"depth", with(`"lineage":{"chain_depth":-1}`), "lineage.chain_depth: must be"},
		{"time", instead(t, "16:00:00Z", "16:00:00"), "provenance.created_at: must be a time"},
		{"time of one digit", instead(t, "16:00:00Z", "6:00:00Z"), "provenance.created_at: must be a time"},
		{"time with a comma", instead(t, "16:00:00Z", "16:00:00,5Z"), "provenance.created_at: must be a time"},
		{"time in a zone of 24 hours", instead(t, "16:00:00Z", "16:00:00+24:00"), "provenance.created_at: must be a time"},
		{
			"the time that is none", instead(t, "2026-02-05T16:00:00Z", "0001-01-01T00:00:00Z"),
			"provenance.created_at: must be a time",
		},
		{
			"year 10000", instead(t, "2026-02-05T16:00:00Z", "9999-12-31T23:59:59-01:00"),
			"provenance.created_at: must be a time",
		},
		{"witnessed at", witness(`"attestation":"partial","witnessed_at":""`), "witnesses[1].witnessed_at: must be a time"},
		{"no author", instead(t, `"author":{"agent_id":"a"},`, ``), "provenance.author: is missing"},
		{"author is text", instead(t, `{"agent_id":"a"}`, `"a"`), `provenance.author: must be an object, got "a"`},
		{"no id", instead(t, `"id":"mem_1",`, ``), "id: is missing"},
		{"blank id", instead(t, `mem_1`, `\t`), "id: is blank"},
		{"blanks around the id", instead(t, `mem_1`, ` mem_1`), "id: has blanks around it"},
		{"long id", instead(t, `mem_1`, strings.Repeat("x", 257)), "id: must be at most 256 bytes, got 257"},
		{
			"long id cited", with(`"lineage":{"derived_from":["a","` + strings.Repeat("x", 257) + `"]}`),
			"lineage.derived_from[1]: must be at most",
		},
		{"null among ids", with(`"lineage":{"derived_from":[null]}`), "lineage.derived_from[0]: must be a string, got null"},
		{"list is null", with(`"witnesses":null`), "witnesses: must be a list, got null"},
		{
			"tags of numbers", instead(t, `"summary":"s"`, `"summary":"s","tags":["a",1]`),
			"content.tags[1]: must be a string, got 1",
		},
		{
			"too many", with(`"anchors":[` + strings.Repeat(`{},`, MaxEntries) + `{}]`),
			"anchors: has 1025 entries, at most 1024",
		},
		{"twice", with(`"id":"mem_2"`), "duplicate member"},
		{"twice by an escape", with(`"\u0069d":"mem_2"`), "duplicate member"},
		{"twice among the unknown", with(`"x":{"y":1,"y":2}`), "duplicate member"},
		{"deep", with(`"x":` + strings.Repeat("[", 30) + strings.Repeat("]", 30)), "nests 31 deep, at most 30"},
		{"very deep", strings.Repeat(`{"x":`, 10_000), "nested too deep"},
		{"half a surrogate", instead(t, `"s"`, `"\ud800"`), "not valid unicode"},
		{"a great integer", with(`"x":9007199254740993`), "number out of range"},
		{"something after", least + "{}", "not valid json"},
		{"a list", "[" + least + "]", "document: must be an object, got a list"},
		{"nothing", "", "not valid json"},
	}
	for _, tt := range tests {
		d, err := Parse([]byte(tt.raw))
		if err == nil || d != nil || !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: Parse = %v, %v, want an error that matches ErrInvalid", tt.name, d, err)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300 {
			t.Errorf("%s: Parse says %q, want %q in it", tt.name, err, tt.want)
		}
	}
	if _, err := Parse([]byte(with(`"x":` + strings.Repeat("[", 29) + strings.Repeat("]", 29)))); err != nil {
		t.Errorf("Parse of %d levels = %v, want no error", MaxNesting, err)
	}
	if _, err := Parse(append([]byte(least), make([]byte, MaxDocument)...)); err == nil ||
		!strings.Contains(err.Error(), "at most") {
		t.Errorf("Parse of too much = %v, want an error that says so", err)
	}
}

func TestConfidenceIsReadExactly(t *testing.T) {
	for literal, want := range map[string]memory.Confidence{
		"0.85": 850, "0.285": 285, "0.57": 570, "1": 1000, "1.0": 1000, "0": 0, "-0": 0, "0.0e9": 0, "0.9000": 900,
		"1e-3": 1, "8.5E-1": 850, "0.00085e+3": 850, "0.001": 1, "0.999": 999,
	} {
		d, err := Parse([]byte(context(t, `"confidence":`+literal)))
		if err != nil {
			t.Errorf("confidence %s: %v", literal, err)
			continue
		}
		if got := *d.Provenance.Context.Confidence; got != want {
			t.Errorf("confidence %s = %d thousandths, want %d", literal, got, want)
		}
	}
	for _, literal := range []string{
		"0.0001", "1e-4", "1.0001", "1e-400", "0.9999999999999999999999", "1e-99999999999999999999",
	} {
		if _, err := Parse([]byte(context(t, `"confidence":`+literal))); err == nil {
			t.Errorf("confidence %s was taken", literal)
		}
	}
}

func TestDecimal(t *testing.T) {
	tests := []struct {
		literal string
		places  int
		want    int64
		ok      bool
	}{
		{"12", 0, 12, true}, {"12.0", 0, 12, true}, {"1.2e1", 0, 12, true}, {"1.25", 0, 0, false},
		{"-0.5", 3, -500, true}, {"9007199254740991", 0, maxInteger, true}, {"9007199254740992", 0, 0, false},
		{"1e15", 0, 1e15, true}, {"1e16", 0, 0, false}, {"1e999999", 3, 0, false}, {"1e9999999999", 0, 0, false},
	}
	for _, tt := range tests {
		if got, ok := decimal(tt.literal, tt.places); ok != tt.ok || ok && got != tt.want {
			t.Errorf("decimal(%s, %d) = %d, %v, want %d, %v", tt.literal, tt.places, got, ok, tt.want, tt.ok)
		}
	}
	if got := fraction(math.MaxInt32, 1); got != "2147483647" {
		t.Errorf("fraction = %s", got)
	}
}

func TestParseReadsTheExamples(t *testing.T) {
	all := examples(t)
	d, err := Parse(all["schema-sample.json"])
	if err != nil {
		t.Fatal(err)
	}
	if d.Provenance.Context == nil || *d.Provenance.Context.Confidence != 850 || d.Trust.Score != "0.75" ||
		d.Witnesses[0].Attestation != "confirm" || d.Anchors[0].Type != "moltbook_post" ||
		*d.Lineage.SupersededBy != "" || len(d.Lineage.DerivedFrom) != 2 || *d.Version != 1 || d.Unknown != nil {
		t.Errorf("Parse = %+v", d)
	}
	d, err = Parse(all["self-reported-insight.json"])
	if err != nil {
		t.Fatal(err)
	}
	if d.Schema != nil || d.Lineage != nil || d.Witnesses == nil || len(d.Witnesses) != 0 || d.Trust.ComputedAt != nil {
		t.Errorf("Parse = %+v, want absent and empty told apart", d)
	}
}

func TestAnchorSHA256(t *testing.T) {
	digits := strings.Repeat("0a", 32)
	for hash, want := range map[string]string{
		digits: digits, "sha256:" + digits: digits, "sha256:" + strings.ToUpper(digits): digits,
		"sha256_of_post_content": "", "": "", digits[1:]: "", "sha512:" + digits: "",
	} {
		if got := (&Anchor{Hash: &hash}).SHA256(); got != want {
			t.Errorf("SHA256 of %q = %q, want %q", hash, got, want)
		}
	}
	if got := new(Anchor).SHA256(); got != "" {
		t.Errorf("SHA256 of none = %q, want none", got)
	}
}

// FuzzParse: whatever the bytes, there is an error or a document that is written
// and read again as the same, and that a record holds or refuses.
func FuzzParse(f *testing.F) {
	f.Add([]byte(least))
	for _, raw := range examples(f) {
		f.Add(raw)
	}
	for seed := range uint64(5) {
		f.Add(encoded(f, newMaker(seed).document()))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for range Read(strings.NewReader(string(raw))) {
			break
		}
		d, err := Parse(raw)
		if err != nil {
			return
		}
		out, err := Write(d)
		if err != nil {
			t.Fatalf("Write: %v", err)
		}
		if _, err := Parse(out); err != nil {
			t.Fatalf("Parse of what was written: %v\n%s", err, out)
		}
		if h, n, err := d.Note(0); err == nil {
			back, err := Write(Render(RenderInput{Record: record(t, h, n)}))
			if err != nil {
				t.Fatal(err)
			}
			if !same(t, back, out) {
				t.Fatalf("came back as\n%s\nwant\n%s", back, out)
			}
		}
	})
}
