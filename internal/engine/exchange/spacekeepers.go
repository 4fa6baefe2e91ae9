package exchange

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
)

// remoteSpaces returns the spaces that a remote exchanges, in order.
func (e *Exchange) remoteSpaces(ctx context.Context, remote string) ([]string, error) {
	names, err := e.First().NoteNames(ctx, peer.PlacesOf+remote)
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []string
	for _, name := range names {
		who, space, ok := peer.PlaceName(name)
		of, _, _ := strings.Cut(who, ".")
		if ok && of == remote && strings.Contains(space, "/") && !slices.Contains(out, space) {
			out = append(out, space)
		}
	}
	sorting.By(out, strings.Compare)
	return out, nil
}

// aloneOwns reports whether an owner of a space is the reader, who also began it.
func aloneOwns(v *trust.Context, k api.RemoteMember) bool {
	return v.Ring.Principal(k.Account) == v.Root && v.Root == store.OwnerOf(k.Space)
}

// keepersOf returns the owner of a space and those who keep it, by the signed words of its owners.
func keepersOf(v *trust.Context, space string) []api.RemoteMember {
	owner, _ := v.Ring.Owner(space)
	whom := []string{owner}
	for _, a := range v.Ring.Appointments(space) {
		if !slices.Contains(whom, a.Whom) {
			whom = append(whom, a.Whom)
		}
	}
	accepted := v.Ring.Acceptances(v.Root)
	var out []api.RemoteMember
	for i, p := range whom {
		k := api.RemoteMember{Space: space, Account: v.Ring.Current(p), Name: v.NameOf(p), Role: string(store.Keeper)}
		if i == 0 {
			k.Role = "owner"
		}
		k.Accepted = slices.ContainsFunc(accepted, func(a state.Acceptance) bool {
			return a.Whom == p && a.Space == space
		})
		out = append(out, k)
	}
	return out
}
