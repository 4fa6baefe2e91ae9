package loop

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Refs of memories in full.
const (
	black = "belief:85fc8a5900000000000000000000000000000000000000000000000000000000"
	green = "belief:85fc8a5911111111111111111111111111111111111111111111111111111111"
	white = "note:9d4ffaa000000000000000000000000000000000000000000000000000000000"
)

func TestAReplyNamesAMemoryInNearOrInALink(t *testing.T) {
	for text, want := range map[string]bool{
		`{"near":[{"ref":"note:9d4ffaa0","text":"Tea is white."}]}`:                   true,
		`{"links":["belief:85fc8a59 may replace note:9d4ffaa0 \"Tea is white.\""]}`:   true,
		`{"near":[{"ref":"belief:9d4ffaa0","text":"Tea is white."}]}`:                 false,
		`{"near":[{"ref":"note:9d4ffaa1"}],"links":["note:9d4ffaa2 adds to note:3"]}`: false,
		`{"near":[{"ref":"note:"},{"ref":""}]}`:                                       false,
		`{"memories":[{"ref":"note:9d4ffaa0"}],"known_already":["note:9d4ffaa0"]}`:    false,
	} {
		var a reply
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if got := a.names(white); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestTheNewMemoryIsTheOneThatSharesWords(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                              "",
		`{"memories":[{"ref":"note:1"}]}`: "note:1",
		`{"memories":[{"ref":"note:1","text":"Milk is warm."},{"ref":"note:2","text":"Tea is black."}]}`: "note:2",
		`{"known_already":["note:3"]}`: "note:3",
	} {
		var a reply
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if got := a.by("Tea is green."); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestWhatBecomesOfLinksIsCountedOnce(t *testing.T) {
	link := func(ref, state, of string) api.LinkView {
		return api.LinkView{Ref: ref, Relation: "update", State: state, New: api.LinkEnd{Ref: of}}
	}
	fresh := &Step{Do: StepRemember, New: true}
	r := running{
		// two memories were made of the one statement
		fresh:  map[string]*Step{"note:9d4ffaa0": fresh, "belief:85fc8a59": fresh},
		opened: map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true},
	}
	r.settled([]api.LinkView{
		link("a", linkOpen, white), link("b", linkProposed, white), link("c", "accepted", black),
		link("d", "over", "belief:7"), link("e", linkDropped, "belief:7"), link("f", "standing", "belief:7"),
	})
	want := Change{Opened: 5, Decided: 2, Dropped: 1, Wrong: 1}
	if r.out.Change != want {
		t.Errorf("%+v, want %+v", r.out.Change, want)
	}

	revised := link("g", linkOpen, "belief:7")
	revised.New.Was = green
	r.out = Result{}
	r.settled([]api.LinkView{revised})
	if r.out.Change.Wrong != 1 {
		t.Errorf("of an end that was revised: %+v", r.out.Change)
	}
}

func TestSumsAreOfAllScenarios(t *testing.T) {
	one := Result{
		Change: Change{Named: Share{4, 3}, Fresh: 10, Near: 2, Wrong: 1, Astray: 1, Told: 3, Opened: 2, Dropped: 1},
		Stale:  Stale{Asked: 3, Given: 2, First: 1}, Open: []Share{{}, {Wanted: 5, Found: 1}},
		sizes: []int{10, 30, 20}, naming: []int{30},
	}
	two := Result{Change: Change{Fresh: 10}, Open: []Share{{1, 1}, {5, 2}, {3, 0}}, sizes: []int{90}}
	all := Sum([]Result{one, two})
	if c := all.Change; c.WrongPerHundred() != 5 || c.NearOfFresh() != 0.1 || c.Named.Of() != 0.75 ||
		c.Astray != 1 || c.Told != 3 || c.Opened != 2 || c.Dropped != 1 {
		t.Errorf("%+v", c)
	}
	if want := []Share{{1, 1}, {10, 3}, {3, 0}}; !reflect.DeepEqual(all.Open, want) {
		t.Errorf("%+v", all.Open)
	}
	if all.Stale.First != 1 || all.Tokens != (Tokens{Remember: 90, Median: 25, Naming: 30}) {
		t.Errorf("%+v %+v", all.Stale, all.Tokens)
	}
}
