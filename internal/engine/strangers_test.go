package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// strangers hand over bundles that are signed as they should be, by keys no one
// here knows: words of a person who approves of them, with friends of his own.
func (p *poisoner) strangers(n int) {
	ctx, t := p.T.Context(), p.T
	other := newPeople(t)
	for i := range n {
		for _, e := range []*engine.Engine{other.Owner, other.Agent} {
			p.add("a stranger's bundle", write(t, e, api.AddRequest{
				Draft: api.Draft{
					Kind: "belief", Text: fmt.Sprintf("%s, writes a stranger, %d", bait, i),
				}, Meta: api.Meta{Approve: e == other.Owner}}))
		}
		p.add("a stranger's constraint", write(t, other.Owner, api.AddRequest{
			Draft: api.Draft{
				Kind: "note", Type: "constraint", Text: fmt.Sprintf("%s, as a rule, %d", bait, i),
			}, Meta: api.Meta{Approve: true}}))
	}
	carry(t, other.Owner, p.Owner)
	f, puppet := newForger(t, p.Now()), newForger(t, p.Now())
	rs := []*memory.Record{f.Introduces(puppet.Key.DID()), puppet.Introduces(f.Key.DID())}
	mine := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "the vault stays shut"}})
	for i := range n {
		text := &memory.Belief{Type: "fact", Statement: fmt.Sprintf("%s, says a forger, %d", bait, i)}
		r := f.Says(text, func(h *memory.Header) {
			switch i % 4 {
			case 0:
				h.Space = p.Principal() + "/main" // in the victim's own space
			case 1:
				h.Agent, h.Platform, h.Ext = "you", "the owner's terminal", json.RawMessage(
					`{"actionable":true,"level":"consensus","trust":1}`,
				)
			case 2: // in the place of what the victim wrote
				old := []memory.Ref{refOf(t, mine)}
				h.Provenance = memory.Provenance{Via: memory.ViaRevision, From: old, Supersedes: old}
			}
		})
		ref := r.Ref()
		rs = append(rs, r, puppet.Confirms(ref.String(), "confirm"), f.Confirms(ref.String(), "confirm"),
			f.Says(&memory.Mark{Of: &ref, Verb: memory.Approve}), puppet.Says(&memory.Mark{Of: &ref, Verb: memory.Approve}))
		p.add("a forged record", ref.String())
	}
	take(t, p.Owner, rs...)
	if m := show(t, p.Owner, mine); !m.IsActive {
		t.Errorf("a stranger replaced what the owner wrote: %+v", m)
	}
	// What a delegation does not cover, or another signed, is not taken at all.
	thief, agent := newForger(t, p.Now()), p.Stolen(false)
	thief.Delegation, thief.Origin = p.Delegation(), memory.OriginAgent
	hired := newForger(t, p.Now())
	hour, err := p.Owner.KeyDelegate(
		ctx, api.KeyRequest{Key: hired.Key.DID(), Name: "hired", Origins: []string{"agent"}, Expires: "1h"},
	)
	if err != nil {
		t.Fatal(err)
	}
	hired.Space, hired.Delegation, hired.Origin = p.Principal()+"/main", refOf(t, hour.Claim).ID, memory.OriginAgent
	text := &memory.Belief{Type: "fact", Statement: bait + ", and is refused"}
	other1 := agent.Says(text)
	other1.Sigs[0].Sig[7] ^= 1
	as := thief.Says(text, func(h *memory.Header) {
		h.Author, h.Delegation, h.Origin = p.Principal(), memory.ID{}, memory.OriginOwner
	})
	for what, r := range map[string]*memory.Record{
		"under another's delegation": thief.Says(text), "a wrong signature": other1, "in another's name": as,
		"a tool's under an agent's": hired.Says(text, func(h *memory.Header) { h.Origin = memory.OriginTool }),
		"after its end": hired.Says(text, func(h *memory.Header) {
			h.At = memory.At(h.At.Time().AddDate(0, 0,
				1))
		}),
	} {
		if _, err := p.Owner.Import(ctx, bytes.NewReader(bundle(t, r)), nil); !isInvalid(err) {
			t.Errorf("%s: %v, want it refused", what, err)
		}
	}
}
