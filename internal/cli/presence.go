package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// decides are the verbs that only a person may run, or that do more for a person. In a
// shell that an agent's host started they ask for the passphrase of the owner's key.
const decides = "approve reject review purge release resolve verify trust key config hook ui"

// prove asks for the passphrase where a verb is a person's and an agent's host marked
// this shell: an agent can open a terminal too. Where the key has no passphrase there is
// nothing to ask for, and an agent speaks.
func (a *app) prove(cmd *cobra.Command) error {
	if a.marked() == "" || a.agent || a.env.person || a.who.typed || !a.terminal() || !personal(cmd) {
		return nil
	}
	dir, err := a.keyDir()
	if err != nil {
		return nil
	}
	path := ""
	ring, err := keys.LoadWith(dir, keys.Options{Unlock: func(name string) ([]byte, error) {
		pass, err := a.askHidden("passphrase of " + clean(name) + ": ")
		if err == nil && len(pass) == 0 {
			return nil, errNoPassphrase
		}
		if err == nil {
			path = name
			a.remember(name, pass)
		}
		return pass, err
	}})
	if err != nil || ring.Owner == nil || ring.Owner.Place() != keys.Locked {
		return nil // no keys yet, or nothing that a person alone knows
	}
	if _, err := ring.Owner.Sign("application/vnd.stemma.presence", nil); err != nil {
		delete(a.locks.known, path)
		if errors.Is(err, errNoPassphrase) {
			return nil
		}
		return ran{onlyPerson{err.Error()}}
	}
	a.who.typed = true
	return nil
}

// errNoPassphrase says that somebody preferred to type none.
var errNoPassphrase = errors.New("no passphrase was typed")

// personal reports whether a verb is one of decides, and not one that only shows.
func personal(cmd *cobra.Command) bool {
	if list := cmd.Flags().Lookup("list"); list != nil && list.Changed {
		return false
	}
	if slices.Contains([]string{"list", "get", "show", "status", "run", "install", "remove", "resume", "export-public"},
		cmd.Name()) {
		return false
	}
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return slices.Contains(strings.Fields(decides), cmd.Name())
}

// proposedFile in the data directory says that a passphrase was proposed.
const proposedFile = "passphrase-proposed"

// proposePassphrase says once, after a person decided something at a terminal, what the
// decision is worth while the key has no passphrase.
func (a *app) proposePassphrase() {
	if a.flags.json || a.flags.url != "" || a.env.person || a.origin() != memory.OriginOwner {
		return
	}
	data, err := a.dataDir()
	if err != nil {
		return
	}
	if _, err := os.Lstat(filepath.Join(data, proposedFile)); err == nil {
		return
	}
	ring, err := keys.LoadWith(filepath.Join(data, keysDir), keys.Options{})
	if err != nil || ring.Owner == nil || ring.Owner.Place() != keys.AtHand {
		return
	}
	f, err := os.OpenFile(filepath.Join(data, proposedFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return // it would be said each time
	}
	f.Close()
	a.hint("your key has no passphrase, so any program that runs as you can approve in your name; to set one: stemma " +
		"key passphrase")
}
