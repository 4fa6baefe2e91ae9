package views

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// mostProposals is where counting proposals stops.
const mostProposals = 20_000

// ByRule reports whether a detector is one of the rules: no model, and nobody who names both memories.
func ByRule(detector string) bool {
	return strings.HasPrefix(detector, "rules") || detector == SaidSince || detector == SaidAgain
}

// Proposals counts the proposals of rules and models: those that wait, for whom, and how the others ended.
func (e *Views) Proposals(ctx context.Context) (api.ProposalCount, error) {
	var n api.ProposalCount
	looked := 0
	err := e.EachLink(ctx, true, func(l api.LinkView) bool {
		CountProposal(&n, &l)
		looked++
		n.More = looked == mostProposals
		return !n.More
	})
	return n, err
}

// CountProposal counts one link.
func CountProposal(n *api.ProposalCount, l *api.LinkView) {
	if l.Relation != memory.Update && l.Relation != memory.Contradict {
		return
	}
	switch l.State {
	case LinkOpen, LinkProposed:
		if l.For == ForAgent {
			n.Agent++
		} else if l.State == LinkOpen {
			n.Person++
		}
	case LinkLetGo:
		n.LetGo++
	case linkRejected, linkOver, LinkKept:
		if ByRule(l.Detector) || l.Model != "" {
			n.Decided++
		}
	}
}
