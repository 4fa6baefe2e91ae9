package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) keyCmd() *cobra.Command {
	c := cmd("key", "Your keys and those of others: show, name, delegate, replace, revoke, recover", `Examples:
  stemma key show                               your own
  stemma key export-public > ada.pub            for others to introduce
  stemma key recovery                           a phrase for the day the key is gone
  stemma key passphrase                         lock the file of the owner's key
  stemma key rotate                             put a new key in its place
  stemma key rotate --recovery                  although the old one is stolen or lost
  stemma key delegate --name ci --expires 24h   a key for a machine that vanishes
  stemma key revoke ci --reason compromised --since 36h

Private keys never leave their directory: no verb prints one`)
	c.AddCommand(a.keyShowCmd(), a.keyListCmd(), a.keyAddCmd(), a.keyPublicCmd(), a.keyDelegateCmd(), a.keyRotateCmd(),
		a.keyRevokeCmd(), a.keyRecoveryCmd(), a.keyPassphraseCmd())
	return c
}

// keysAll is a request for keys: there is nothing to say in it.
func keysAll([]string) (stemma.KeysRequest, error) { return stemma.KeysRequest{}, nil }

func (a *app) keyShowCmd() *cobra.Command {
	c := &cobra.Command{Use: "show", Short: "Show your own keys", Example: "  stemma key show", Args: cobra.NoArgs}
	c.RunE = verb(a, (*stemma.Engine).KeyShow, keysAll, func(r stemma.KeysReply) error {
		if len(r.Keys) == 0 {
			a.hint("there are no keys yet; 'stemma init' makes them, and so does every first write")
		}
		for _, k := range r.Keys {
			a.showKey(k)
		}
		return nil
	})
	return c
}

// showKey prints one key whole.
func (a *app) showKey(k stemma.KeyInfo) {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s  %s", a.paint(bold, fmt.Sprintf("%-10s", k.Role)), line(k.Fingerprint, 80))
	if k.Name != "" {
		fmt.Fprintf(w, "  %s", line(k.Name, 60))
	}
	fmt.Fprintf(w, "\n            %s\n", line(k.Key, 120))
	recovery := ""
	if k.Recovery {
		recovery = "committed to"
	}
	for _, f := range []struct{ name, text string }{
		{"private half", k.Place}, {"acts for", actsFor(k)}, {"speaks for", strings.Join(k.Origins, ", ")}, {"scope", k.Scope}, {"expires", k.Expires},
		{"calls itself", k.CallsItself}, {"recovery key", recovery}, {"ended", k.Ended},
	} {
		if f.text != "" {
			fmt.Fprintf(w, "            %s: %s\n", f.name, line(f.text, a.width()-20))
		}
	}
}

// actsFor says for whom a key speaks, where that is not itself.
func actsFor(k stemma.KeyInfo) string {
	if k.Principal == k.Key || k.Principal == "" {
		return ""
	}
	return who("", k.Principal)
}

func (a *app) keyListCmd() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List every key that is known here", Example: "  stemma key list\n  stemma key list --json", Args: cobra.NoArgs}
	c.RunE = verb(a, (*stemma.Engine).KeyList, keysAll, func(r stemma.KeysReply) error {
		if len(r.Keys) == 0 {
			a.hint("there are no keys yet; the first write makes yours, and so does 'stemma init'")
			return nil
		}
		rows := [][]string{}
		for _, k := range r.Keys {
			name := line(k.Name, 30)
			if k.Name == "" && k.CallsItself != "" {
				name = "calls itself " + quoted(k.CallsItself, 30)
			}
			rows = append(rows, []string{k.Role, line(k.Fingerprint, 60), name, line(or(k.Ended, until(k.Expires)), 80)})
		}
		a.table(a.env.Stdout, []column{{title: "Role"}, {title: "Fingerprint"}, {title: "Name"}, {title: "State", wide: true}}, rows)
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
		Use: "add KEY | FILE.pub", Short: "Give a key a name here; what it says does not count by that", Args: cobra.MinimumNArgs(1),
		Example: "  stemma key add bob.pub --name Bob\n  stemma key add did:key:z6Mk… --name Bob",
	}
	var in stemma.KeyRequest
	c.Flags().StringVar(&in.Name, "name", "", "what to call whoever has it (default: what stands in the file)")
	c.RunE = verb(a, (*stemma.Engine).KeyAdd, a.withKey(&in), func(r stemma.KeyReply) error {
		fmt.Fprintf(a.env.Stdout, "%s  %s\n", line(r.Name, 80), r.Fingerprint)
		a.keyHint(r)
		return nil
	})
	return c
}

// withKey reads the key that a verb names, in a file or as it is typed.
func (a *app) withKey(in *stemma.KeyRequest) func([]string) (stemma.KeyRequest, error) {
	return func(args []string) (stemma.KeyRequest, error) {
		var err error
		in.Key, err = publicKey(strings.Join(args, " "))
		return *in, err
	}
}

func (a *app) keyHint(r stemma.KeyReply) {
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
}

func (a *app) keyPublicCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "export-public", Short: "Print your public key, for others to introduce", Args: cobra.NoArgs,
		Example: "  stemma key export-public > ada.pub\n  stemma key export-public --name Ada --out ada.pub",
	}
	var in stemma.KeyRequest
	c.Flags().BoolVar(&in.Agent, "agent", false, "the agent's key, not the owner's")
	c.Flags().StringVar(&in.Name, "name", "", "what stands beside it")
	out := c.Flags().String("out", "", "write it into a file")
	c.RunE = verb(a, (*stemma.Engine).KeyExportPublic, func([]string) (stemma.KeyRequest, error) { return in, nil }, func(r stemma.KeyReply) error {
		a.hint("%s", r.Fingerprint)
		return a.put(*out, r.Public+"\n")
	})
	return c
}

func (a *app) keyDelegateCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "delegate [KEY | FILE.pub]", Short: "Let another key act for you: a session's, made here, or one that somebody sent",
		Example: `  stemma key delegate --name ci --expires 24h
  stemma key delegate laptop.pub --scope remember --origins agent
  STEMMA_KEY_SESSION=ci stemma raw "words of a session"`,
	}
	var in stemma.KeyRequest
	f := c.Flags()
	f.StringVar(&in.Name, "name", "", "of the session that the key is for")
	f.StringVar(&in.Expires, "expires", "", "after which it may not act: a time, or how long from now such as 24h")
	f.StringVar(&in.Scope, "scope", "", "what it is for, a word")
	f.StringSliceVar(&in.Origins, "origins", nil, "channels it may speak for: agent, import, tool (default agent and tool)")
	c.RunE = verb(a, (*stemma.Engine).KeyDelegate, func(args []string) (stemma.KeyRequest, error) {
		if len(args) == 0 {
			return in, nil
		}
		return a.withKey(&in)(args)
	}, func(r stemma.KeyReply) error {
		a.showKey(r.KeyInfo)
		if r.File != "" {
			a.hint("%s=%s uses it", envSession, r.File)
		}
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyRotateCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "rotate", Short: "Put a new key in the place of the owner's, or of the agent's", Args: cobra.NoArgs,
		Example: `  stemma key rotate
  stemma key rotate --agent
  stemma key rotate --recovery        signed with the recovery phrase, which is asked for`,
	}
	var in stemma.KeyRequest
	f := c.Flags()
	f.BoolVar(&in.Agent, "agent", false, "the agent's key, not the owner's")
	f.BoolVar(&in.Destroy, "destroy", false, "do not keep the old private key")
	f.BoolVar(&a.locks.recovers, "recovery", false, "sign with the recovery phrase instead of the old key")
	c.MarkFlagsMutuallyExclusive("agent", "recovery")
	c.RunE = verb(a, (*stemma.Engine).KeyRotate, func([]string) (stemma.KeyRequest, error) { return in, nil }, func(r stemma.KeyReply) error {
		a.showKey(r.KeyInfo)
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyRevokeCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "revoke KEY | FINGERPRINT | NAME", Short: "Say that a key which acts or acted for you speaks no more", Args: cobra.MinimumNArgs(1),
		Example: `  stemma key revoke ci --reason lost
  stemma key revoke SHA256:… --reason compromised --since 36h`,
	}
	var in stemma.KeyRequest
	f := c.Flags()
	f.StringVar(&in.Reason, "reason", "", strings.Join(memory.RevokeReasons, ", "))
	f.StringVar(&in.Since, "since", "", "of a compromised key: since when; a time, or how long ago such as 36h")
	c.RunE = verb(a, (*stemma.Engine).KeyRevoke, func(args []string) (stemma.KeyRequest, error) {
		in.Key = strings.Join(args, " ")
		if strings.HasSuffix(in.Key, ".pub") {
			return a.withKey(&in)(args)
		}
		return in, nil
	}, func(r stemma.KeyReply) error {
		a.showKey(r.KeyInfo)
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyRecoveryCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "recovery", Short: "Make a recovery key; its phrase is shown once and kept nowhere", Args: cobra.NoArgs,
		Example: "  stemma key recovery",
	}
	c.RunE = verb(a, (*stemma.Engine).KeyRecovery, keysAll, func(r stemma.KeyReply) error {
		fmt.Fprintf(a.env.Stdout, "%s\n", r.Phrase)
		a.hint("write it on paper and keep it away from this machine: it is kept nowhere and shown this once")
		a.hint("whoever has it can put a key of his own in the place of yours")
		a.hint("when your key is lost or stolen: 'stemma key rotate --recovery'")
		a.keyHint(r)
		return nil
	})
	return c
}

func (a *app) keyPassphraseCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "passphrase", Short: "Lock a key's file with a passphrase, change it, or take it off", Args: cobra.NoArgs,
		Example: "  stemma key passphrase\n  stemma key passphrase --agent",
		Long: `Lock a key's file with a passphrase, change it, or take it off with an empty one.

It is asked for at the terminal. Where there is none, ` + envPassphrase + ` names a file
that holds it and that nobody else can read.`,
	}
	agent := c.Flags().Bool("agent", false, "the agent's key, not the owner's")
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
		return stemma.Invalid("passphrase: %v", err)
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
		return stemma.Invalid("passphrase: the private half is not in a file here; an ssh-agent has it")
	}
	fresh, err := a.newPassphrase(true)
	if err != nil {
		return err
	}
	if err := keys.SetPassphrase(dir, name, old, fresh); err != nil {
		return stemma.Invalid("passphrase: %v", err)
	}
	if len(fresh) == 0 {
		a.hint("the %s's key is locked no more", name)
	} else {
		a.hint("the %s's key is locked", name)
	}
	return nil
}
