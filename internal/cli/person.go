package cli

import (
	"fmt"
	"os"

	"golang.org/x/term"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

// origin says who speaks: a person when both ends of the conversation are a terminal,
// an agent otherwise, and in a shell that an agent's host marked, unless the passphrase of
// the owner's key was typed.
func (a *app) origin() memory.Origin {
	switch {
	case a.agent:
		return memory.OriginAgent
	case a.env.person:
		return memory.OriginOwner
	case a.terminal() && (a.who.typed || a.marked() == ""):
		return memory.OriginOwner
	}
	return memory.OriginAgent
}

// marked returns the host of an agent in whose shell we run, "" for none.
func (a *app) marked() string { return hosts.Marked(a.env.Getenv) }

// terminal reports whether both ends of the conversation are a terminal.
func (a *app) terminal() bool {
	errFile, ok := a.env.Stderr.(*os.File)
	in, inOK := a.env.Stdin.(*os.File)
	return ok && inOK && isTerminal(in) && isTerminal(errFile)
}

// interactive reports whether a person can be asked.
func (a *app) interactive() bool { return !a.flags.json && a.origin() == "owner" && a.onTerminal() }

// secretly reports whether a person can be asked for a secret: what is typed must
// not be seen, so it takes a terminal.
func (a *app) secretly() bool { return a.origin() == "owner" }

// askSecret asks a person for what no one else shall see.
func (a *app) askSecret(question string) ([]byte, error) {
	if !a.secretly() {
		return nil, api.Invalid("needs a secret: run this yourself at a terminal")
	}
	return a.askHidden(question)
}

// askHidden asks the person at the terminal without showing the answer.
func (a *app) askHidden(question string) ([]byte, error) {
	in, ok := a.env.Stdin.(*os.File)
	if !ok || !a.terminal() {
		return nil, api.Invalid("needs a secret: run this yourself at a terminal")
	}
	a.hush()
	fmt.Fprint(a.env.Stderr, question)
	text, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(a.env.Stderr)
	if err != nil {
		return nil, fmt.Errorf("read from the terminal: %w", err)
	}
	return text, nil
}
