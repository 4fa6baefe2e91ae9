package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/project"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) spaceCmd() *cobra.Command {
	c := cmd("space [list | bind | unbind | assign]", "Show your spaces, or say what belongs to this project", `Examples:
  stemma space                   the space of this project, and the others of this store
  stemma space bind team         this project's memories go to the space team from now on
  stemma space bind did:key:z6Mk…/team
  stemma space unbind

Each git repository has a space of its own: its worktrees and clones share it, and no
other project reads it. What is about you, and what is said outside any repository,
lies in "me" and is read everywhere. "main" holds what an earlier version kept for
all projects. If several people bind their copies of a repository to one shared space,
they share its memories`)
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error { return a.listSpaces(cmd.Context()) }
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "List spaces", Args: cobra.NoArgs, RunE: c.RunE,
			Long: "Examples:\n  stemma space list\n\nList the spaces of this store, and which are read here"},
		a.spaceBindCmd(), a.spaceUnbindCmd(), a.spaceAssignCmd())
	return a.single(c)
}

// spaceLine is one space of the store, as it is seen from here.
type spaceLine struct {
	Space   string   `json:"space"`
	Records int64    `json:"records"`
	Here    bool     `json:"here,omitempty"` // what is written here goes there
	Read    bool     `json:"read"`           // it is read here
	Paths   []string `json:"paths,omitempty"`
	Bound   string   `json:"bound,omitempty"` // the space that its project is bound to
}

func (a *app) listSpaces(ctx context.Context) error {
	e, err := a.openToRead(ctx)
	if err != nil {
		return err
	}
	lines, err := a.spaceLines(ctx, e)
	if err != nil {
		return ran{err}
	}
	if a.flags.json {
		return a.printJSON(lines)
	}
	var names []string
	for _, l := range lines {
		names = append(names, l.Space)
	}
	named := spaceNames(names)
	var rows [][]string
	for _, l := range lines {
		read := ""
		switch {
		case l.Here:
			read = "written and read here"
		case l.Read:
			read = "read here"
		}
		where := strings.Join(l.Paths, ", ")
		if l.Bound != "" {
			where += "; bound to " + l.Bound
		}
		rows = append(rows, []string{named(l.Space), count(int(l.Records), "record", "records"), read, clean(where)})
	}
	cols := []column{{title: "Space"}, {title: "Holds"}, {title: "Here"}, {title: "Project", wide: true}}
	a.table(a.env.Stdout, cols, rows)
	return nil
}

func (a *app) spaceLines(ctx context.Context, e *engine.Engine) ([]spaceLine, error) {
	stats, err := e.Stats(ctx, api.Nothing{})
	if err != nil {
		return nil, err
	}
	read, err := e.ReadSpaces(ctx)
	if err != nil {
		return nil, err
	}
	data, err := a.dataDir()
	if err != nil {
		return nil, err
	}
	book, err := project.Read(data)
	if err != nil {
		return nil, err
	}
	lines := []spaceLine{}
	for _, s := range stats.Spaces {
		l := spaceLine{Space: s.Space, Records: s.Records, Read: slices.Contains(read, s.Space)}
		_, name, _ := strings.Cut(s.Space, "/")
		l.Here = e.C.Space == s.Space || e.C.Space == name
		for _, p := range book.Projects {
			if p.Space == name || p.Bound == s.Space {
				l.Paths = append(l.Paths, p.Paths...)
			}
			if p.Space == name {
				l.Bound = p.Bound
			}
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func (a *app) spaceBindCmd() *cobra.Command {
	var share string
	c := &cobra.Command{
		Use: "bind SPACE", Short: "Write this project's memories into another space", Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma space bind team
  stemma space bind did:key:z6Mk…/team
  stemma space bind team --share hub    the remote hub gets what is there already, too

From now on, what is written in this repository goes to SPACE, in all its worktrees
and clones on this machine. What its own space holds stays there and is read here as
before; others who have SPACE get it only with --share. Only a person can bind a project`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.bindSpace(cmd.Context(), args[0], share) },
	}
	c.Flags().StringVar(&share, "share", "", "remote that gets what the project's own space holds, too")
	return c
}

func (a *app) bindSpace(ctx context.Context, name, share string) error {
	if a.origin() != memory.OriginOwner {
		return ran{onlyPerson{"space bind: permission denied; only a person says where a project's memories go"}}
	}
	a.writes = true
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	here, err := a.here(ctx)
	switch {
	case err != nil:
		return ran{err}
	case here.Space == "":
		return ran{api.Invalid("space bind: this is in no git repository, so there is no project to bind")}
	case name == engine.MeSpace || strings.HasSuffix(name, "/"+engine.MeSpace):
		return ran{api.Invalid("space bind: %s holds what is yours alone; name another space", engine.MeSpace)}
	}
	lines, err := a.spaceLines(ctx, e)
	if err != nil {
		return ran{err}
	}
	me, err := e.Init(ctx, api.Nothing{})
	if err != nil {
		return ran{err}
	}
	full, err := fullSpace(name, me.Owner, slices.DeleteFunc(slices.Clone(lines), func(l spaceLine) bool {
		return l.Space == me.Owner+"/"+here.Space // it is not bound to itself
	}))
	if err != nil {
		return ran{err}
	}
	data, err := a.dataDir()
	if err != nil {
		return ran{err}
	}
	if share != "" {
		if _, err := e.RemoteAdd(ctx, api.RemoteRequest{Name: share, Also: []string{here.Space}}); err != nil {
			return ran{err}
		}
	}
	if err := project.Bind(ctx, data, a.env.Dir, a.env.Getenv("HOME"), "", full); err != nil {
		return ran{err}
	}
	fmt.Fprintf(a.env.Stdout, "what is written in %s goes to %s from now on\n", clean(here.Name), clean(full))
	return asRan(a.tellHeld(ctx, e, name, here.Space, share))
}

// tellHeld lists what a project's own space holds when the project is bound, and whether others get it.
func (a *app) tellHeld(ctx context.Context, e *engine.Engine, bound, space, share string) error {
	own, err := e.As(engine.Caller{Origin: memory.OriginOwner, Space: space})
	if err != nil {
		return err
	}
	held, err := own.List(ctx, api.ListRequest{Limit: heldShown, Brief: true})
	if err != nil || len(held.Memories) == 0 {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%s holds already:\n", clean(space))
	for _, m := range held.Memories {
		fmt.Fprintf(a.env.Stdout, "  %s  %s\n", shortRef(m.Ref), clean(m.Headline))
	}
	if held.More {
		fmt.Fprintf(a.env.Stdout, "  … to list all: stemma list --space %s\n", space)
	}
	if share == "" {
		a.hint("these are still read here and not given to others. To give them too: stemma space bind %s --share REMOTE",
			clean(bound))
		return nil
	}
	a.hint("these go to %s with the next sync", clean(share))
	return nil
}

const heldShown = 10 // memories of a project that are listed when it is bound

// fullSpace finds a space by its name: one that is there, or else a new one of this person's.
func fullSpace(name, owner string, lines []spaceLine) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	var alike []string
	for _, l := range lines {
		if strings.HasSuffix(l.Space, "/"+name) {
			alike = append(alike, l.Space)
		}
	}
	switch len(alike) {
	case 1:
		return alike[0], nil
	case 0:
		if err := memory.CheckSpaceName(name); err != nil {
			return "", api.Invalid("space: %v", err)
		}
		return owner + "/" + name, nil
	}
	return "", several{fmt.Sprintf("space: %s stands for %s; give one in full", name, strings.Join(alike, " and "))}
}

func (a *app) spaceUnbindCmd() *cobra.Command {
	return &cobra.Command{
		Use: "unbind", Short: "Write this project's memories into its own space again", Args: cobra.NoArgs,
		Long: "Examples:\n  stemma space unbind\n\nWhat the other space holds stays there. Only a person can do it",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.origin() != memory.OriginOwner {
				return ran{onlyPerson{"space unbind: permission denied; only a person says where a project's memories go"}}
			}
			data, err := a.dataDir()
			if err != nil {
				return ran{err}
			}
			was, err := project.Unbind(cmd.Context(), data, a.env.Dir, a.env.Getenv("HOME"))
			switch {
			case err != nil:
				return ran{err}
			case !was:
				a.hint("this project is not bound")
			}
			return nil
		},
	}
}

func (a *app) spaceAssignCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "assign REF…", Short: "Say that memories of no project are of this one", Long: `Examples:
  stemma space assign note:3f9a belief:77b0     of this project
  stemma space assign --all                     all that are of no project
  stemma space assign note:3f9a --to api-1f2e3d4c
  stemma space assign note:3f9a --to main       of no project again

From then on only this project reads them. Their signed space stays, and remotes
exchange them with it. Only a person can assign memories`,
	}
	var in api.AssignRequest
	c.Flags().BoolVar(&in.All, "all", false, "all memories of no project")
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.Flags().StringVar(&in.Space, "to", "", "space of a project (default: the project that you are in); main for none")
	c.RunE = verb(a, (*engine.Engine).SpaceAssign, func(args []string) (api.AssignRequest, error) {
		in.Refs = args
		return in, nil
	}, func(r api.AssignReply) error {
		fmt.Fprintf(a.env.Stdout, "%s assigned to %s\n", count(r.Assigned, "record", "records"), clean(r.Space))
		if r.Hint != "" {
			a.hint("%s", r.Hint)
		}
		return nil
	})
	return c
}
