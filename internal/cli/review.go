package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) reviewCmd() *cobra.Command {
	c := cmd("review [show | accept | edit | reject]", "Approve, edit, reject or merge what agents wrote", `Examples:
  stemma review                    one by one, at a terminal
  stemma review --by session       in groups: decide about all of a session at once, or all but some
  stemma review --list             only list what waits
  stemma review --list --all       also what needs no decision
  stemma review --json --limit -1
  stemma review --conflicts        memories that contradict each other
  stemma review --suggestions      drafts and proposed links in one list
  stemma review accept link:3f9a
  stemma review edit belief:a04e "in better words"`)
	var in api.KindRequest
	c.Flags().StringVar(&in.Kind, "kind", "", "only this kind")
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	list := c.Flags().Bool("list", false, "only list what waits")
	by := c.Flags().String("by", "", "in groups: session, source or kind")
	all := c.Flags().Bool("all", false, "also what needs no decision; with --conflicts: also what was decided")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *by != "" && !slices.Contains(groupings, *by) {
			return fmt.Errorf("--by: must be session, source or kind, got %s", quoted(*by, 40))
		}
		show := func(r api.ReviewReply) error { return a.showQueue(cmd.Context(), r, in.Kind == "", *by) }
		if !*list && a.interactive() {
			show = func(r api.ReviewReply) error {
				err := a.reviewEach(cmd.Context(), r, in.Kind == "", *by)
				if a.who.approved {
					a.proposePassphrase()
				}
				return err
			}
		}
		if in.All = *all; *by != "" && in.Limit == 0 {
			in.Limit = -1 // a group is whole
		}
		return verb(a, (*engine.Engine).Review, func([]string) (api.KindRequest, error) { return in, nil }, show)(cmd,
			args)
	}
	addViews(c,
		view{flag: "conflicts", doc: "list memories that contradict each other, and forked revisions",
			with: []string{"all", "limit"},
			run: verb(a, (*engine.Engine).Conflicts, func([]string) (api.OpenRequest, error) {
				return api.OpenRequest{All: *all, Limit: in.Limit}, nil
			}, a.showConflicts)},
		view{flag: "suggestions", doc: "list drafts and proposed links; --kind link shows only links",
			with: []string{"all", "kind", "limit"},
			run: verb(a, (*engine.Engine).Suggestions, func([]string) (api.KindRequest, error) {
				in.All = *all
				return in, nil
			}, a.showSuggestions)})
	a.suggestionVerbs(c)
	return c
}

// showQueue shows what waits for a decision: memories, and whether there are conflicts.
func (a *app) showQueue(ctx context.Context, r api.ReviewReply, all bool, by string) error {
	conflicts := 0
	if all {
		open, err := call(ctx, a, (*engine.Engine).Conflicts, api.OpenRequest{})
		if err != nil {
			return err
		}
		conflicts = len(open.Conflicts) + len(open.Forks)
	}
	if len(r.Pending) > 0 || conflicts == 0 && len(r.HeldBack) == 0 {
		if err := a.showPending(r, by); err != nil {
			return err
		}
	}
	a.showHeld(r.HeldBack)
	if n := r.Proposals; n["for_agent"]+n["for_person"]+n["decided"]+n["let_go"] > 0 {
		a.hint("proposals: %s", proposals(r.Proposals))
	}
	if w, n := r.PromptsWaiting.Count, r.PromptsNotKept.Count; all && w+n > 0 {
		a.hint("prompts: %d wait, %d not kept: stemma recent --waiting [--not-kept]", w, n)
	}
	if conflicts > 0 {
		a.hint("%s open: stemma review --conflicts", count(conflicts, "conflict is", "conflicts are"))
	}
	return nil
}

// showHeld shows what waits because of outside words: each group with the command that takes all of it that one
// decision may cover.
func (a *app) showHeld(groups []api.HeldGroup) {
	w := a.env.Stdout
	for _, g := range groups {
		fmt.Fprintf(w, "%s\n", a.paint(bold, fmt.Sprintf("Held back after reading %s: %d", a.about(g.Source, 80), g.Count)))
		var together []string
		for _, m := range g.Memories {
			alone := slices.Contains(g.OneByOne, m.Ref)
			if !alone {
				together = append(together, m.Type+":"+short(m.ID))
			}
			fmt.Fprintf(w, "  %s %s%s\n", a.ref(m.Type, m.ID), a.ofMemory(m), map[bool]string{true: "  (decide alone)"}[alone])
		}
		if len(together) > 0 {
			a.hint("all these words are right: stemma approve %s", strings.Join(together, " "))
		}
	}
}

func (a *app) showPending(r api.ReviewReply, by string) error {
	if len(r.Pending) == 0 {
		a.hint("nothing to review")
		return nil
	}
	if by != "" {
		groups := a.grouped(r.Pending, by)
		for i, g := range groups {
			a.showGroup(g, i+1, len(groups))
		}
		r.Pending = nil
	}
	for _, p := range r.Pending {
		a.showPendingOne(p)
	}
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	a.hint("a person decides with 'stemma review' at a terminal, or with 'stemma approve' and 'stemma reject'")
	return nil
}

func (a *app) showPendingOne(p api.Pending) {
	w := a.env.Stdout
	who := "an agent"
	if p.Agent != "" {
		who = a.about(p.Agent, 40)
	}
	fmt.Fprintf(w, "%s %s %s\n", a.ref(p.Type, p.ID), a.paint(dim, "["+subtype(p.Memory)+"]"),
		a.ofMemory(p.Memory))
	fmt.Fprintf(w, "  %s, by %s on %s, confidence %s\n", or(p.Tier, "no tier"), who, a.on(or(p.At, p.CreatedAt)),
		decimal(p.Confidence))
	if p.Asks && p.Why != "" {
		fmt.Fprintf(w, "  asked because %s\n", whole(p.Why))
	}
	a.showRejectedBefore(p.RejectedBefore)
	for _, s := range p.Sources {
		fmt.Fprintf(w, "  from %s %s\n", shortRef(s.Ref), a.saidBy(s.Speaker, or(s.Text, s.Headline)))
	}
	if n := len(p.DerivedFrom) - len(p.Sources); n > 0 {
		fmt.Fprintf(w, "  and %d more\n", n)
	}
	for _, s := range p.Near {
		fmt.Fprintf(w, "  near %s %s\n", shortRef(s.Ref), cited(or(s.Text, s.Headline)))
	}
	for _, f := range p.CodeRefs {
		fmt.Fprintf(w, "  about %s\n", whole(f))
	}
}

// showRejectedBefore says what was decided about a memory of the same words, or of similar ones.
func (a *app) showRejectedBefore(x *api.Rejection) {
	if x == nil {
		return
	}
	how, did, why := "says the same as", "rejected", ""
	if x.Alike {
		how = "is like"
	}
	if x.Quarantined {
		did = "quarantined"
	}
	if x.Reason != "" {
		why = ": " + whole(x.Reason)
	}
	fmt.Fprintf(a.env.Stdout, "  %s %s %s, which was %s by %s on %s%s\n", how, shortRef(x.Ref),
		cited(or(x.Text, x.Headline)), did, a.about(x.RejectedBy, 60), day(x.RejectedAt), why)
}

// reviewEach goes through what waits, with a person at the terminal: first memories, and
// then conflicts, where all was asked for.
func (a *app) reviewEach(ctx context.Context, r api.ReviewReply, all bool, by string) error {
	var open api.ConflictsReply
	var err error
	if all {
		if open, err = call(ctx, a, (*engine.Engine).Conflicts, api.OpenRequest{Limit: -1}); err != nil {
			return err
		}
	}
	if len(r.Pending)+len(r.HeldBack)+len(open.Conflicts)+len(open.Forks) == 0 {
		a.hint("nothing to review")
		return nil
	}
	in := a.typing()
	if by != "" {
		err = a.reviewGroups(ctx, in, a.grouped(r.Pending, by))
	} else {
		err = a.reviewMemories(ctx, in, r)
	}
	if err == nil {
		err = a.reviewHeld(ctx, in, r)
	}
	if err != nil {
		return unlessQuit(err)
	}
	if open.Conflicts, err = a.reviewChanged(ctx, in, open.Conflicts); err != nil {
		return unlessQuit(err)
	}
	for i, l := range open.Conflicts {
		fmt.Fprintf(a.env.Stdout, "\nconflict %d of %d  ", i+1, len(open.Conflicts))
		a.showLink(l)
		if err := a.resolveOne(ctx, in, l); err != nil {
			return unlessQuit(err)
		}
	}
	for _, f := range open.Forks {
		a.showFork(f)
	}
	if len(open.Forks) > 0 {
		a.hint("to replace all revisions with one: stemma resolve REF --merge TEXT")
	}
	return nil
}

// resolveOne asks a person which of two memories holds. A conflict may be decided
// meanwhile by what was decided before: then that is said.
func (a *app) resolveOne(ctx context.Context, in *bufio.Reader, l api.LinkView) error {
	decide := func(as api.ResolveRequest) func() error {
		return func() error {
			as.Ref = l.Ref
			r, err := call(ctx, a, (*engine.Engine).Resolve, as)
			if err == nil && r.Link.Ref != "" {
				a.showLink(r.Link)
			}
			return err
		}
	}
	return a.choose(in, choice{"old", decide(api.ResolveRequest{Keep: "old"})},
		choice{"new", decide(api.ResolveRequest{Keep: "new"})},
		choice{"both", decide(api.ResolveRequest{Keep: "both"})},
		choice{"dismiss", decide(api.ResolveRequest{Dismiss: true})})
}

// reviewMemories goes through the memories that wait.
func (a *app) reviewMemories(ctx context.Context, in *bufio.Reader, r api.ReviewReply) error {
	var merged []string // what was named for a merge waits no more
	for i, p := range r.Pending {
		if slices.ContainsFunc(merged, func(other string) bool {
			return strings.HasPrefix(p.Ref, other) || strings.HasPrefix(p.ID, other)
		}) {
			continue
		}
		fmt.Fprintf(a.env.Stdout, "\n%d of %d  ", i+1, len(r.Pending))
		a.showPendingOne(p)
		if err := a.reviewOne(ctx, in, p, &merged); err != nil {
			return err
		}
	}
	return nil
}

// reviewOne asks a person about one memory.
func (a *app) reviewOne(ctx context.Context, in *bufio.Reader, p api.Pending, merged *[]string) error {
	return a.choose(in,
		choice{"approve", func() error {
			err := a.decideOne(ctx, (*engine.Engine).Approve, p.Ref, "")
			a.who.approved = a.who.approved || err == nil
			return err
		}},
		choice{"edit", func() error { return a.editOne(ctx, in, api.ReviseRequest{Ref: p.Ref}) }},
		choice{"reject", func() error {
			why, err := a.ask(in, "reason (optional): ")
			if err == nil {
				err = a.decideOne(ctx, (*engine.Engine).Reject, p.Ref, why)
			}
			return err
		}},
		choice{"merge", func() error {
			other, err := a.mergeOne(ctx, in, p.Ref)
			if err == nil {
				*merged = append(*merged, other)
			}
			return err
		}})
}

func (a *app) decideOne(ctx context.Context, do method[api.DecideRequest, api.DecideReply], ref,
	reason string) error {
	r, err := call(ctx, a, do, api.DecideRequest{Refs: []string{ref}, Reason: reason})
	if err != nil {
		return err
	}
	return a.showDecided(r)
}

// editOne says a memory again and approves that.
func (a *app) editOne(ctx context.Context, in *bufio.Reader, as api.ReviseRequest) error {
	text, err := a.ask(in, "new text: ")
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("no text given; nothing changed")
	}
	as.Text, as.Approve = text, true
	r, err := call(ctx, a, (*engine.Engine).Revise, as)
	if err != nil {
		return err
	}
	return a.wrote(r)
}

// mergeOne makes one memory of two, and approves it.
func (a *app) mergeOne(ctx context.Context, in *bufio.Reader, ref string) (other string, err error) {
	if other, err = a.ask(in, "merge with (ref): "); err != nil {
		return "", err
	}
	text, err := a.ask(in, "text for both: ")
	if err != nil {
		return "", err
	}
	if other == "" || text == "" {
		return "", errors.New("a merge needs another memory and a text; nothing changed")
	}
	r, err := call(ctx, a, (*engine.Engine).Revise, api.ReviseRequest{
		Ref: ref, Merge: []string{other}, Draft: api.Draft{Text: text}, Meta: api.Meta{Approve: true},
	})
	if err != nil {
		return "", err
	}
	return other, a.wrote(r)
}
