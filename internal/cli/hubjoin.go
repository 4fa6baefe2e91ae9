package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
)

// hubJoin shows a hub an invitation and the owner's signature, and keeps its token.
func (a *app) hubJoin(ctx context.Context, t hubToken, code, label string) (client.Joined, error) {
	c, err := a.hubSpeaks(t, -1) // a person waits
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	defer c.Close()
	ch, err := c.Challenge(ctx)
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	e, err := a.open(ctx)
	if err != nil {
		return client.Joined{}, err
	}
	j, err := e.SignJoin(ctx, ch.Hub, ch.Challenge, code)
	if err != nil {
		return client.Joined{}, err
	}
	var chain []peer.Line
	for _, l := range j.Keys {
		chain = append(chain, l)
	}
	t.Joined, err = c.Join(ctx, client.Join{
		Account: j.Account, Key: j.Key, Keys: chain, Name: or(j.Name, label), Label: label, Invitation: code,
		Challenge: ch.Challenge, Sig: j.Sig,
	})
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	raw, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return client.Joined{}, err
	}
	path, err := a.hubFileOf(t.Address)
	if err == nil {
		err = writePrivate(path, append(raw, '\n'))
	}
	t.Joined.Token = "" // it is in the file, and nobody else's to see
	return t.Joined, err
}

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
