package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// all in place of keys is each keeper that is listed.
const allKeepers = "all"

// acceptKeepers fetches what a new remote has and accepts keepers of its spaces: those that are
// named, or those that a person at the terminal chooses. Nothing is accepted without their word.
func (a *app) acceptKeepers(ctx context.Context, remote string, named []string) error {
	if _, err := call(ctx, a, (*engine.Engine).Sync, api.SyncRequest{Remote: remote, Pull: true}); err != nil {
		return err
	}
	r, err := call(ctx, a, (*engine.Engine).RemoteMembers, api.RemoteMembersRequest{Remote: remote, Keepers: true})
	if err != nil {
		return err
	}
	r.Members = slices.DeleteFunc(r.Members, func(m api.RemoteMember) bool { return m.Name == "you" || m.Accepted })
	if len(named) == 0 {
		if named, err = a.askKeepers(remote, r); err != nil {
			return unlessQuit(err)
		}
	}
	if slices.Contains(named, allKeepers) {
		named = nil
		for _, m := range r.Members {
			if !slices.Contains(named, m.Account) {
				named = append(named, m.Account)
			}
		}
	}
	for _, did := range named {
		in := api.RemoteMemberRequest{Remote: remote, Account: did, Role: "accepted"}
		if _, err := call(ctx, a, (*engine.Engine).RemoteMemberSet, in); err != nil {
			return err
		}
		a.hint("accepted as keeper: %s", clean(did))
	}
	return nil
}

// askKeepers shows who keeps the spaces of a remote and asks once whose word about members counts.
func (a *app) askKeepers(remote string, r api.RemoteMembersReply) ([]string, error) {
	if len(r.Members) == 0 {
		return nil, nil
	}
	if err := a.showKeepers(r); err != nil {
		return nil, err
	}
	in := a.typing()
	for {
		answer, err := a.ask(in, "May they vouch for members of their spaces? Compare keys first. "+
			"all, none or a key [none] ")
		if err != nil {
			return nil, err
		}
		switch {
		case answer == "" || strings.EqualFold(answer, "none") || strings.EqualFold(answer, "n"):
			a.hint("to accept a keeper later: stemma remote keeper accept %s ACCOUNT", remote)
			return nil, nil
		case strings.EqualFold(answer, allKeepers):
			return []string{allKeepers}, nil
		case slices.ContainsFunc(r.Members, func(m api.RemoteMember) bool { return m.Account == answer }):
			return []string{answer}, nil
		}
		a.hint("%s is not one of the answers", quoted(answer, 60))
	}
}
