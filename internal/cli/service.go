package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) remoteServiceCmd() *cobra.Command {
	c := &cobra.Command{Use: "service NAME", Short: "Manage accounts of machines at a hub", Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma remote service add team ci --out ci.json
  stemma remote service team                       lists them, and what they stored
  stemma remote service revoke team ci

A service account lets a machine join a hub without a terminal. It has its own key,
and may do what you allow in the spaces that you name. Lists the accounts that you
made, and those in the current space if you keep it`, Annotations: map[string]string{takes: takesName}}
	list := verb(a, (*engine.Engine).RemoteMembers, func(args []string) (api.RemoteMembersRequest, error) {
		return api.RemoteMembersRequest{Remote: args[0], Services: true}, nil
	}, a.showServices)
	c.RunE = list
	c.AddCommand(a.serviceAddCmd(),
		&cobra.Command{Use: "list NAME", Short: "List the accounts of machines", Args: cobra.ExactArgs(1), RunE: list,
			Long: "Examples:\n  stemma remote service list team\n\nList the accounts of machines"},
		&cobra.Command{Use: "revoke NAME SERVICE", Short: "Revoke the account of a machine", Args: cobra.ExactArgs(2),
			Long: `Examples:
  stemma remote service revoke team ci
  stemma remote service revoke team did:key:z6Mb…

Ends the account at once: its tokens end, and its file lets no machine in. Shows how
many records it stored; they stay. Only a person at a terminal can revoke`,
			RunE: verb(a, (*engine.Engine).RemoteServiceRevoke, func(args []string) (api.RemoteMemberRequest, error) {
				return api.RemoteMemberRequest{Remote: args[0], Account: args[1]}, nil
			}, a.showRevoked)})
	return c
}

func (a *app) serviceAddCmd() *cobra.Command {
	c := &cobra.Command{Use: "add NAME SERVICE", Short: "Make an account for a machine", Args: cobra.ExactArgs(2),
		Long: `Examples:
  stemma remote service add team ci --out ci.json
  stemma remote service add team ci --share plans --share notes --role reader --expires 90d --out ci.json
  stemma remote service add team agent --count 20 --out agents      agents/agent-001.json and so on

Writes a file with which a machine joins: 'stemma remote join FILE', or STEMMA_JOIN=@FILE
in its environment. Whoever has the file can act as the service, so hand it over as
you would a password. Only a person at a terminal can make one`}
	in := api.RemoteInviteRequest{}
	var out, expires string
	f := c.Flags()
	f.StringArrayVar(&in.Spaces, "share", nil, "space that you keep; repeatable (default: the current space)")
	f.StringVar(&in.Role, "role", "writer", "role there: reader or writer")
	f.StringVar(&expires, "expires", "", "how long the account lasts, such as 90d or 12h (default: until you revoke it)")
	f.IntVar(&in.Count, "count", 0, "make that many, numbered")
	f.StringVar(&out, "out", "", "new file for the account; with --count, a directory")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		var files []*os.File
		made := verb(a, (*engine.Engine).RemoteServiceAdd, func(args []string) (api.RemoteInviteRequest, error) {
			in.Remote, in.Service = args[0], args[1]
			var err error
			if in.Hours, err = hoursOf(expires); err != nil {
				return in, ran{err}
			}
			if cmd.Flags().Changed("count") && in.Count < 1 {
				return in, ran{api.Invalid("--count: must be 1 or more, got %d", in.Count)}
			}
			if out == "" && !a.flags.json {
				return in, fmt.Errorf("remote service add: needs --out FILE, or --json")
			}
			if out != "" { // before the hub makes anything
				files, err = a.serviceFiles(out, in)
			}
			return in, err
		}, func(r api.RemoteMembersReply) error {
			if err := fillServices(files, r.Files); err != nil {
				return err
			}
			for i, s := range r.Services {
				fmt.Fprintf(a.env.Stdout, "%s  %s  %s\n", clean(s.Name), s.Account, clean(files[i].Name()))
			}
			a.hint("to join, on the machine: stemma remote join FILE, or STEMMA_JOIN=@FILE")
			return nil
		})
		if a.flags.json && out != "" {
			return fmt.Errorf("remote service add: give --out or --json, not both: --json prints the files")
		}
		err := made(cmd, args)
		for _, f := range files {
			err = errors.Join(err, f.Close())
			if err != nil {
				err = errors.Join(err, removeEmpty(f.Name()))
			}
		}
		return err
	}
	return c
}

// hoursOf reads how long a service lasts: hours or days.
func hoursOf(text string) (int, error) {
	wrong := api.Invalid("--expires: must be whole days or hours such as 90d or 12h, got %q", text)
	if text == "" {
		return 0, nil
	}
	if days, is := strings.CutSuffix(text, "d"); is {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > 36500 {
			return 0, wrong
		}
		return n * 24, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Hour || d%time.Hour != 0 {
		return 0, wrong
	}
	return int(d / time.Hour), nil
}

// serviceFiles makes the files of services, which must not be there, for this person alone.
func (a *app) serviceFiles(out string, in api.RemoteInviteRequest) (files []*os.File, err error) {
	if !filepath.IsAbs(out) {
		out = filepath.Join(a.env.Dir, out)
	}
	names := []string{out}
	if in.Count > 0 {
		if err := os.MkdirAll(out, 0o700); err != nil {
			return nil, ran{api.Invalid("--out: %s", err)}
		}
		names = names[:0]
		for i := range in.Count {
			names = append(names, filepath.Join(out, fmt.Sprintf("%s-%03d.json", filepath.Base(in.Service), i+1)))
		}
	}
	for _, name := range names {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			for _, made := range files {
				err = errors.Join(err, made.Close(), os.Remove(made.Name()))
			}
			if errors.Is(err, os.ErrExist) {
				return nil, ran{api.Invalid("--out: %s exists; name a new file", clean(name))}
			}
			return nil, ran{api.Invalid("--out: %s", err)}
		}
		files = append(files, f)
	}
	return files, nil
}

func fillServices(files []*os.File, all []json.RawMessage) error {
	for i, s := range all {
		var text bytes.Buffer
		if err := json.Indent(&text, s, "", "  "); err != nil {
			return err
		}
		text.WriteByte('\n')
		if _, err := files[i].Write(text.Bytes()); err != nil {
			return err
		}
		if err := files[i].Sync(); err != nil {
			return err
		}
	}
	return nil
}

// removeEmpty removes a file that nothing was written to.
func removeEmpty(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Size() > 0 {
		return nil
	}
	return os.Remove(name)
}

func (a *app) showServices(r api.RemoteMembersReply) error {
	var rows [][]string
	for _, s := range r.Services {
		state := "until revoked"
		switch {
		case s.Revoked != "":
			state = "revoked " + minute(s.Revoked)
		case s.Expires != "":
			state = "until " + minute(s.Expires)
		}
		used, from := "never", ""
		for _, t := range s.Tokens {
			if t.Used > from {
				from, used = t.Used, minute(t.Used)+" from "+clean(t.Address)
			}
		}
		var may []string
		for _, p := range s.Places {
			may = append(may, p.Role+" of "+spaceNames(nil)(p.Space))
		}
		var records int64
		for _, w := range s.Stored {
			records += w.Records
		}
		rows = append(rows, []string{clean(s.Name), clean(strings.Join(may, ", ")), state, used, fmt.Sprint(records),
			s.Account})
	}
	if len(rows) == 0 {
		a.hint("no service accounts; to make one: stemma remote service add %s SERVICE --out FILE", clean(r.Remote))
		return nil
	}
	a.table(a.env.Stdout, []column{{title: "Service"}, {title: "Role"}, {title: "State"}, {title: "Last used"},
		{title: "Stored", right: true}, {title: "Account"}}, rows)
	return nil
}

func (a *app) showRevoked(r api.RemoteMembersReply) error {
	for _, s := range r.Services {
		fmt.Fprintf(a.env.Stdout, "revoked %s %s\n", clean(s.Name), s.Account)
		for _, w := range s.Stored {
			fmt.Fprintf(a.env.Stdout, "stored %s in %s\n", count(int(w.Records), "record", "records"), clean(w.Space))
		}
		a.hint("to see what it wrote: stemma quarantine author:%s --dry-run", s.Account)
	}
	return nil
}
