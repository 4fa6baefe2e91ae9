package cli

import (
	"bufio"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/owned"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/internal/settings"
)

// app is one run of the command line.
type app struct {
	env     Env
	run     func(context.Context, []string, Env) int // another command line, as the tour does
	flags   globalFlags
	program string         // its name; "" is stemma
	ran     *cobra.Command // the verb that was run, where it is known
	engine  *engine.Engine
	server  *client.Client     // with --url
	alone   bool               // the verb only writes: no second store is read
	embeds  bool               // the verb compares or makes vectors
	counts  bool               // the verb says how many are missing
	ends    bool               // a hook was told that a session ends
	thinks  bool               // the verb drafts or compares memories
	rules   bool               // the verb goes on by rules where the model that is set cannot be opened
	agent   bool               // the verb speaks for an agent, whoever started it
	locks   locks              // how private halves are reached
	passes  passphrases        // of encrypted stores
	who     presence           // who sits at the terminal
	set     *settings.Settings // once they were asked for
	closes  []func() error
	busy    atomic.Pointer[bar] // shown while something takes long

	hereOf   string          // a directory
	hereIs   project.Project // that it is in
	hereKept bool            // and that was written down
	placing  sync.Mutex

	typed *bufio.Reader // standard input, once something was asked
	ended bool          // and it has ended

	keepSecrets bool // the person says so

	patience   time.Duration // with others that write; 0 is the engine's own
	unattended bool          // nobody is there whom what is run could ask for something
	whyWaiting string        // what hooks put aside could not be taken in
	undrained  bool          // what hooks put aside is not taken in when the store is opened

	list         *owned.List          // the person's own stores, once they were asked for
	ownerships   map[string]ownership // whose a store is, by its spec
	ownerTimeout time.Duration        // how long finding that out may take; 0 is no limit
	strict       bool                 // a store that is not this person's is not read, even where it was named
	writes       bool                 // the verb writes to the store
	absent       bool                 // there is no store: the engine stands on an empty one in memory
	hooked       bool                 // a host runs us: what is to be said goes to a log
	zoned        bool                 // this answer has named the zone of its days
	waiting      bool                 // a store that was passed by is older than the list of stores
	noticeText   string               // what was said of a store that was passed by
	worktree     string               // the linked worktree of git whose main checkout has the store
	foreign      bool                 // the store that is open is not this person's
	opened       string               // the spec of the store that is open
}

// globalFlags are those that every verb has.
type globalFlags struct {
	store string
	space string

	everywhere bool
	session    string
	color      string
	url        string
	json       bool
	user       bool
	project    bool
}

// locks is how the private halves of keys are reached in one run.
type locks struct {
	recovers bool              // the verb is signed with the recovery phrase
	stamps   bool              // the verb looks at timestamps
	roots    string            // file of authorities, as a flag named it
	known    map[string][]byte // passphrases, by the file they unlock
}

// presence is what is known about the person at the terminal.
type presence struct {
	typed    bool // somebody typed the passphrase of the owner's key
	approved bool // something was approved in this run
}
