//go:build !race

package trust_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// rankOf are those of trust, the least first.
var rankOf = map[string]int{"rejected": 0, "unverified": 1, "attested": 2, "anchored": 3, "consensus": 4}

// laundries are those whose word would make an external source look like one's own.
type laundries struct {
	*people
	unknown [3]*forger
	source  *forger    // the author of the source: introduced here
	puppets [3]*forger // whom only he introduced
	agent   *forger    // the owner's own agent, who witnesses for himself
}

func newLaundries(t *testing.T) *laundries {
	l := &laundries{people: newPeople(t), source: newForger(t, newClock().Now())}
	add(t, l.Owner, "belief", "there is a store here") // and keys
	var rs []*memory.Record
	for i := range l.unknown {
		l.unknown[i], l.puppets[i] = newForger(t, l.Now()), newForger(t, l.Now())
	}
	for i := range l.unknown {
		rs = append(rs, l.unknown[i].Introduces(l.unknown[(i+1)%3].Key.DID()), l.source.Introduces(l.puppets[i].Key.DID()))
	}
	take(t, l.Owner, rs...)
	if _, err := l.Owner.Introduce(
		t.Context(), api.IntroduceRequest{Key: l.source.Key.DID(), Name: "the author of the page"},
	); err != nil {
		t.Fatal(err)
	}
	l.agent = l.Stolen(false)
	return l
}

// external takes in something from outside, by one of the ways there are.
func (l *laundries) external(e map[memory.Origin]*engine.Engine, n int) string {
	text := fmt.Sprintf("the page says that pump %d needs no key", n)
	switch {
	case n%4 == 3: // whose puppets speak later
	case n%3 == 0:
		return capture(l.T, e[memory.OriginTool], text)
	case n%3 == 1:
		return capture(l.T, e[memory.OriginImport], text)
	}
	r := l.source.Says(&memory.Raw{Text: text})
	take(l.T, l.Owner, r)
	return r.Ref().String()
}

// Telling again what came from outside, as often as one likes and with whoever's
// word that depends on it or that no one knows, makes it no better than it was.
func TestLaunderingRaisesNothing(t *testing.T) {
	t.Parallel()
	chains := many(300) // each way comes in 60 of them
	l := newLaundries(t)
	by := make(map[memory.Origin]*engine.Engine)
	for _, o := range []memory.Origin{memory.OriginAgent, memory.OriginTool, memory.OriginImport} {
		by[o] = l.As(o)
	}
	type link struct {
		ref, source, how string
	}
	var links []link
	for n := range chains {
		source := l.external(by, n)
		e, last := by[memory.OriginAgent], source
		if n%2 == 1 {
			e = l.Owner // a person who tells on what he was told lifts nothing either
		}
		how := []string{"nobody", "unknown keys", "itself", "its source and his puppets"}[n%4]
		for step := range 1 + n%5 {
			text := fmt.Sprintf("pump %d needs no key, told for the %dth time", n, step+1)
			switch step {
			case 0:
				last = promote(t, e, text, last)
			case 1:
				last = consolidate(t, e, text, last)
			case 4: // said once more in other words
				last = revise(t, e, last, text)
			default:
				last = write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Text: text}, From: []string{last}})
			}
			var said []*memory.Record
			for i := range 3 {
				switch n % 4 {
				case 1:
					said = append(said, l.unknown[i].Confirms(last, "confirm"))
				case 2:
					said = append(said, l.agent.Confirms(last, "confirm"))
				case 3:
					said = append(said, l.puppets[i].Confirms(last, "confirm"), l.source.Confirms(last, "confirm"))
				}
			}
			take(t, l.Owner, said...)
			links = append(links, link{ref: last, source: source, how: how})
		}
	}
	l.Stop()
	raised := 0
	for _, k := range links {
		is, was := trustIn(t, l.Owner, k.ref), trustIn(t, l.Owner, k.source)
		if rankOf[is.Level] > rankOf[was.Level] || is.Score > was.Score || !is.Tainted || is.Actionable {
			raised++
			t.Errorf(
				"%s, confirmed by %s: %s %v, actionable %v, of a source that is %s %v", is.Headline, k.how,
				is.Level, is.Score, is.Actionable, was.Level, was.Score,
			)
		}
	}
	t.Logf("%d chains, %d links, %d raised", chains, len(links), raised)
	// What a person who is known by himself confirms is lifted: the limit is no wall.
	friend := newForger(t, l.Now())
	if _, err := l.Owner.Introduce(
		t.Context(), api.IntroduceRequest{Key: friend.Key.DID(), Name: "a friend"},
	); err != nil {
		t.Fatal(err)
	}
	take(t, l.Owner, friend.Confirms(links[0].ref, "confirm"))
	if tr := trustIn(t, l.Owner, links[0].ref); tr.Tainted || tr.Level != "attested" {
		t.Errorf("confirmed by a friend: %s, tainted %v, want attested and not tainted", tr.Level, tr.Tainted)
	}
}
