package trust

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A kase is one worked case, as its file has it.
type kase struct {
	Name   string
	Memory struct {
		Sig       *Signature
		Rep       *int
		Witnesses []struct {
			Who, Attestation, Controller, Digest string
			KeyKnown                             *bool `json:"key_known"`
			Sig                                  *bool
			Seq                                  int64
			Future                               bool
			Resolved                             bool `json:"resolved_against"`
		}
		Anchors []struct {
			Type, Ref, Cls string
			Status         *Status
			Commit         *bool
		}
		Trust json.RawMessage // what a file says of itself: nowhere to put it
	}
	Want struct {
		Score                                 int
		Level                                 Level
		Flags                                 []string
		Confirms, Disputes, Partials, Anchors int
	}
}

const firstSecond = 1_700_000_000

// id returns an id that says where it comes from.
func id(v ...any) memory.ID { return sha256.Sum256([]byte(fmt.Sprint(v...))) }

func second(n int64) memory.Time { return memory.At(time.UnixMilli((firstSecond + n) * 1000)) }

// known is a root that introduced everybody named.
func known(names ...string) *Introductions {
	var list []Introduction
	for _, n := range names {
		list = append(list, Introduction{"root", n})
	}
	return NewIntroductions("root", list)
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// facts puts a case in the words of this package.
func (k *kase) facts() Facts {
	f := Facts{Signature: or(k.Memory.Sig, Valid), Author: "author", Reputation: or(k.Memory.Rep, One/2)}
	introduced := []string{"author"}
	for i, w := range k.Memory.Witnesses {
		v := Verdict{ID: id(i), Controller: w.Who, Says: w.Attestation, At: second(w.Seq), Rejected: w.Resolved}
		if w.Controller != "" {
			v.Controller = w.Controller
		}
		if or(w.KeyKnown, true) {
			introduced = append(introduced, v.Controller)
		}
		switch {
		case !or(w.Sig, true):
			v.Refused = "bad signature"
		case w.Digest != "":
			v.Refused = "of another revision"
		case w.Future:
			v.Refused = "dated ahead"
		}
		f.Verdicts = append(f.Verdicts, v)
	}
	f.Introductions = known(introduced...)
	for i, a := range k.Memory.Anchors {
		f.Anchors = append(f.Anchors, Anchor{ID: id("anchor", i), Type: a.Type, Reference: a.Ref, Class: a.Cls,
			Status: or(a.Status, Verified), Bound: or(a.Commit, true)})
	}
	return f
}

// refusedFor says why each hostile case is refused what it asks for.
var refusedFor = map[string][]string{
	"self-witness":                                      {whyOwn},
	"self-witness through own second key":               {whyOwn},
	"3 sock puppets, keys unknown here":                 {whyUnknown, whyUnknown, whyUnknown},
	"3 sock puppets registered under one hub account":   {whySaidBefore, whySaidBefore},
	"same witness confirms 3 times":                     {whyLater, whyLater},
	"witness without a valid signature":                 {"bad signature"},
	"verdict flipped dispute->confirm after signing":    {"bad signature"},
	"confirm of another revision":                       {"of another revision"},
	"future-dated witness":                              {"dated ahead"},
	`attestation "maybe"`:                               {`"maybe" is no verdict`},
	"witness changes confirm -> dispute":                {whyLater},
	"witness withdraws: dispute -> confirm":             {whyLater},
	"same witness, same seq, both verdicts":             {whyGraver},
	"same, the dispute rejected by a signed resolution": {whyResolved},
	"dispute bomb: 5 unknown keys dispute a consensus memory": {
		whyUnknown, whyUnknown, whyUnknown, whyUnknown, whyUnknown,
	},
	"2 anchors, same host":                              {"not independent of another anchor"},
	"same URL twice":                                    {"the same place again"},
	"anchor unreachable (offline)":                      {"cannot be checked here"},
	"anchor content changed":                            {"its target has changed"},
	"anchor never re-checked within its TTL":            {"was not checked again in time"},
	"irrelevant but true anchor":                        {"does not name this memory, and its author did not sign it in"},
	`unknown anchor type "blockchain" without verifier`: {"cannot be checked here"},
}

func cases(t testing.TB) []kase {
	t.Helper()
	text, err := os.ReadFile("testdata/trust_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []kase
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every worked case gets the score, the level, the flags and the counts it must,
// and what is refused is refused for its reason.
func TestWorkedCases(t *testing.T) {
	all := cases(t)
	if len(all) != 55 {
		t.Fatalf("%d cases, want 55", len(all))
	}
	hostile := 0
	for _, k := range all {
		got := Score(k.facts(), Seed())
		if got.Score != k.Want.Score || got.Level != k.Want.Level {
			t.Errorf("%s: score %d %s, want %d %s", k.Name, got.Score, got.Level, k.Want.Score, k.Want.Level)
		}
		slices.Sort(got.Flags)
		slices.Sort(k.Want.Flags)
		if !slices.Equal(got.Flags, k.Want.Flags) {
			t.Errorf("%s: flags %q, want %q", k.Name, got.Flags, k.Want.Flags)
		}
		counts := [...]int{got.Confirms, got.Disputes, got.Partials, got.Anchors}
		want := [...]int{k.Want.Confirms, k.Want.Disputes, k.Want.Partials, k.Want.Anchors}
		if counts != want {
			t.Errorf("%s: confirms, disputes, partials, anchors %v, want %v", k.Name, counts, want)
		}
		var why []string
		for _, r := range got.Refused {
			why = append(why, r.Why)
		}
		for _, r := range got.RefusedAnchors {
			why = append(why, r.Why)
		}
		if !slices.Equal(why, refusedFor[k.Name]) {
			t.Errorf("%s: refused for %q, want %q", k.Name, why, refusedFor[k.Name])
		}
		if len(why) > 0 {
			hostile++
		}
	}
	if hostile != len(refusedFor) {
		t.Errorf("%d cases have refusals, want %d", hostile, len(refusedFor))
	}
}
