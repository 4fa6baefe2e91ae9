package state

import (
	"slices"
)

// Keys returns the keys that speak or spoke for a principal: those of its history, and those they delegated to.
func (k *Keyring) Keys(principal string) []string {
	if principal == "" {
		return nil
	}
	out := slices.Clone(k.History(principal))
	for _, d := range k.delegations {
		if k.Principal(d.Header.Author) == principal {
			out = append(out, d.Body.Key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
