package core

import (
	"github.com/stemma-memory/stemma/memory"
)

// faultWords says in words why a record speaks for nobody.
func FaultWords(f memory.Fault) string {
	switch f {
	case memory.DelegationInvalid:
		return "its delegation is not held, or does not cover it"
	case memory.KeyExpired:
		return "signed after its delegation had ended"
	case memory.KeyRevoked:
		return "its key was no longer in use when it came"
	case memory.KeyCompromised:
		return "its key was compromised when it came"
	}
	return ""
}
