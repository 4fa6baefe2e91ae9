package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) remoteCmd() *cobra.Command {
	c := cmd("remote [list | add | whose | share | remove | accept | view | compare | invite | member | keeper | vouch | "+
		"service | join]",
		"Manage the places to exchange records with", `Examples:
  stemma remote add usb /media/stick/memory        a folder on a disk, or one that is copied
  stemma remote add desk ssh://desk.local          the store on another machine
  stemma remote add team /srv/team --share team --tag work
  stemma remote list
  stemma remote accept usb                         continue although its history changed
  stemma remote view team --json >view.json        what it sent to this store, for a comparison
  stemma remote compare team view.json             did both stores receive the same?
  stemma remote invite team --role reader          invite a reader to your space at a hub
  stemma remote member team                        list the members of the space
  stemma remote service add team ci --out ci.json  make an account for a machine
  stemma remote remove usb`)
	c.Args = cobra.NoArgs
	list := verb(a, (*engine.Engine).Remotes, noRemote, a.showRemotes)
	c.RunE = list
	c.AddCommand(a.remoteAddCmd(), a.remoteAcceptCmd(), a.remoteViewCmd(), a.remoteCompareCmd(), a.remoteInviteCmd(),
		a.remoteUninviteCmd(),
		a.remoteMemberCmd(), a.remoteServiceCmd(), a.remoteJoinCmd(),
		a.remoteKeeperCmd(), a.remoteVouchCmd(), a.remoteUnvouchCmd(),
		a.remoteWhoseCmd(), a.remoteShareCmd(),
		&cobra.Command{Use: "list", Short: "List remotes", Args: cobra.NoArgs, RunE: list,
			Long: "Examples:\n  stemma remote list\n\nList remotes"},
		&cobra.Command{
			Use: "remove NAME", Short: "Remove a remote; records stay on both sides", Args: cobra.ExactArgs(1),
			Long: "Examples:\n  stemma remote remove usb\n\nRemove a remote; records stay on both sides",
			RunE: verb(a, (*engine.Engine).RemoteRemove, func(args []string) (api.RemoteRequest, error) {
				return api.RemoteRequest{Name: args[0]}, nil
			}, a.showRemotes),
		})
	return a.single(c)
}

func noRemote([]string) (api.RemoteRequest, error) { return api.RemoteRequest{}, nil }

func (a *app) remoteAddCmd() *cobra.Command {
	c := &cobra.Command{Use: "add NAME ADDRESS", Short: "Add a place to exchange records with", Args: cobra.ExactArgs(2),
		Long: `Examples:
  stemma remote add usb /media/stick/memory
  stemma remote add desk ssh://ada@desk.local:2222/home/ada/notes/.stemma/memory.db
  stemma remote add team git+file:///home/ada/team-memory
  stemma remote add team /srv/team --share team --kind belief --kind note --tag work
  stemma remote add hub https://memory.example.org:7465 --invitation stemma-invitation-…
  stemma remote add hub https://memory.example.org:7465 --sign-in

ADDRESS is one of:
  a folder
  git+file://CLONE: a clone only for this; sync pulls, commits and pushes there
  ssh://[user@]host[:port][/store]: a machine with stemma; /~/ is the home there
  https://…: a hub that you have joined, or join now with --invitation or --sign-in

When you join a hub at a terminal, stemma fetches what is there and asks whether the
keepers of its spaces may vouch for members; --accept-keeper answers beforehand.
Captures stay here unless the remote is only yours or you give --raw; others then
know only their IDs. Only a person at a terminal can add a remote`}
	in := api.RemoteRequest{}
	f := c.Flags()
	f.StringArrayVar(&in.Spaces, "share", nil, "space to exchange; repeatable (default: see --whose)")
	f.StringVar(&in.Whose, "whose", "", "mine: only you use it, and all goes there; shared: new spaces stay here")
	f.StringArrayVar(&in.Kinds, "kind", nil, "kind of records to exchange; repeatable (default: all)")
	f.StringArrayVar(&in.Tags, "tag", nil, "only records with this tag; repeatable")
	withCaptures(c, &in)
	f.BoolVar(&in.Search, "search", false, "for a hub: also search there; the hub then sees your questions")
	invitation := f.String("invitation", "", "invitation code, to join a hub now")
	signs := f.Bool("sign-in", false, "sign in at the hub's OpenID provider, to join a hub now")
	label := f.String("label", "", "with --invitation or --sign-in: your name, or this machine's, at the hub")
	ca := f.String("ca", "", "with --invitation or --sign-in: file of the authority that signs the hub's certificate")
	keepers := f.StringArray("accept-keeper", nil, "key of a keeper whose word about members counts; or all; repeatable")
	add := verb(a, (*engine.Engine).RemoteAdd, func(args []string) (api.RemoteRequest, error) {
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
		if in.Whose == "" && len(in.Spaces) == 0 && a.interactive() {
			var err error
			if in.Whose, err = a.onlyYours(a.typing(), in.Name); unlessQuit(err) != nil {
				return in, err
			} // who does not answer is asked by the first sync that keeps something back
		}
		return in, nil
	}, a.showRemotes)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *signs && *invitation != "" {
			return fmt.Errorf("remote add: use --invitation or --sign-in, not both")
		}
		to := hubToken{Address: strings.TrimRight(args[1], "/")}
		if *ca != "" {
			if to.CA = *ca; !filepath.IsAbs(to.CA) {
				to.CA = filepath.Join(a.env.Dir, to.CA)
			}
			if !*signs && *invitation == "" {
				return fmt.Errorf("remote add: use --ca with --invitation or --sign-in")
			}
		}
		if *signs {
			if err := a.hubSignIn(cmd.Context(), to, *label); err != nil {
				return ran{err}
			}
		}
		if *invitation != "" {
			if _, err := a.hubJoin(cmd.Context(), to, *invitation, *label); err != nil {
				return ran{err}
			}
		}
		if err := add(cmd, args); err != nil {
			return err
		}
		if joined := *signs || *invitation != ""; len(*keepers) > 0 || joined && a.interactive() {
			return asRan(a.acceptKeepers(cmd.Context(), args[0], *keepers))
		}
		return nil
	}
	return c
}

func (a *app) remoteAcceptCmd() *cobra.Command {
	return &cobra.Command{
		Use: "accept NAME", Short: "Continue with a remote whose history changed", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote accept usb

stemma discards the remote's sync state and offers all records again. No record is
lost. Do this if you know why its history changed, for example after a restore
from a backup`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.syncing(cmd, (*engine.Engine).RemoteAccept, api.SyncRequest{Remote: args[0]})
		},
	}
}

func (a *app) showRemotes(r api.RemoteReply) error {
	var rows [][]string
	for _, o := range r.Remotes {
		var what []string
		for _, list := range []struct {
			name  string
			words []string
		}{{"space", o.Spaces}, {"also space", o.Also}, {"kind", o.Kinds}, {"tag", o.Tags}} {
			for _, w := range list.words {
				what = append(what, list.name+" "+w)
			}
		}
		said := "everything except captures"
		switch {
		case o.Raw && len(what) > 0:
			said = strings.Join(what, ", ") + ", with captures"
		case o.Raw:
			said = "everything"
		case len(what) > 0:
			said = strings.Join(what, ", ")
		}
		switch {
		case o.Whose != "":
			said += "; " + clean(o.Whose)
		case len(o.Spaces) == 0:
			said += "; not your new spaces"
		}
		if o.Search {
			said += "; searched"
		}
		rows = append(rows, []string{o.Name, o.Address, said, lastSync(o.Sync), behind(o.Lag)})
	}
	if len(rows) == 0 {
		a.hint("no remotes; to add one: stemma remote add NAME ADDRESS")
		return nil
	}
	a.table(a.env.Stdout, []column{{title: "Remote"}, {title: "Address"}, {title: "What"}, {title: "Last sync"},
		{title: "Behind"}}, rows)
	a.showSpaceKeepers(r)
	for _, o := range r.Remotes {
		if o.Sync != nil && o.Sync.Problem != "" {
			a.hint("%s: %s%s", o.Name, line(o.Sync.Problem, 400), nextTry(o.Lag))
		}
	}
	return nil
}

// lastSync says when a sync last went through, and how many did not since.
func lastSync(s *api.SyncState) string {
	if s == nil {
		return "never"
	}
	text := or(minute(s.Last), "never")
	if s.Failures > 0 {
		text += fmt.Sprintf(", %s since then", count(s.Failures, "failure", "failures"))
	}
	return text
}

// behind says how far a remote and this store are behind each other.
func behind(l *api.SyncLag) string {
	if l == nil || l.Unpushed+l.Unpulled == 0 {
		return "nothing"
	}
	var parts []string
	if l.Unpushed > 0 {
		text := fmt.Sprintf("%d to push", l.Unpushed)
		if l.About {
			text = "at most " + text
		}
		parts = append(parts, text)
	}
	if l.Unpulled > 0 {
		parts = append(parts, fmt.Sprintf("%d to pull", l.Unpulled))
	}
	return strings.Join(parts, ", ")
}

// nextTry says when a server tries again.
func nextTry(l *api.SyncLag) string {
	if l == nil || l.Next == "" {
		return ""
	}
	return "; the server tries again by " + minute(l.Next)
}
