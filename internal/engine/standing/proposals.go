package standing

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/trust"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// mostProposals is where counting proposals stops.
const mostProposals = 20_000

// ByRule reports whether a detector is one of the rules: no model, and nobody who names both memories.
func ByRule(detector string) bool {
	return strings.HasPrefix(detector, "rules") || detector == SaidSince || detector == SaidAgain
}

// How proposals are counted.
const (
	ProposalsForAgent  = "for_agent"  // between agents' own memories: an agent settles them
	ProposalsForPerson = "for_person" // the others that somebody has to decide
	ProposalsDecided   = "decided"    // ended by a decision about them, or about a memory that they tie
	ProposalsLetGo     = "let_go"     // not settled in time
)

// Proposals counts the proposals of rules and models: those that wait, for whom, and how the others ended.
func (e *Standings) Proposals(rd *trust.Reading) (map[string]int, error) {
	n, looked := NoProposals(), 0
	err := e.EachLink(rd, true, func(l api.LinkView) bool {
		CountProposal(n, &l)
		looked++
		return looked < mostProposals
	})
	return n, err
}

// NoProposals is the count of none.
func NoProposals() map[string]int {
	return map[string]int{ProposalsForAgent: 0, ProposalsForPerson: 0, ProposalsDecided: 0, ProposalsLetGo: 0}
}

// CountProposal counts one link.
func CountProposal(n map[string]int, l *api.LinkView) {
	if l.Relation != memory.Update && l.Relation != memory.Contradict {
		return
	}
	switch l.State {
	case LinkOpen, LinkProposed:
		if l.For == ForAgent {
			n[ProposalsForAgent]++
		} else if l.State == LinkOpen {
			n[ProposalsForPerson]++
		}
	case LinkLetGo:
		n[ProposalsLetGo]++
	case linkRejected, linkOver, LinkKept:
		if ByRule(l.Detector) || l.Model != "" {
			n[ProposalsDecided]++
		}
	}
}
