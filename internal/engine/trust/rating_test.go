package trust

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// What memories in these tests say, and where they come from.
const (
	port   = "the port is 9443"
	broker = "the broker is Kafka"
	host   = "the host is kestrel"
)

var (
	ofPage     = run("", core.ContextOutside+"wiki.test")
	remembered = run("remember/1", core.ContextRemember)
	corrected  = run("correct/1", core.ContextCorrect)
)

// told is a rating in words: what is true of it, its tier and level, where it stands in a pack, and what is said of it.
func told(it *store.Item, v *Rating) string {
	var is []string
	for _, one := range []struct {
		name string
		so   bool
	}{
		{"actionable", v.Actionable}, {"approved", v.approved}, {"decided", v.Decided()}, {"own", v.own},
		{"external", v.External}, {"tainted", v.Tainted}, {"disputed", v.Disputed}, {"stranger", v.stranger},
		{"self", v.self}, {"bare", v.bare}, {"held", v.Held}, {"words", v.Words}, {"member", v.Member},
	} {
		if one.so {
			is = append(is, one.name)
		}
	}
	for _, name := range v.After {
		is = append(is, "after "+name)
	}
	for _, up := range v.Upstream {
		is = append(is, "upstream "+up.Why)
	}
	if len(v.Fallen) > 0 {
		is = append(is, fmt.Sprint(len(v.Fallen), " fallen"))
	}
	is = append(is, fmt.Sprintf("%s %s %d", core.Or(string(v.Tier), "no tier"), v.Level, v.Score))
	out := strings.Join(is, " ") + "; in " + v.Section(it)
	for _, says := range []struct{ what, text, usual string }{
		{"for ", v.Why(it.Record), ""}, {"not for ", v.WhyNot(), ""}, {"unbound for ", v.Unbound(), NotApproved},
	} {
		if says.text != says.usual {
			out += "; " + says.what + says.text
		}
	}
	return out
}

var ratings = []struct {
	what string
	of   func(c *cast) *store.Item
	want string
}{
	{"an agent's", func(c *cast) *store.Item { return c.holds(c.agent, belief(port)) },
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"an agent's that the reader approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port)), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	{"an agent's that a friend approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port)), c.friend)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	{"an agent's that a stranger approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port)), c.unknown)
	},
		"own stranger inferred unverified 3000; in observed; not for approved by a stranger alone; unbound " +
			"for approved by a stranger"},
	{"the reader's", func(c *cast) *store.Item { return c.holds(c.owner, belief(port)) },
		"own hypothesis unverified 3000; in observed; not for no person approved it"},
	{"a friend's", func(c *cast) *store.Item { return c.holds(c.friend, belief(port)) },
		"external tainted hypothesis unverified 3000; in unverified; not for external and unconfirmed"},
	{"a friend's that they approved", func(c *cast) *store.Item {
		return approved(c.holds(c.friend, belief(port)), c.friend)
	},
		"external tainted stranger self hypothesis unverified 3000; in unverified; not for approved by its " +
			"author alone; unbound for approved by its author alone"},
	{"a friend's that the reader approved", func(c *cast) *store.Item {
		return approved(c.holds(c.friend, belief(port)), c.owner)
	},
		"actionable approved decided observed unverified 3000; in verified; for approved"},
	{"a friend's that the reader confirms", func(c *cast) *store.Item {
		it := c.holds(c.friend, belief(port))
		c.witness(it, c.owner, score.Confirm)
		return it
	},
		"actionable external hypothesis attested 5000; in unverified"},
	{"a stranger's", func(c *cast) *store.Item { return c.holds(c.unknown, belief(port)) },
		"external tainted hypothesis unverified 0; in unverified; not for external and unconfirmed"},
	{"a stranger's that a friend approved", func(c *cast) *store.Item {
		return approved(c.holds(c.unknown, belief(port)), c.friend)
	},
		"actionable approved decided observed unverified 0; in verified; for approved"},
	{"a stranger's with two voices for it", func(c *cast) *store.Item {
		it := c.holds(c.unknown, belief(port))
		c.witness(it, c.owner, score.Confirm)
		c.witness(it, c.friend, score.Confirm)
		return it
	},
		"external hypothesis unverified 2000; in unverified; not for unknown key"},
	{"of a foreign store", func(c *cast) *store.Item {
		c.foreign = true
		return approved(c.holds(c.owner, belief(port)), c.owner)
	},
		"external tainted stranger self hypothesis unverified 3000; in unverified; not for approved by its " +
			"author alone; unbound for approved by its author alone"},
	{"an import", func(c *cast) *store.Item {
		return c.holds(c.owner.as(memory.OriginImport), belief(port))
	},
		"external tainted inferred unverified 0; in unverified; not for external and unconfirmed"},
	// what a person typed
	{"a value", func(c *cast) *store.Item { return c.holds(c.owner, &memory.Value{Name: "be brief"}) },
		"actionable approved decided own observed unverified 3000; in values; for typed by a person"},
	{"a value of a file", func(c *cast) *store.Item {
		return c.holds(c.owner, &memory.Value{Name: "be brief"}, run("", core.EditContext))
	},
		"own hypothesis unverified 3000; in observed; not for no person approved it"},
	{"a value that was rejected", func(c *cast) *store.Item {
		return reviewed(c.holds(c.owner, &memory.Value{Name: "be brief"}), state.ReviewRejected)
	},
		"own hypothesis unverified 3000; in observed; not for it is rejected"},
	{"a value by an agent", func(c *cast) *store.Item { return c.holds(c.agent, &memory.Value{Name: "be brief"}) },
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"a value by a friend", func(c *cast) *store.Item { return c.holds(c.friend, &memory.Value{Name: "be brief"}) },
		"external tainted hypothesis unverified 3000; in unverified; not for external and unconfirmed"},
	{"a goal", func(c *cast) *store.Item { return c.holds(c.owner, &memory.Goal{Title: "ship"}) },
		"actionable approved decided own observed unverified 3000; in goals; for typed by a person"},
	{"a goal that was reached", func(c *cast) *store.Item {
		it := c.holds(c.owner, &memory.Goal{Title: "ship"})
		it.State.Done = true
		return it
	},
		"actionable approved decided own observed unverified 3000; in observed; for typed by a person"},
	{"an agent's goal", func(c *cast) *store.Item { return c.holds(c.agent, &memory.Goal{Title: "ship"}) },
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"a goal that was reached and approved", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, &memory.Goal{Title: "ship"}), c.owner)
		it.State.Done = true
		return it
	},
		"actionable approved decided own observed unverified 3000; in unverified; for approved"},
	{"a drive", func(c *cast) *store.Item { return c.holds(c.owner, &memory.Drive{Type: "curiosity", Intensity: 500}) },
		"actionable approved decided own observed unverified 3000; in drives; for typed by a person"},
	// constraints
	{"a constraint", func(c *cast) *store.Item { return c.holds(c.agent, note(ConstraintType)) },
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"a constraint that was approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, note(ConstraintType)), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in constraints; for approved"},
	{"a constraint that a stranger approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, note(ConstraintType)), c.unknown)
	},
		"own stranger inferred unverified 3000; in observed; not for approved by a stranger alone; unbound " +
			"for approved by a stranger"},
	{"another note that was approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, note("insight")),
			c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	// what is no longer shown
	{"one that was replaced", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, belief(port)), c.owner)
		it.State.SupersededBy = memory.ID{9}
		return it
	},
		"approved decided own observed unverified 3000; in unverified; for approved; not for it is superseded"},
	{"one that was quarantined", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, belief(port)), c.owner)
		it.State.Quarantined = true
		return it
	},
		"approved decided own observed unverified 3000; in unverified; for approved; not for it is " +
			"quarantined"},
	{"one of which something is missing", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, belief(port)), c.owner)
		it.Doubt = store.Withheld
		return it
	},
		"own stranger self inferred unverified 3000; in unverified; for cannot be verified here; not for it " +
			"cannot be verified here; unbound for not verified"},
	{"a forged one", func(c *cast) *store.Item {
		it := c.holds(c.agent, belief(port))
		it.Doubt = store.Forged
		return it
	},
		"own inferred rejected 3000; in unverified; not for its signature is wrong; unbound for not verified"},
	{"a confirmed one of which something is missing", func(c *cast) *store.Item {
		it := c.holds(c.friend, belief(port))
		c.witness(it, c.owner, score.Confirm)
		it.Doubt = store.Withheld
		return it
	},
		"external hypothesis unverified 5000; in unverified; for cannot be verified here; not for it cannot " +
			"be verified here; unbound for not verified"},
	{"one that is over", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), func(h *memory.Header) { h.ValidUntil = memory.At(noon) }), c.owner)
	},
		"approved decided own observed unverified 3000; in unverified; for approved; not for it held until " +
			"2026-03-01"},
	{"one that is not over", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), func(h *memory.Header) {
			h.ValidUntil = memory.At(noon.Add(time.Second))
		}), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	{"one that does not hold yet", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), func(h *memory.Header) {
			h.ValidFrom = memory.At(noon.Add(24 * time.Hour))
		}), c.owner)
	},
		"approved decided own observed unverified 3000; in unverified; for approved; not for it holds from " +
			"2026-03-02"},
	{"one that holds from now on", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), func(h *memory.Header) { h.ValidFrom = memory.At(noon) }), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	// disputes
	{"one that a friend disputes", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, belief(port)), c.owner)
		c.witness(it, c.friend, score.Dispute)
		return it
	},
		"approved decided own disputed observed unverified 1500; in unverified; for approved; not for " +
			"disputed; unbound for disputed"},
	{"one that its author disputes", func(c *cast) *store.Item {
		it := approved(c.holds(c.friend, belief(port)), c.owner)
		c.witness(it, c.friend, score.Dispute)
		return it
	},
		"approved decided disputed observed unverified 1500; in unverified; for approved; not for disputed; " +
			"unbound for disputed"},
	{"one that a stranger disputes", func(c *cast) *store.Item {
		it := approved(c.holds(c.agent, belief(port)), c.owner)
		c.witness(it, c.unknown, score.Dispute)
		return it
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	// sources
	{"captured words", func(c *cast) *store.Item { return c.holds(c.agent, captured("take 9443")) },
		"own no tier unverified 3000; in unverified; not for no person approved it"},
	{"of captured words", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), from(c.holds(c.owner, captured("take 9443"))))
	},
		"own observed unverified 3000; in observed; for 1 raw; not for no person approved it"},
	{"of captured words, and approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), from(c.holds(c.owner, captured("take 9443")))), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	{"of its own statement", func(c *cast) *store.Item {
		raw := c.holds(c.agent, captured("take 9443"), remembered)
		return c.holds(c.agent, belief(port), from(raw), remembered)
	},
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"of a rejected one", func(c *cast) *store.Item {
		up := reviewed(c.holds(c.agent, belief(broker)), state.ReviewRejected)
		return c.holds(c.agent, belief(port), from(up))
	},
		"own bare upstream rejected 1 fallen inferred unverified 3000; in observed; not for no person " +
			"approved it"},
	{"of a rejected one, and approved", func(c *cast) *store.Item {
		up := reviewed(c.holds(c.agent, belief(broker)), state.ReviewRejected)
		return approved(c.holds(c.agent, belief(port), from(up)), c.owner)
	},
		"approved decided own bare upstream rejected 1 fallen inferred unverified 3000; in unverified; not " +
			"for none of its sources counts any more"},
	{"a constraint of a rejected one, and approved", func(c *cast) *store.Item {
		up := reviewed(c.holds(c.agent, belief(broker)), state.ReviewRejected)
		return approved(c.holds(c.agent, note(ConstraintType), from(up)), c.owner)
	},
		"actionable approved decided own bare upstream rejected 1 fallen inferred unverified 3000; in " +
			"constraints"},
	{"of a rejected one and of another, and approved", func(c *cast) *store.Item {
		up := reviewed(c.holds(c.agent, belief(broker)), state.ReviewRejected)
		return approved(c.holds(c.agent, belief(port), from(up, c.holds(c.owner, belief(host)))), c.owner)
	},
		"actionable approved decided own upstream rejected 1 fallen observed unverified 3000; in verified; " +
			"for approved, 1 belief, 1 source no longer counts"},
	{"of what rests on a rejected one", func(c *cast) *store.Item {
		up := reviewed(c.holds(c.agent, belief(broker)), state.ReviewRejected)
		return c.holds(c.agent, belief(port), from(c.holds(c.agent, belief(host), from(up))))
	},
		"own upstream rejected inferred unverified 3000; in observed; not for no person approved it"},
	{"of a friend's", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), from(c.holds(c.friend, belief(broker))))
	},
		"own tainted inferred unverified 3000; in unverified; not for external and unconfirmed"},
	{"of a friend's that the reader approved", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), from(approved(c.holds(c.friend, belief(broker)), c.owner)))
	},
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"of a stranger's", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), from(c.holds(c.unknown, belief(broker))))
	},
		"own tainted inferred unverified 0; in unverified; not for external and unconfirmed"},
	{"of a stranger's, and approved", func(c *cast) *store.Item {
		return approved(c.holds(c.agent, belief(port), from(c.holds(c.unknown, belief(broker)))), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in verified; for approved"},
	{"of a stranger's, and confirmed", func(c *cast) *store.Item {
		it := c.holds(c.agent, belief(port), from(c.holds(c.unknown, belief(broker))))
		c.witness(it, c.friend, score.Confirm)
		return it
	},
		"actionable own inferred attested 5000; in observed"},
	{"of what is not held", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), func(h *memory.Header) {
			h.Provenance.From, h.Provenance.Via = []memory.Ref{{Kind: memory.KindNote, ID: memory.ID{7}}}, memory.ViaInference
		})
	},
		"own tainted inferred unverified 0; in unverified; not for external and unconfirmed"},
	{"of captured words that were purged", func(c *cast) *store.Item {
		raw := memory.Ref{Kind: memory.KindRaw, ID: memory.ID{7}}
		c.gone[raw.ID] = raw
		return c.holds(c.agent, belief(port), func(h *memory.Header) {
			h.Provenance.From, h.Provenance.Via = []memory.Ref{raw}, memory.ViaInference
		})
	},
		"own observed unverified 3000; in observed; for 1 raw; not for no person approved it"},
	{"of a note that was purged", func(c *cast) *store.Item {
		gone := memory.Ref{Kind: memory.KindNote, ID: memory.ID{7}}
		c.gone[gone.ID] = gone
		return c.holds(c.agent, belief(port), func(h *memory.Header) {
			h.Provenance.From, h.Provenance.Via = []memory.Ref{gone}, memory.ViaInference
		})
	},
		"own tainted observed unverified 0; in unverified; for 1 note; not for external and unconfirmed"},
	// what its author had been shown
	{"after outside words that it repeats", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured(port), ofPage)
		return c.holds(c.agent, belief(port), shown(page), after(ext.Repeats))
	},
		"own tainted held words after wiki.test inferred unverified 3000; in unverified; not for external " +
			"and unconfirmed"},
	{"after outside words", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured("the host is asleep"), ofPage)
		return c.holds(c.agent, belief(port), shown(page), after(ext.HadRead))
	},
		"own after wiki.test inferred unverified 3000; in observed; not for no person approved it"},
	{"after outside words, with a person's", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured(port), ofPage)
		return c.holds(c.agent, note(ConstraintType), shown(page), after(ext.SaidThere))
	},
		"own after wiki.test inferred unverified 3000; in observed; not for no person approved it"},
	{"a constraint after outside words", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured("the host is asleep"), ofPage)
		return c.holds(c.agent, note(ConstraintType), shown(page), after(ext.HadRead))
	},
		"own held after wiki.test inferred unverified 3000; in unverified; not for no person approved it"},
	{"a constraint that says it was after outside words, and was not", func(c *cast) *store.Item {
		return c.holds(c.agent, note(ConstraintType), shown(c.holds(c.agent, belief(host))), after(ext.HadRead))
	}, "own inferred unverified 3000; in observed; not for no person approved it"},
	{"a constraint after outside words, and approved", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured("the host is asleep"), ofPage)
		return approved(c.holds(c.agent, note(ConstraintType), shown(page), after(ext.HadRead)), c.owner)
	},
		"actionable approved decided own observed unverified 3000; in constraints; for approved"},
	{"after outside words that its program did not compare, and repeats", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured("the payments port is 9443"))
		return c.holds(c.agent, belief("the payments port is 9443"), shown(page))
	},
		"own tainted held words after a tool inferred unverified 3000; in unverified; not for external and " +
			"unconfirmed"},
	{"after outside words that its program did not compare", func(c *cast) *store.Item {
		page := c.holds(c.tool, &memory.Raw{Text: "logs are kept for a week", Speaker: "curl"})
		return c.holds(c.agent, belief("the payments port is 9443"), shown(page))
	},
		"own after curl inferred unverified 3000; in observed; not for no person approved it"},
	{"captured words after outside words that it repeats", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured("the payments port is 9443"))
		return c.holds(c.agent, captured("the payments port is 9443"), shown(page))
	},
		"own tainted held words after a tool no tier unverified 3000; in unverified; not for external and " +
			"unconfirmed"},
	{"after outside words that a person approved", func(c *cast) *store.Item {
		page := approved(c.holds(c.friend, belief("the payments port is 9443")), c.owner)
		return c.holds(c.agent, belief("the payments port is 9443"), shown(page))
	},
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"after what is not held", func(c *cast) *store.Item {
		return c.holds(c.agent, belief(port), func(h *memory.Header) { h.Recalled = []memory.ID{{7}} })
	},
		"own after words of others inferred unverified 3000; in observed; not for no person approved it"},
	{"after captured words that were purged", func(c *cast) *store.Item {
		c.gone[memory.ID{7}] = memory.Ref{Kind: memory.KindRaw, ID: memory.ID{7}}
		return c.holds(c.agent, belief(port), func(h *memory.Header) { h.Recalled = []memory.ID{{7}} })
	},
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"a friend's after what is not held", func(c *cast) *store.Item {
		return c.holds(c.friend, belief(port), func(h *memory.Header) { h.Recalled = []memory.ID{{7}} })
	},
		"external tainted hypothesis unverified 3000; in unverified; not for external and unconfirmed"},
	{"after what an agent wrote of outside words", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured(port), ofPage)
		up := c.holds(c.agent, belief(port), from(page))
		return c.holds(c.agent, belief("the payments port is 9443"), shown(up), after(ext.HadRead))
	},
		"own after wiki.test inferred unverified 3000; in observed; not for no person approved it"},
	{"of its own statement after outside words that it repeats", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured(port), ofPage)
		raw := c.holds(c.agent, captured("take 9443"), remembered, shown(page), after(ext.HadRead))
		return c.holds(c.agent, belief(port), from(raw), remembered, after(ext.Repeats))
	},
		"own tainted held words after wiki.test inferred unverified 3000; in unverified; not for external " +
			"and unconfirmed"},
	{"of its own statement after outside words", func(c *cast) *store.Item {
		page := c.holds(c.tool, captured(port), ofPage)
		raw := c.holds(c.agent, captured("take 9443"), remembered, shown(page), after(ext.Repeats))
		return c.holds(c.agent, note(ConstraintType), from(raw), remembered, after(ext.SaidThere))
	},
		"own after wiki.test inferred unverified 3000; in observed; not for no person approved it"},
	{"a correction by a person of a friend's", func(c *cast) *store.Item {
		old := c.holds(c.friend, belief("the port is 8080"))
		raw := c.holds(c.owner, captured("the payments port is 9443"), corrected)
		return c.holds(c.owner, belief("the payments port is 9443"), from(old, raw), corrected,
			func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{old.Ref}
			})
	},
		"own inferred unverified 3000; in observed; not for no person approved it"},
	{"a correction by a person of whose words none are held", func(c *cast) *store.Item {
		old := c.holds(c.friend, belief("the port is 8080"))
		raw := &store.Item{Ref: memory.Ref{Kind: memory.KindRaw, ID: memory.ID{7}}}
		return c.holds(c.owner, belief("the payments port is 9443"), from(old, raw), corrected,
			func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{old.Ref}
			})
	}, "own tainted hypothesis unverified 0; in unverified; not for external and unconfirmed"},
	{"a correction by a person that has the old words in it", func(c *cast) *store.Item {
		old := c.holds(c.friend, belief("the port is 8080"))
		raw := c.holds(c.owner, captured("the port is 8080 no more"), corrected)
		return c.holds(c.owner, belief("the port is 8080 no more"), from(old, raw), corrected,
			func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{old.Ref}
			})
	},
		"own tainted inferred unverified 3000; in unverified; not for external and unconfirmed"},
}

func TestRatings(t *testing.T) {
	for _, tt := range ratings {
		c := newCast(t)
		it := tt.of(c)
		if got := told(it, c.Rate(it)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.what, got, tt.want)
		}
	}
}
