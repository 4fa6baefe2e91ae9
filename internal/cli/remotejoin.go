package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
)

// remoteJoined is what joining with a service file did.
type remoteJoined struct {
	Service string   `json:"service"`
	Account string   `json:"account"`
	Hub     string   `json:"hub"`
	Remote  string   `json:"remote"`
	Spaces  []string `json:"spaces"`
	Role    string   `json:"role"`
	Joined  bool     `json:"joined"`
}

func (a *app) remoteJoinCmd() *cobra.Command {
	c := &cobra.Command{Use: "join FILE", Short: "Make this machine a service account of a hub", Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma remote join ci.json
  STEMMA_JOIN=@/run/secrets/ci.json stemma sync        the same, in a container

Takes the keys of the service from the file and adds the hub as a remote. Writes go
to the first space of the file. The hub must be reachable: it says first that the file
is as it was written. Needs a data directory without keys and without a store: a file
never replaces somebody's keys. Needs no terminal`,
		Annotations: map[string]string{takes: takesName}}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if a.flags.url != "" {
			return ran{api.Invalid("--url: 'remote join' works only on this machine")}
		}
		s, err := a.readService("@" + args[0])
		if err != nil {
			return ran{err}
		}
		out, err := a.remoteJoin(cmd, s)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		fmt.Fprintf(a.env.Stdout, "%s of %s as %s\n", clean(out.Role), clean(out.Spaces[0]), clean(out.Service))
		a.hint("to exchange records: stemma sync")
		return nil
	}
	return c
}

// remoteJoin makes this machine a service, once; again it opens what is there.
func (a *app) remoteJoin(cmd *cobra.Command, s *joinedService) (remoteJoined, error) {
	out := remoteJoined{
		Service: s.Name, Account: s.Account, Hub: s.Hub, Remote: s.Remote, Spaces: s.Spaces, Role: string(s.Role),
	}
	if err := a.roomForService(s); err != nil {
		return out, err
	}
	if now, err := a.service(); err != nil || now != nil && now.Account != s.Account {
		return out, errors.Join(err, a.beService(s))
	}
	if t, err := a.readHubToken(s.Address); err == nil && t.Account == s.Account { // it joined before
		out.Joined = true
		_, err := a.open(cmd.Context())
		return out, err
	}
	if err := a.joinFor(cmd.Context(), s); err != nil {
		return out, err
	}
	out.Joined = true
	_, err := a.open(cmd.Context())
	return out, err
}

// joinFor makes this machine a service once the hub says that it is one. Where the hub refuses, or
// cannot be reached, nothing is written here.
func (a *app) joinFor(ctx context.Context, s *joinedService) error {
	if err := a.roomForService(s); err != nil {
		return err
	}
	if end, err := time.Parse(time.RFC3339, s.Expires); err == nil && time.Now().After(end) {
		return api.Invalid("the service %s ended on %s: ask for another file", clean(s.Name), minute(s.Expires))
	}
	owner, err := s.ring().OwnerKey()
	if err != nil {
		return err
	}
	if _, err = a.joinWith(ctx, s, a.tokenOf(s), owner, s.admitted(ctx)); err != nil {
		return hubProblem(err)
	}
	return a.beService(s)
}
