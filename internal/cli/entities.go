package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/sorting"
)

func (a *app) entitiesCmd() *cobra.Command {
	c := cmd("entities list | show NAME", "List the people and things that memories are about", `Examples:
  stemma entities list
  stemma entities list --like acme
  stemma entities show Alice          everything about that name, in order of time`)
	var in api.EntitiesRequest
	list := &cobra.Command{Use: "list", Short: "List names, the most frequent first", Args: cobra.NoArgs}
	list.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	list.Flags().StringVar(&in.Like, "like", "", "only names that contain this text")
	list.RunE = verb(a, (*engine.Engine).Entities, func([]string) (api.EntitiesRequest, error) {
		tight()
		return in, nil
	}, func(r api.EntitiesReply) error {
		if len(r.Entities) == 0 && in.Like != "" {
			a.hint("no name contains %s; stemma entities list shows all", quoted(in.Like, 40))
			return nil
		}
		return a.showEntities(r)
	})
	show := &cobra.Command{Use: "show NAME", Short: "Show everything about a name, in order of time"}
	limit := show.Flags().Int("limit", 0, "maximum number of memories, newest first (default 50; -1 for all)")
	show.RunE = verb(a, (*engine.Engine).Entity, func(args []string) (api.NameRequest, error) {
		if tight(); len(args) == 0 {
			return api.NameRequest{}, fmt.Errorf("entities show: give a name")
		}
		return api.NameRequest{Name: strings.Join(args, " "), Limit: *limit}, nil
	}, a.showEntity)
	c.AddCommand(list, show)
	return c
}

func (a *app) showEntities(r api.EntitiesReply) error {
	if len(r.Entities) == 0 {
		a.hint("no memory names anybody; add names with --about when you write one")
		return nil
	}
	cols := []column{{title: "Name", wide: true}, {title: "Kind"}, {title: "Memories", right: true}, {title: "Of kind"},
		{title: "First"}, {title: "Last"}}
	var rows [][]string
	for _, e := range r.Entities {
		rows = append(rows, []string{whole(e.Name), entityKind(e), fmt.Sprint(e.Count),
			kindsWords(e.Kinds), day(e.FirstSeen), day(e.LastSeen)})
	}
	a.table(a.env.Stdout, cols, rows)
	if r.More {
		a.hint("… %d names in total; --limit -1 shows all", r.Total)
	}
	return nil
}

// entityKind is the kind of an entity, or what a relationship calls it where the kind says nothing.
func entityKind(e api.Entity) string {
	if e.Kind == "other" && e.Type != "" {
		return whole(e.Type)
	}
	return e.Kind
}

// kindsWords is "2 beliefs, 1 note", the most first.
func kindsWords(kinds map[string]int) string {
	names := slices.Sorted(maps.Keys(kinds))
	sorting.By(names, func(a, b string) int { return kinds[b] - kinds[a] })
	for i, k := range names {
		names[i] = count(kinds[k], k, k+"s")
	}
	return strings.Join(names, ", ")
}

func (a *app) showEntity(r api.EntityReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s (%s): %s, %s to %s\n", a.paint(bold, whole(r.Name)), entityKind(r.Entity), kindsWords(r.Kinds),
		a.on(r.FirstSeen), day(r.LastSeen))
	for _, m := range r.About {
		at := or(m.At, or(m.OccurredAt, m.CreatedAt))
		fmt.Fprintf(w, "  %s %s %s\n", a.on(at), a.ref(m.Type, m.ID), a.ofMemory(m))
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	if r.More {
		a.hint("… there are older ones; --limit -1 shows all")
	}
	return nil
}
