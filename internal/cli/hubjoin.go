package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
)

// hubJoin shows a hub an invitation and the owner's signature, and keeps its token.
func (a *app) hubJoin(ctx context.Context, t hubToken, code, label string) (client.Joined, error) {
	var of error // of the engine, which names it already
	got, err := a.joinsHub(ctx, t, crowd, func(ch client.Challenge, machine string) (client.Join, error) {
		e, err := a.open(ctx)
		if err != nil {
			of = err
			return client.Join{}, err
		}
		j, err := e.SignJoin(ctx, ch.Hub, ch.Challenge, code, machine)
		if err != nil {
			of = err
			return client.Join{}, err
		}
		out := joinOf(j, ch, label)
		out.Invitation = code
		return out, nil
	})
	if of != nil {
		return client.Joined{}, of
	}
	got.Token = "" // it is in the file, and nobody else's to see
	return got, hubProblem(err)
}

// joinOf is what a hub is sent of what the engine signed.
func joinOf(j exchange.Joining, ch client.Challenge, label string) client.Join {
	var chain []peer.Line
	for _, l := range j.Keys {
		chain = append(chain, l)
	}
	return client.Join{
		Account: j.Account, Key: j.Key, Keys: chain, Name: or(j.Name, label), Label: label, Challenge: ch.Challenge,
		Sig: j.Sig,
	}
}

// crowd is how long somebody who joins waits while a hub lets in others from the same address.
const crowd = 20 * time.Second

func (a *app) hubJoinCmd() *cobra.Command {
	c := &cobra.Command{Use: "join URL", Short: "Join a hub with an invitation", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma hub join https://memory.example.org:7465 --invitation stemma-invitation-…
  stemma hub join https://hub.lan:7465 --invitation stemma-invitation-… --ca ca.pem

Your owner's key signs the request. stemma keeps the token that it receives in your
own directory, readable only by you. Only a person at a terminal can join`}
	var t hubToken
	code := c.Flags().String("invitation", "", "invitation code")
	label := c.Flags().String("label", "", "name of this machine at the hub")
	c.Flags().StringVar(&t.CA, "ca", "", "file of the authority that signed the hub's certificate (default: the system's)")
	c.Flags().BoolVar(&t.Insecure, "insecure-http", false, "allow plain HTTP to another machine")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *code == "" {
			return fmt.Errorf("hub join: needs --invitation CODE")
		}
		t.Address = strings.TrimRight(args[0], "/")
		if t.CA != "" && !filepath.IsAbs(t.CA) {
			t.CA = filepath.Join(a.env.Dir, t.CA)
		}
		a.alone = true
		got, err := a.hubJoin(cmd.Context(), t, *code, *label)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(got)
		}
		fmt.Fprintf(a.env.Stdout, "joined %s as %s\n", clean(got.Hub), got.Account)
		if got.Space != "" {
			fmt.Fprintf(a.env.Stdout, "%s of %s\n", got.Role, clean(got.Space))
		}
		a.hint("to exchange records with it: stemma remote add NAME %s", t.Address)
		return nil
	}
	return c
}
