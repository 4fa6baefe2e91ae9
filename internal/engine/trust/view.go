package trust

import (
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// WhyNot says in a few words why no one should act on a memory without asking; ""
// if they may.
func (v *Rating) WhyNot() string {
	switch {
	case v.Actionable:
		return ""
	case v.Doubt == store.Withheld:
		return "it cannot be verified here"
	case v.Level == score.Rejected:
		return "its signature is wrong"
	case !v.State.Live():
		return "it is " + core.Hidden(&v.State)
	case v.Disputed && v.State.Disputes > 0:
		return "disputed"
	case v.Over != "":
		return "it " + v.Over
	case v.stranger && v.self:
		return "approved by its author alone"
	case v.stranger:
		return "approved by a stranger alone"
	case v.Tainted:
		return "external and unconfirmed"
	case v.approved && v.bare:
		return "none of its sources counts any more"
	case len(v.Flags) > 0:
		return strings.ReplaceAll(strings.Join(v.Flags, ", "), "_", " ")
	}
	return "no person approved it"
}

// Conditions says which conditions of the tiers a memory meets: an approval is none where nothing is left of what
// the memory was made of, and a person's verification is named beside an agent's.
func (v *Rating) Conditions(it *store.Item) []api.Condition {
	out := core.Conditions(it)
	for i := range out {
		switch c := &out[i]; {
		case v == nil || !c.Met:
		case c.Name == "approved" && v.bare:
			c.Met, c.Says = false, c.Says+", but none of its sources counts any more"
		case c.Name == "verified":
			c.Says = core.Or(v.verified.says(), c.Says)
		}
	}
	return out
}

// Ended returns the day until which a memory held that does not hold now, "" for any other.
func (v *Rating) Ended() string {
	day, is := strings.CutPrefix(v.Over, heldUntil)
	if !is {
		return ""
	}
	return day
}

// SourceWords describes a memory's sources: "3 episodes", "1 note", "direct", or the channel
// of a raw. Sources that are no longer valid are counted separately, and where some of the others are of one origin,
// how many origins there are.
func SourceWords(r *memory.Record, v *Rating) string {
	var fallen map[memory.ID]string
	var support Support
	if v != nil {
		fallen, support = v.Fallen, v.Support
	}
	from := r.Header.Provenance.From
	if raw, ok := r.Body.(*memory.Raw); ok {
		return core.Or(raw.Source, "direct")
	}
	if len(from) == 0 {
		switch r.Header.Provenance.Via {
		case memory.ViaTold:
			return "told"
		case memory.ViaImport:
			return "import"
		default:
			return "direct"
		}
	}
	count := make(map[memory.Kind]int)
	var order []memory.Kind
	for _, ref := range from {
		if fallen[ref.ID] != "" {
			continue
		}
		if count[ref.Kind] == 0 {
			order = append(order, ref.Kind)
		}
		count[ref.Kind]++
	}
	var parts []string
	for _, k := range order {
		parts = append(parts, core.Plural(count[k], string(k)))
	}
	if origins := support.Words(); origins != "" {
		parts = append(parts, origins)
	}
	if len(fallen) > 0 {
		parts = append(parts, NoLonger(len(fallen)))
	}
	return strings.Join(parts, ", ")
}

// NoLonger says how many sources no longer count.
func NoLonger(n int) string {
	if n == 1 {
		return "1 source no longer counts"
	}
	return strconv.Itoa(n) + " sources no longer count"
}

// Witness shows one witness.
func (v *Context) Witness(w Verdict, refused map[memory.ID]string) api.TrustWitness {
	why, no := refused[w.ID]
	name := v.NameOf(w.Controller)
	if w.agent {
		name = "agent"
		if h := &w.record.Header; h.Agent != "" {
			name += " " + shorten.To(h.Agent, 80)
		}
	}
	return api.TrustWitness{
		Ref: w.record.Ref().String(), Controller: core.Or(w.Controller, w.record.Header.Author), Name: name,
		Attestation: w.Says, Notes: w.record.Body.(*memory.Witness).Notes, At: w.record.Header.At.String(), Counts: !no,
		Why:      why,
		Resolved: w.resolved(),
	}
}
