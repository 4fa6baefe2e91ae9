package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) purgeCmd() *cobra.Command {
	c := cmd("purge REF… | --about NAME", "Remove words permanently from the store", `Examples:
  stemma purge raw:3f9a --dry-run
  stemma purge raw:3f9a --reason "a password was captured"
  stemma purge raw:3f9a note:5d11 --yes     do not ask for confirmation
  stemma purge raw:3f9a --status            which remotes and machines erased it

You cannot undo a purge. The IDs stay, so that records which cite them still verify.
A purge does not reach exported copies, or other records that repeat the words.

--status purges nothing. It asks each remote now. At a hub, those who keep the space
also see what each machine said after its last sync. A machine that has left may keep
the words. Exit code 1: a remote or a machine may still erase them

All that belongs to one person:
  stemma purge --about "Ada Quill" --speaker "Ada Quill" --dry-run
  stemma purge --about "Ada Quill" --speaker "Ada Quill" --list DIGEST --certificate ada.cert

--dry-run lists what speaks of them and what they said, with its sources, copies and
links, and prints the digest of that list. --list erases exactly that list, tells every
remote, and looks for the words in every table and file. If it is interrupted, run it
again. 'stemma audit ada.cert' checks the certificate. Exit code 1: words were found`)
	var in api.PurgeRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "reason; it is stored and shown, so do not repeat the words")
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "show what would be purged, and change nothing")
	c.Flags().BoolVar(&in.Status, "status", false, "purge nothing; show which remotes and machines erased what was purged")
	a.personFlags(c.Flags(), &in.Person)
	c.Flags().StringVar(&in.List, "list", "", "erase exactly the list with this digest")
	certificate := c.Flags().String("certificate", "", "file for the signed certificate; with --list")
	yes := c.Flags().Bool("yes", false, "do not ask for confirmation")
	declined, pending := false, 0
	do := func(ctx context.Context, in api.PurgeRequest) (api.PurgeReply, error) {
		if in.DryRun || in.Status || in.List != "" || *yes {
			r, err := call(ctx, a, (*engine.Engine).Purge, in)
			pending = r.Pending
			if err == nil && r.Outcome != nil {
				pending = r.Outcome.Found // a remote that did not answer is named, and is no failure
				if *certificate != "" {
					err = writeFile(*certificate, func(w io.Writer) error {
						_, err := io.WriteString(w, r.Outcome.Certificate)
						return err
					})
				}
			}
			return r, err
		}
		probe := in
		probe.DryRun = true
		r, err := call(ctx, a, (*engine.Engine).Purge, probe)
		if err != nil {
			return r, err
		}
		if !a.interactive() {
			return r, api.Invalid("purge cannot be undone; confirm with --yes, or preview with --dry-run")
		}
		a.showPurge(r, true)
		answer, err := a.ask(bufio.NewReader(a.env.Stdin), "purge permanently? [y/N] ")
		if err != nil && !errors.Is(err, errQuit) {
			return r, err
		}
		if declined = !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes"); declined {
			return r, nil
		}
		return call(ctx, a, (*engine.Engine).Purge, in)
	}
	run := verbAs(a, do, func(args []string) (api.PurgeRequest, error) {
		var err error
		if in.Asked() || in.List != "" {
			in.Refs = args
			return in, a.checkPerson(in, *certificate)
		}
		if *certificate != "" {
			return in, fmt.Errorf("--certificate: it is of an act on a list: give --list")
		}
		in.Refs, err = manyRefs(args, "")
		return in, err
	}, func(r api.PurgeReply) error {
		if declined {
			a.hint("nothing was purged")
			return nil
		}
		switch {
		case in.Status:
			a.showPurgeStatus(r)
			return nil
		case r.Person != nil:
			a.showPerson(r.Person, in.Person)
			return nil
		case r.Outcome != nil:
			a.showOutcome(r, *certificate)
			return nil
		}
		a.showPurge(r, in.DryRun)
		return nil
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil || pending == 0 {
			return err
		}
		return errFailed
	}
	return c
}

// showPurge prints what is or would be purged, and what may repeat it.
func (a *app) showPurge(r api.PurgeReply, would bool) {
	w := a.env.Stdout
	if would {
		fmt.Fprintf(w, "%s would be purged permanently\n", count(len(r.Goes), "record", "records"))
		a.affected(r.Goes, len(r.Goes))
	} else {
		fmt.Fprintf(w, "%s purged: %s\n", count(len(r.Purged), "record", "records"), shortRefs(r.Purged))
	}
	if len(r.RestsOnThem) > 0 {
		fmt.Fprintf(w, "%s them as a source and may repeat the words\n",
			count(len(r.RestsOnThem), "record has", "records have"))
		a.affected(r.RestsOnThem, len(r.RestsOnThem))
	}
}
