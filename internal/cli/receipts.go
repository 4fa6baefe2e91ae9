package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) receiptsCmd() *cobra.Command {
	c := cmd("receipts list | show | replay", "Show what agents asked and what they received", `Examples:
  stemma receipts list --since 24h
  stemma receipts list --ref belief:a04e     who received this memory
  stemma receipts list --all-stores          include your other stores
  stemma receipts show 81c0f3
  stemma receipts replay 81c0f3`)
	list := &cobra.Command{Use: "list", Short: "List them, newest first", Args: cobra.NoArgs}
	var in api.ReceiptsRequest
	f := list.Flags()
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 20; -1 for all)")
	f.StringVar(&in.Since, "since", "", "since: a time, or an age such as 2h")
	f.StringVar(&in.Until, "until", "", "until: a time, or an age")
	f.StringVar(&in.Ref, "ref", "", "only receipts that contain this memory")
	f.BoolVar(&in.AllStores, "all-stores", false, "receipts of all your stores")
	list.RunE = verb(a, (*engine.Engine).Receipts, func([]string) (api.ReceiptsRequest, error) {
		in.Session = a.flags.session
		return in, nil
	}, func(r api.ReceiptsReply) error { return a.showReceipts(r, in.AllStores) })
	one := func(args []string) (api.ReceiptRequest, error) {
		if len(args) != 1 {
			return api.ReceiptRequest{}, fmt.Errorf("name one receipt; to list them: stemma receipts list")
		}
		return api.ReceiptRequest{ID: args[0]}, nil
	}
	show := &cobra.Command{Use: "show ID", Short: "Show one receipt"}
	show.RunE = verb(a, (*engine.Engine).Receipt, one, a.showReceipt)
	replay := &cobra.Command{Use: "replay ID", Short: "Ask the same question again and show the differences"}
	replay.RunE = func(cmd *cobra.Command, args []string) error {
		a.embeds = true
		return verb(a, (*engine.Engine).Replay, one, a.showReplay)(cmd, args)
	}
	c.AddCommand(list, show, replay)
	return c
}

func (a *app) showReceipts(r api.ReceiptsReply, stores bool) error {
	if len(r.Receipts) == 0 {
		a.hint("no receipts; stemma keeps them for agents, not for a person at a terminal")
		return nil
	}
	var rows [][]string
	for _, one := range r.Receipts {
		row := []string{one.ID, minute(one.At), one.Op, fmt.Sprint(len(one.Results))}
		if stores {
			row = append(row, whole(or(one.Path, or(one.Store, "-"))))
		}
		rows = append(rows, append(row, whole(or(one.Query, "-"))))
	}
	columns := []column{{title: "ID"}, {title: "When"}, {title: "What"}, {title: "Given", right: true}}
	if stores {
		columns = append(columns, column{title: "Store"})
	}
	a.table(a.env.Stdout, append(columns, column{title: "Question", wide: true}), rows)
	if r.More {
		a.hint("… there are more; --limit -1 shows all")
	}
	if r.Unreadable > 0 {
		a.hint("%d unreadable lines in the file", r.Unreadable)
	}
	return nil
}

func (a *app) showReceipt(r api.Receipt) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s, %s, by %s", a.paint(bold, "Receipt"), r.ID, minute(r.At), r.Origin)
	if r.Agent != "" {
		fmt.Fprintf(w, " (%s)", a.about(r.Agent, 40))
	}
	fmt.Fprintf(w, "\n%s%s\n", title(r.Op), a.asked(r))
	a.given(r.Results)
	return nil
}

// asked is the question of a receipt in quotation marks, if there was one.
func (a *app) asked(r api.Receipt) string {
	if r.Query == "" {
		return ""
	}
	return ": " + cited(r.Query)
}

func (a *app) given(list []api.Receipted) {
	for _, g := range list {
		score := ""
		if g.Score > 0 {
			score = fmt.Sprintf("score %.3f, ", g.Score)
		}
		fmt.Fprintf(a.env.Stdout, "%d. %s %s\n   %s\n", g.Rank, shortRef(g.Ref), cited(g.Text),
			a.paint(dim, score+or(g.Tier, "raw words")+", signature "+g.Signature))
	}
}

func (a *app) showReplay(r api.ReplayReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s of %s%s\n", title(r.Receipt.Op), r.Receipt.ID, minute(r.Receipt.At), a.asked(r.Receipt))
	if len(r.Changes) == 0 {
		same := "the same " + count(len(r.Now), "memory", "memories in the same order")
		if len(r.Now) == 0 {
			same = "nothing, before and now"
		}
		fmt.Fprintln(w, same)
		return nil
	}
	place := func(n int) string {
		if n == 0 {
			return "–"
		}
		return fmt.Sprint(n)
	}
	var rows [][]string
	for _, c := range r.Changes {
		rows = append(rows, []string{place(c.Was), place(c.Is), shortRef(c.Ref), whole(c.Text), whole(c.Reason)})
	}
	a.table(w, []column{{title: "Was", right: true}, {title: "Is", right: true}, {title: "Memory"},
		{title: "Words", wide: true}, {title: "Why", wide: true}}, rows)
	return nil
}
