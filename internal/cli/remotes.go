package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/peer"
)

func (a *app) remoteCmd() *cobra.Command {
	c := cmd("remote [list | add | remove | accept | view | compare | invite | member]", "The places with which this store exchanges records", `Examples:
  stemma remote add usb /media/stick/memory        a folder that travels, or that something copies
  stemma remote add desk ssh://desk.local          the store of another machine
  stemma remote add team /srv/team --share team --tag work
  stemma remote list
  stemma remote accept usb                         go on, though its history is not what it was
  stemma remote view team --json >view.json        what it told this store, for another to compare
  stemma remote compare team view.json             did it tell both stores the same?
  stemma remote invite team --role reader          a code for somebody who is to read your space at a hub
  stemma remote member team                        who may do what in it
  stemma remote remove usb`)
	c.Args = cobra.NoArgs
	list := verb(a, (*stemma.Engine).Remotes, noRemote, a.showRemotes)
	c.RunE = list
	c.AddCommand(a.remoteAddCmd(), a.remoteAcceptCmd(), a.remoteViewCmd(), a.remoteCompareCmd(), a.remoteInviteCmd(), a.remoteUninviteCmd(),
		a.remoteMemberCmd(),
		&cobra.Command{Use: "list", Short: "List them", Args: cobra.NoArgs, RunE: list, Long: "Examples:\n  stemma remote list\n\nList them"},
		&cobra.Command{
			Use: "remove NAME", Short: "Forget one; what was exchanged stays here and there", Args: cobra.ExactArgs(1),
			Long: "Examples:\n  stemma remote remove usb\n\nForget one; what was exchanged stays here and there",
			RunE: verb(a, (*stemma.Engine).RemoteRemove, func(args []string) (stemma.RemoteRequest, error) {
				return stemma.RemoteRequest{Name: args[0]}, nil
			}, a.showRemotes),
		})
	return a.single(c)
}

// single lets a verb and those below it use one store alone.
func (a *app) single(c *cobra.Command) *cobra.Command {
	c.PersistentPreRun = func(*cobra.Command, []string) { a.alone = true }
	return c
}

func noRemote([]string) (stemma.RemoteRequest, error) { return stemma.RemoteRequest{}, nil }

func (a *app) remoteAddCmd() *cobra.Command {
	c := &cobra.Command{Use: "add NAME ADDRESS", Short: "Name a place to exchange records with", Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote add usb /media/stick/memory
  stemma remote add desk ssh://ada@desk.local:2222/home/ada/notes/.stemma/memory.db
  stemma remote add team git+file:///home/ada/team-memory
  stemma remote add team /srv/team --share team --kind belief --kind note --tag work
  stemma remote add hub https://memory.example.org:7465 --invitation stemma-invitation-…

The address is a folder, git+file:// and a clone on this machine that is kept for
this alone (sync pulls, commits and pushes there), ssh://[user@]host[:port][/store] where stemma is
installed too (/~/ begins a path in the home there), or a hub that you have joined or join with --invitation. Raws stay here unless --raw is given: others know them by their
ids alone. Only a person says where memory goes, at a terminal`}
	in := stemma.RemoteRequest{}
	f := c.Flags()
	f.StringArrayVar(&in.Spaces, "share", nil, "space to exchange, by name; may be given again (default: all of this store)")
	f.StringArrayVar(&in.Kinds, "kind", nil, "kind of records; may be given again (default: all)")
	f.StringArrayVar(&in.Tags, "tag", nil, "only records with this tag; may be given again")
	f.BoolVar(&in.Raw, "raw", false, "raws travel too")
	f.BoolVar(&in.Search, "search", false, "of a hub: searches ask it too, and so tell it what is asked")
	invitation := f.String("invitation", "", "to a hub that was not joined yet")
	label := f.String("label", "", "with --invitation: what you, or this machine, are called there")
	add := verb(a, (*stemma.Engine).RemoteAdd, func(args []string) (stemma.RemoteRequest, error) {
		in.Name, in.Address = args[0], args[1]
		if !strings.Contains(in.Address, "://") && !filepath.IsAbs(in.Address) {
			in.Address = filepath.Join(a.env.Dir, in.Address)
		}
		check := carrier.Check
		if scheme, _, url := strings.Cut(in.Address, "://"); url && (scheme == "https" || scheme == "http") {
			in.Address = strings.TrimRight(in.Address, "/")
			check = func(address string) error {
				c, err := a.hubClient(address)
				if err == nil {
					c.Close()
				}
				return err
			}
		}
		if err := check(in.Address); err != nil {
			return in, fmt.Errorf("address: %w", err)
		}
		return in, nil
	}, a.showRemotes)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *invitation != "" {
			if _, err := a.hubJoin(cmd.Context(), hubToken{Address: strings.TrimRight(args[1], "/")}, *invitation, *label); err != nil {
				return ran{err}
			}
		}
		return add(cmd, args)
	}
	return c
}

func (a *app) remoteAcceptCmd() *cobra.Command {
	return &cobra.Command{
		Use: "accept NAME", Short: "Go on with a remote whose history is not what it was", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote accept usb

What is held of the remote is forgotten, and everything here is offered anew:
nothing is lost. Do it when you know why its history changed: it was restored
from a backup, say`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.syncing(cmd, (*stemma.Engine).RemoteAccept, stemma.SyncRequest{Remote: args[0]})
		},
	}
}

func (a *app) showRemotes(r stemma.RemoteReply) error {
	var rows [][]string
	for _, o := range r.Remotes {
		var what []string
		for _, list := range []struct {
			name  string
			words []string
		}{{"space", o.Spaces}, {"kind", o.Kinds}, {"tag", o.Tags}} {
			for _, w := range list.words {
				what = append(what, list.name+" "+w)
			}
		}
		if o.Raw {
			what = append(what, "with raws")
		}
		said := or(strings.Join(what, ", "), "everything but raws")
		if o.Search {
			said += "; searched"
		}
		rows = append(rows, []string{o.Name, o.Address, said, lastSync(o.Sync)})
	}
	if len(rows) == 0 {
		a.hint("this store has no remote: 'stemma remote add NAME ADDRESS' names one")
		return nil
	}
	a.table(a.env.Stdout, []column{{title: "Remote"}, {title: "Address"}, {title: "What"}, {title: "Last sync"}}, rows)
	for _, o := range r.Remotes {
		if o.Sync != nil && o.Sync.Problem != "" {
			a.hint("%s: %s", o.Name, line(o.Sync.Problem, 400))
		}
	}
	return nil
}

// lastSync tells when a sync last went through, and how many did not since.
func lastSync(s *stemma.SyncState) string {
	if s == nil {
		return "never"
	}
	text := or(minute(s.Last), "never")
	if s.Failures > 0 {
		text += fmt.Sprintf(", %s since failed", count(s.Failures, "try", "tries"))
	}
	return text
}

// dial opens the peers behind an address.
func (a *app) dial(ctx context.Context, address string, self peer.Self) ([]peer.Endpoint, func() error, error) {
	switch scheme, _, url := strings.Cut(address, "://"); {
	case !url:
		ends, err := carrier.Folder(ctx, address, self)
		return ends, nil, err
	case scheme == "ssh":
		return carrier.SSH(ctx, address, a.env.Getenv("STEMMA_SSH"), a.unattended, a.env.Stderr)
	case strings.HasPrefix(address, carrier.GitScheme):
		return carrier.Git(ctx, address, self)
	case scheme == "https" || scheme == "http":
		c, err := a.hubClient(address)
		if err != nil {
			return nil, nil, err
		}
		return []peer.Endpoint{{Remote: c, Gives: true, Takes: true, Cosigns: true}}, func() error { c.Close(); return nil }, nil
	default:
		return nil, nil, fmt.Errorf("nothing here speaks %s", scheme)
	}
}

// remotesFile is the person's own.
func (a *app) remotesFile() string {
	dir, err := a.dataDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "remotes.json")
}
