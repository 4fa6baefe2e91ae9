package browse

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// wantsDecision asks whether to approve or reject: on a page its memory, in a
// list the selected one.
func (m *Model) wantsDecision(approve bool) {
	d := &decision{approve: approve}
	switch p := m.here().(type) {
	case *page:
		d.ref, d.words = p.shown.Ref, p.shown.Headline
	case *hits:
		r, ok := m.current()
		if !ok {
			return
		}
		d.ref = r.ref
		for _, h := range p.found {
			if h.ref == r.ref {
				d.words = h.words
			}
		}
	}
	kind, _, _ := strings.Cut(d.ref, ":")
	switch {
	case !m.o.Decide:
		m.say("only a person at a terminal decides; you are looking on")
	case kind == string(memory.KindRaw):
		m.say("captures cannot be decided on; decide on the memories made from them")
	default:
		m.confirm = d
	}
}

// decided carries out a confirmed decision; only y confirms. A rejection may have a reason.
func (m *Model) decided(ctx context.Context, k Key) {
	d := m.confirm
	m.confirm = nil
	switch {
	case k != "y" && k != "Y":
		m.say("left as it was")
	case d.approve:
		r, err := m.ask.Approve(ctx, api.DecideRequest{Refs: []string{d.ref}})
		m.after(ctx, d, r, err)
	default:
		m.line = &prompt{label: "why (enter for no reason, escape leaves it): ", then: func(ctx context.Context, why string) {
			r, err := m.ask.Reject(ctx, api.DecideRequest{Refs: []string{d.ref}, Reason: why})
			m.after(ctx, d, r, err)
		}}
	}
}

// after shows what a decision did.
func (m *Model) after(ctx context.Context, d *decision, r api.DecideReply, err error) {
	if err != nil {
		m.fail(err)
		return
	}
	m.reload(ctx)
	if m.message != "" {
		return
	}
	status := "it was so already"
	for _, x := range r.Memories {
		if r.Claim != "" {
			status = or(x.Review, "not reviewed") + ", " + or(x.Tier, "no tier")
		}
		if x.Hidden != "" {
			status += ", " + x.Hidden
		}
	}
	m.say(shortRef(d.ref) + ": " + status)
}
