package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) trustCmd() *cobra.Command {
	c := cmd("trust REF | introduce KEY | distrust KEY", "Show a memory's trust; introduce or distrust keys", `Examples:
  stemma trust belief:a04e
  stemma trust introduce ada.pub --name Ada
  stemma trust distrust Ada

A key that you have not introduced does not count, for or against. The score is a
sum of stored facts; stemma opens no connection for it`)
	c.RunE = verb(a, (*engine.Engine).Trust, showRequest, a.showTrust)
	c.AddCommand(a.introduceCmd(), a.distrustCmd(), a.reputationCmd())
	return c
}

func (a *app) reputationCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "reputation [KEY | NAME]", Short: "Show what somebody's record so far is worth; default: your own",
		Example: "  stemma trust reputation\n  stemma trust reputation Ada",
	}
	c.RunE = verb(a, (*engine.Engine).Reputation, func(args []string) (api.NameRequest, error) {
		return api.NameRequest{Name: strings.Join(args, " ")}, nil
	}, func(r api.ReputationReply) error {
		fmt.Fprintf(a.env.Stdout, "%s: %s (%s confirmed, %d refuted)\n", who(r.Name, r.AgentID), points(r.Reputation),
			count(r.Upheld, "memory", "memories"), r.Refuted)
		if !r.Known {
			a.hint("this key was not introduced here, so its word does not count")
		}
		return nil
	})
	return c
}

func (a *app) introduceCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "introduce KEY | FILE.pub", Short: "Introduce a person's key; their confirmations then count",
		Example: "  stemma trust introduce ada.pub --name Ada\n  stemma trust introduce did:key:z6Mk… --name Ada",
		Args:    cobra.MinimumNArgs(1),
	}
	var in api.IntroduceRequest
	c.Flags().StringVar(&in.Name, "name", "", "name of the key's owner (default: the name in the file)")
	c.RunE = verb(a, (*engine.Engine).Introduce, func(args []string) (api.IntroduceRequest, error) {
		var err error
		in.Key, err = publicKey(strings.Join(args, " "))
		return in, err
	}, func(r api.IntroduceReply) error {
		fmt.Fprintf(a.env.Stdout, "%s introduced\n", line(or(r.Name, "a key without a name"), 80))
		fmt.Fprintf(a.env.Stdout, "  %s\n", r.Fingerprint)
		a.hint("compare this fingerprint with theirs before you rely on it")
		return nil
	})
	return c
}

// mostPublic is more than a file with a public key holds, in bytes.
const mostPublic = 64 << 10

// publicKey reads a key as it was typed, or from the file that was named.
func publicKey(arg string) (string, error) {
	if strings.HasPrefix(arg, "did:") || strings.HasPrefix(arg, "ssh-") {
		return arg, nil
	}
	f, err := os.Open(arg)
	if err != nil {
		return "", ran{api.Invalid("key: not a did:key, not an OpenSSH public key, and not a readable file: %v", err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPublic))
	if err != nil {
		return "", ran{api.Invalid("key: %v", err)}
	}
	return string(text), nil
}

func (a *app) distrustCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "distrust KEY | NAME", Short: "Remove an introduction; --since for a stolen key",
		Example: `  stemma trust distrust Ada
  stemma trust distrust Ada --since 36h --quarantine --dry-run
  stemma trust distrust did:key:z6Mk… --since 2026-03-01T00:00:00Z --quarantine --reason "laptop stolen"`,
		Args: cobra.MinimumNArgs(1),
	}
	var in api.DistrustRequest
	f := c.Flags()
	f.StringVar(&in.Since, "since", "", "distrust everything received since: a time, or an age")
	f.BoolVar(&in.Quarantine, "quarantine", false, "also hide it, and what depends only on it")
	f.StringVar(&in.Reason, "reason", "", "why")
	f.BoolVar(&in.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.RunE = verb(a, (*engine.Engine).Distrust, func(args []string) (api.DistrustRequest, error) {
		in.Key = strings.Join(args, " ")
		if strings.HasSuffix(in.Key, ".pub") {
			var err error
			in.Key, err = publicKey(in.Key)
			return in, err
		}
		return in, nil
	}, func(r api.DistrustReply) error { return a.showDistrust(r, in.DryRun) })
	return c
}

func (a *app) showDistrust(r api.DistrustReply, dry bool) error {
	w, is := a.env.Stdout, "is"
	if dry {
		is = "would be"
	}
	fmt.Fprintf(w, "%s %s no longer trusted\n", who(r.Name, r.Key), is)
	if r.Since != "" {
		fmt.Fprintf(w, "  %s received since %s %s not trusted\n",
			count(r.WroteSince, "memory", "memories"), minute(r.Since), is)
	}
	if r.Quarantine != nil {
		return a.showQuarantined(*r.Quarantine, dry)
	}
	return nil
}
