package state

import (
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// accepts begins the name of an introduction that is an acceptance: a person lets a keeper of a
// space say who its members are.
const accepts = "accepted as keeper of "

// AcceptanceName returns the name of an introduction that accepts a keeper of a space.
func AcceptanceName(space string) string { return accepts + space }

// accepted returns the space of which an introduction accepts a keeper, "" where it is none.
func accepted(b *memory.Key) string {
	space, ok := strings.CutPrefix(b.Name, accepts)
	if !ok || b.Op != memory.OpIntroduce {
		return ""
	}
	return space
}

// An Acceptance is one person's word that a keeper of a space may say who its members are.
type Acceptance struct {
	Introduction
	Space string
}

// Acceptances returns those of a person that they did not take back.
func (k *Keyring) Acceptances(principal string) []Acceptance {
	var out []Acceptance
	for _, b := range k.accepts {
		v, fault := k.speaks(b.Record)
		if fault != Sound || !v.Owner || v.Principal != principal || principal == "" || k.takenBack(b, v) {
			continue
		}
		out = append(out, Acceptance{
			Introduction{v.Principal, k.Principal(b.Body.Key), b.Body.Key, "", b.Record}, accepted(b.Body),
		})
	}
	return out
}
