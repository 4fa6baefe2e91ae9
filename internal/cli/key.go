package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) keyCmd() *cobra.Command {
	c := cmd("key", "Manage your keys and name the keys of others", `Examples:
  stemma key show                               your own keys
  stemma key export-public > ada.pub            your public key, for others
  stemma key recovery                           create a recovery phrase
  stemma key passphrase                         protect the owner's key file
  stemma key rotate                             replace the key
  stemma key rotate --recovery                  replace a lost or stolen key
  stemma key delegate --name ci --expires 24h   a key for a temporary machine
  stemma key revoke ci --reason compromised --since 36h

Private keys never leave their directory. No command prints one`)
	c.AddCommand(a.keyShowCmd(), a.keyListCmd(), a.keyAddCmd(), a.keyPublicCmd(), a.keyDelegateCmd(), a.keyRotateCmd(),
		a.keyRevokeCmd(), a.keyRecoveryCmd(), a.keyPassphraseCmd())
	return c
}

// keysAll is a request for keys: there is nothing to say in it.
func keysAll([]string) (api.Nothing, error) { return api.Nothing{}, nil }

func (a *app) keyShowCmd() *cobra.Command {
	c := &cobra.Command{Use: "show", Short: "Show your own keys", Example: "  stemma key show", Args: cobra.NoArgs}
	c.RunE = verb(a, (*engine.Engine).KeyShow, keysAll, func(r api.KeysReply) error {
		if len(r.Keys) == 0 {
			a.hint("no keys yet; 'stemma init' or your first write creates them")
		}
		for _, k := range r.Keys {
			a.showKey(k)
		}
		return nil
	})
	return c
}

// showKey prints one key whole.
func (a *app) showKey(k api.KeyInfo) {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s  %s", a.paint(bold, fmt.Sprintf("%-10s", k.Role)), line(k.Fingerprint, 80))
	if k.Name != "" {
		fmt.Fprintf(w, "  %s", line(k.Name, 60))
	}
	fmt.Fprintf(w, "\n            %s\n", line(k.Key, 120))
	recovery := ""
	if k.Recovery {
		recovery = "registered"
	}
	for _, f := range []struct{ name, text string }{
		{"private key", k.Place}, {"acts for", actsFor(k)}, {"writes for", strings.Join(k.Origins, ", ")},
		{"scope", k.Scope}, {"expires", k.Expires},
		{"own name", k.CallsItself}, {"recovery key", recovery}, {"ended", k.Ended},
	} {
		if f.text != "" {
			fmt.Fprintf(w, "            %s: %s\n", f.name, whole(f.text))
		}
	}
}

// actsFor returns the person for whom a key speaks, if it is not the key's own.
func actsFor(k api.KeyInfo) string {
	if k.Principal == k.Key || k.Principal == "" {
		return ""
	}
	return who("", k.Principal)
}

func (a *app) keyListCmd() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List all known keys",
		Example: "  stemma key list\n  stemma key list --json", Args: cobra.NoArgs}
	c.RunE = verb(a, (*engine.Engine).KeyList, keysAll, func(r api.KeysReply) error {
		if len(r.Keys) == 0 {
			a.hint("no keys yet; 'stemma init' or your first write creates them")
			return nil
		}
		rows := [][]string{}
		for _, k := range r.Keys {
			name := line(k.Name, 30)
			if k.Name == "" && k.CallsItself != "" {
				name = "own name " + quoted(k.CallsItself, 30)
			}
			rows = append(rows, []string{k.Role, line(k.Fingerprint, 60), name, line(or(k.Ended, until(k.Expires)), 80)})
		}
		a.table(a.env.Stdout, []column{{title: "Role"}, {title: "Fingerprint"}, {title: "Name"},
			{title: "State", wide: true}}, rows)
		return nil
	})
	return c
}

func until(expires string) string {
	if expires == "" {
		return ""
	}
	return "until " + minute(expires)
}

func (a *app) keyAddCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "add KEY | FILE.pub", Short: "Name a key; this gives it no trust", Args: cobra.MinimumNArgs(1),
		Example: "  stemma key add bob.pub --name Bob\n  stemma key add did:key:z6Mk… --name Bob",
	}
	var in api.KeyRequest
	c.Flags().StringVar(&in.Name, "name", "", "name of the key's owner (default: the name in the file)")
	c.RunE = verb(a, (*engine.Engine).KeyAdd, a.withKey(&in), func(r api.KeyReply) error {
		fmt.Fprintf(a.env.Stdout, "%s  %s\n", line(r.Name, 80), r.Fingerprint)
		a.keyHint(r)
		return nil
	})
	return c
}

// withKey reads the key that a verb names, in a file or as it is typed.
func (a *app) withKey(in *api.KeyRequest) func([]string) (api.KeyRequest, error) {
	return func(args []string) (api.KeyRequest, error) {
		var err error
		in.Key, err = publicKey(strings.Join(args, " "))
		return *in, err
	}
}

func (a *app) keyHint(r api.KeyReply) {
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
}

func (a *app) keyPublicCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "export-public", Short: "Print your public key", Args: cobra.NoArgs,
		Example: "  stemma key export-public > ada.pub\n  stemma key export-public --name Ada --out ada.pub",
	}
	var in api.KeyRequest
	c.Flags().BoolVar(&in.Agent, "agent", false, "use the agent's key, not the owner's")
	c.Flags().StringVar(&in.Name, "name", "", "name to print with it")
	out := c.Flags().String("out", "", "file to write")
	c.RunE = verb(a, (*engine.Engine).KeyExportPublic, func([]string) (api.KeyRequest, error) { return in, nil },
		func(r api.KeyReply) error {
			a.hint("%s", r.Fingerprint)
			return a.put(*out, r.Public+"\n")
		})
	return c
}

func (a *app) keyDelegateCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "delegate [KEY | FILE.pub]", Short: "Let another key act for you",
		Example: `  stemma key delegate --name ci --expires 24h
  stemma key delegate laptop.pub --scope remember --origins agent
  STEMMA_KEY_SESSION=ci stemma raw "words of a session"`,
	}
	var in api.KeyRequest
	f := c.Flags()
	f.StringVar(&in.Name, "name", "", "session that the key is for")
	f.StringVar(&in.Expires, "expires", "", "when it expires: a time, or a duration such as 24h")
	f.StringVar(&in.Scope, "scope", "", "what it is for, in one word")
	f.StringSliceVar(&in.Origins, "origins", nil,
		"channels it can write for: agent, import, tool (default: agent and tool)")
	c.RunE = verb(a, (*engine.Engine).KeyDelegate, func(args []string) (api.KeyRequest, error) {
		if len(args) == 0 {
			return in, nil
		}
		return a.withKey(&in)(args)
	}, func(r api.KeyReply) error {
		a.showKey(r.KeyInfo)
		if r.File != "" {
			a.hint("to use it, set %s=%s", envSession, r.File)
		}
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyRotateCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "rotate", Short: "Replace the owner's or the agent's key", Args: cobra.NoArgs,
		Example: `  stemma key rotate
  stemma key rotate --agent
  stemma key rotate --recovery        asks for the recovery phrase`,
	}
	var in api.KeyRequest
	f := c.Flags()
	f.BoolVar(&in.Agent, "agent", false, "use the agent's key, not the owner's")
	f.BoolVar(&in.Destroy, "destroy", false, "delete the old private key")
	f.BoolVar(&a.locks.recovers, "recovery", false, "sign with the recovery phrase instead of the old key")
	c.MarkFlagsMutuallyExclusive("agent", "recovery")
	c.RunE = verb(a, (*engine.Engine).KeyRotate, func([]string) (api.KeyRequest, error) { return in, nil },
		func(r api.KeyReply) error {
			a.showKey(r.KeyInfo)
			a.keyHint(r)
			return nil
		})
	return c
}

func (a *app) keyRevokeCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "revoke KEY | FINGERPRINT | NAME", Short: "Revoke a delegated key", Args: cobra.MinimumNArgs(1),
		Example: `  stemma key revoke ci --reason lost
  stemma key revoke SHA256:… --reason compromised --since 36h
  stemma key revoke laptop --reason compromised --since 2026-11-01 --sync   a stolen machine`,
	}
	var in api.KeyRequest
	f := c.Flags()
	f.StringVar(&in.Reason, "reason", "", strings.Join(memory.RevokeReasons, ", "))
	f.StringVar(&in.Since, "since", "", "compromised since: a time, or an age such as 36h")
	tell := f.Bool("sync", false, "then sync with every remote: hubs end the tokens of a compromised key")
	revoke := verb(a, (*engine.Engine).KeyRevoke, func(args []string) (api.KeyRequest, error) {
		in.Key = strings.Join(args, " ")
		if strings.HasSuffix(in.Key, ".pub") {
			return a.withKey(&in)(args)
		}
		return in, nil
	}, func(r api.KeyReply) error {
		a.showKey(r.KeyInfo)
		a.keyHint(r)
		if n := len(r.Wrote); n > 0 {
			what := count(n, "memory", "memories")
			if r.WroteMore {
				what = "more than " + what
			}
			fmt.Fprintf(a.env.Stdout, "wrote since then, and counts no longer: %s\n", what)
			for _, ref := range r.Wrote {
				fmt.Fprintf(a.env.Stdout, "  %s\n", shortRef(ref))
			}
		}
		if in.Reason == memory.Compromised && !*tell {
			a.hint("hubs end the tokens of this key when they learn of it: stemma sync")
		}
		return nil
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		err := revoke(cmd, args)
		if *tell && errors.Is(err, api.ErrConflict) && strings.Contains(err.Error(), "was revoked on") {
			a.hint("%s; the remotes are told again", line(err.Error(), 300)) // one may have been away
			err = nil
		}
		if err != nil || !*tell {
			return err
		}
		return a.tellRemotes(cmd)
	}
	return c
}

// tellRemotes syncs with every remote. One that is away does not keep the others from being told.
func (a *app) tellRemotes(cmd *cobra.Command) error {
	all, err := call(cmd.Context(), a, (*engine.Engine).Remotes, api.RemoteRequest{})
	if err != nil {
		return err
	}
	asJSON := a.flags.json
	a.flags.json = false // the reply was printed
	defer func() { a.flags.json = asJSON }()
	for _, r := range all.Remotes {
		err = errors.Join(err, a.syncing(cmd, (*engine.Engine).Sync, api.SyncRequest{Remote: r.Name}))
	}
	return err
}

func (a *app) keyRecoveryCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "recovery", Short: "Create a recovery key; its phrase is shown once", Args: cobra.NoArgs,
		Example: "  stemma key recovery",
	}
	c.RunE = verb(a, (*engine.Engine).KeyRecovery, keysAll, func(r api.KeyReply) error {
		fmt.Fprintf(a.env.Stdout, "%s\n", r.Phrase)
		a.hint("Write it on paper and keep it away from this machine. stemma does not store it or show it again")
		a.hint("Anybody who has it can replace your key with their own")
		a.hint("If your key is lost or stolen: stemma key rotate --recovery")
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyPassphraseCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "passphrase", Short: "Set, change or remove a key's passphrase", Args: cobra.NoArgs,
		Example: "  stemma key passphrase\n  stemma key passphrase --agent",
		Long: `Sets, changes or removes a key's passphrase. An empty passphrase removes it.

stemma asks for it at the terminal. Without a terminal, set ` + envPassphrase + `
to a file that contains it and that only you can read.`,
	}
	agent := c.Flags().Bool("agent", false, "use the agent's key, not the owner's")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		name := "owner"
		if *agent {
			name = "agent"
		}
		return asRan(a.changePassphrase(cmd.Context(), name))
	}
	return c
}

// changePassphrase asks for the old passphrase and the new one.
func (a *app) changePassphrase(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dir, err := a.keyDir()
	if err != nil {
		return err
	}
	ring, err := keys.Load(dir)
	if err != nil {
		return api.Invalid("passphrase: %v", err)
	}
	key := ring.Owner
	if name == "agent" {
		key = ring.Agent
	}
	var old []byte
	switch key.Place() {
	case keys.Locked:
		if old, err = a.askSecret("old passphrase: "); err != nil {
			return err
		}
	case keys.InAgent:
		return api.Invalid("passphrase: the private key is in an ssh-agent, not in a file")
	}
	fresh, err := a.newPassphrase(true)
	if err != nil {
		return err
	}
	if err := keys.SetPassphrase(dir, name, old, fresh); err != nil {
		return api.Invalid("passphrase: %v", err)
	}
	if len(fresh) == 0 {
		a.hint("the %s's key has no passphrase now", name)
	} else {
		a.hint("the %s's key has a passphrase now", name)
	}
	return nil
}
