package state

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// What each record decides, about what, with which reason, and what took its place.
func TestWhatARecordDecides(t *testing.T) {
	ref := func(kind memory.Kind, n byte) memory.Ref { return memory.Ref{Kind: kind, ID: memory.ID{n}} }
	one, two := ref(memory.KindBelief, 1), ref(memory.KindNote, 2)
	link, anchor := ref(memory.KindLink, 3), ref(memory.KindAnchor, 4)
	itself := ref(memory.KindBelief, 9)
	just := func(of ...memory.Ref) []memory.Ref { return of }
	const did = "did:key:z6Mk"
	arrow := func(detector, relation string) memory.Body {
		return &memory.Link{Source: one, Target: two, Relation: relation, Detector: detector, Reason: "why"}
	}
	for _, tt := range []struct {
		what    string
		body    memory.Body
		context string
		instead []memory.Ref // supersedes
		owner   bool
		want    *Act
	}{
		{what: "a memory", body: &memory.Belief{}},
		{what: "a revision", body: &memory.Belief{}, instead: just(two, one),
			want: &Act{Name: "revise", Why: "trigger", Of: just(two, one), Now: &itself}},
		{what: "a correction", body: &memory.Belief{}, context: "correct", instead: just(one),
			want: &Act{Name: "correct", Why: "trigger", Of: just(one), Now: &itself}},
		{what: "a revision that takes back", body: &memory.Belief{}, context: "undo", instead: just(one),
			want: &Act{Name: "undo", Why: "trigger", Of: just(one), Now: &itself}},
		{what: "a revision that settles", body: &memory.Belief{}, context: "resolve", instead: just(one),
			want: &Act{Name: "resolve", Why: "trigger", Of: just(one), Now: &itself}},
		{what: "a revision of an import", body: &memory.Belief{}, context: "import", instead: just(one),
			want: &Act{Name: "revise", Why: "trigger", Of: just(one), Now: &itself}},
		{what: "an anchor in the place of another", body: &memory.Anchor{}, instead: just(anchor)},

		{what: "an approval of two", body: &memory.Mark{Of: &one, Also: just(two), Verb: "approve", Reason: "why"},
			want: &Act{Name: "approve", Why: "why", Of: just(one, two)}},
		{what: "a goal's status", body: &memory.Mark{Of: &one, Verb: "status", Value: "done"},
			want: &Act{Name: "status", Detail: "done", Of: just(one)}},
		{what: "a quarantine of a record by its own name",
			body: &memory.Mark{Of: &one, Verb: "quarantine", Value: one.String()},
			want: &Act{Name: "quarantine", Of: just(one)}},
		{what: "a quarantine of a source", body: &memory.Mark{Target: "source:x", Verb: "quarantine", Value: "source:x"},
			want: &Act{Name: "quarantine", Detail: "source:x"}},
		{what: "a mark that takes back", body: &memory.Mark{Of: &one, Verb: "release", Value: "x", Reason: "why"},
			context: "undo", want: &Act{Name: "undo", Detail: "x", Why: "why", Of: just(one)}},
		{what: "a mark that goes with a revision", body: &memory.Mark{Of: &one, Verb: "approve"}, context: "revise"},
		{what: "how far a goal is", body: &memory.Mark{Of: &one, Verb: "progress", Value: "5"}},
		{what: "what corrects a part", body: &memory.Mark{Of: &one, Also: just(two, itself), Verb: SaidOtherwise,
			Value: InPart, Reason: "why"}, want: &Act{Name: "correct", Why: "why", Of: just(one), Now: &two}},
		{what: "a part that nothing corrects", body: &memory.Mark{Of: &one, Verb: SaidOtherwise, Value: InPart}},
		{what: "the same in other words", body: &memory.Mark{Of: &one, Also: just(two), Verb: SaidOtherwise}},
		{what: "a question that is let go", body: &memory.Mark{Of: &link, Verb: "forget"}},
		{what: "a question that is settled", body: &memory.Mark{Of: &link, Verb: "reject", Value: "x", Reason: "why"},
			want: &Act{Name: "resolve", Detail: "reject", Why: "why", Of: just(link)}},
		{what: "what happened to a question", body: &memory.Mark{Of: &link, Verb: "done"}},

		{what: "a witness", body: &memory.Witness{Of: one, Attestation: "saw", Notes: "why"},
			want: &Act{Name: "witness", Detail: "saw", Why: "why", Of: just(one)}},
		{what: "a check of a memory", body: &memory.Verify{Of: one, Result: "holds", Notes: "why"},
			want: &Act{Name: "verify", Detail: "holds", Why: "why", Of: just(one)}},
		{what: "a check of an anchor", body: &memory.Verify{Of: anchor, Result: "holds"}},
		{what: "an assessment", body: &memory.Assess{Of: one, Reason: "why"},
			want: &Act{Name: "reinforce", Why: "why", Of: just(one)}},

		{what: "a link that takes back", body: arrow("model", "update"), context: "undo",
			want: &Act{Name: "undo", Why: "why", Of: just(one), Now: &two}},
		{what: "a link that settles", body: arrow("model", "contradict"), context: "resolve",
			want: &Act{Name: "resolve", Detail: "contradict", Why: "why", Of: just(one), Now: &two}},
		{what: "a link in the place of a proposal", body: arrow("model", "update"), instead: just(link),
			want: &Act{Name: "resolve", Detail: "update", Why: "why", Of: just(one), Now: &two}},
		{what: "what a model found", body: arrow("model", "update"), owner: true},
		{what: "a caller's support", body: arrow("caller", "supports"), owner: true},
		{what: "an agent's proposal", body: arrow("caller", "update"),
			want: &Act{Name: "propose", Why: "why", Of: just(one), Now: &two}},
		{what: "an author's proposal", body: arrow("author", "update"),
			want: &Act{Name: "propose", Why: "why", Of: just(one), Now: &two}},
		{what: "an owner's correction", body: arrow("caller", "update"), owner: true,
			want: &Act{Name: "correct", Why: "why", Of: just(one), Now: &two}},
		{what: "an author's revision", body: arrow("author", "update"), owner: true,
			want: &Act{Name: "revise", Why: "why", Of: just(one), Now: &two}},
		{what: "a correction by policy", body: arrow("caller", "update"), context: ByPolicy,
			want: &Act{Name: "correct", Why: "why", Of: just(one), Now: &two}},

		{what: "an introduction", body: &memory.Key{Op: "introduce", Key: did, Name: "Ada", Reason: "x"},
			want: &Act{Name: "introduce", Key: did, Named: "Ada"}},
		{what: "an appointment", body: &memory.Key{Op: "introduce", Key: did, Name: AppointmentName("work")},
			want: &Act{Name: "appoint", Key: did, Detail: AppointmentName("work")}},
		{what: "a revocation", body: &memory.Key{Op: "revoke", Key: did, Reason: "lost"},
			want: &Act{Name: "revoke", Key: did, Why: "lost"}},
		{what: "an end of trust", body: &memory.Key{Op: "revoke", Key: did, Reason: "lost"}, context: "distrust",
			want: &Act{Name: "distrust", Key: did, Why: "lost"}},
		{what: "a delegation", body: &memory.Key{Op: "delegate", Key: did, Name: "bot"}, context: "key add",
			want: &Act{Name: "delegate", Key: did, Named: "bot"}},
		{what: "an agent's first key", body: &memory.Key{Op: "delegate", Key: did, Name: "bot"}},
		{what: "a rotation", body: &memory.Key{Op: "rotate", Key: did}, want: &Act{Name: "rotate", Key: did}},
		{what: "the first key", body: &memory.Key{Op: "inception", Key: did}},
	} {
		r := &memory.Record{Body: tt.body}
		r.ID, r.Header.Kind, r.Header.Trigger = itself.ID, memory.KindBelief, "trigger"
		if _, is := tt.body.(*memory.Anchor); is {
			r.Header.Kind = memory.KindAnchor
		}
		r.Header.Provenance.Context, r.Header.Provenance.Supersedes = tt.context, tt.instead
		got := ActOf(r, Voice{Owner: tt.owner})
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.what, got, tt.want)
		}
		if got != nil && !slices.Contains(Acts(), got.Name) {
			t.Errorf("%s: %q is not among the acts", tt.what, got.Name)
		}
	}
	if !slices.IsSorted(Acts()) {
		t.Errorf("%q are not sorted", Acts())
	}
}
