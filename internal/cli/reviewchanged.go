package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
)

// changedBy is what found that an imported record has other words now.
const changedBy = "import"

// reviewChanged asks once for each source about what an import found changed there, and returns what is to be
// decided one by one: all other conflicts, what directs or would replace something a person approved, and what the
// person wants to see by itself.
func (a *app) reviewChanged(ctx context.Context, in *bufio.Reader, open []api.LinkView) ([]api.LinkView, error) {
	var rest []api.LinkView
	var order []string
	groups := make(map[string][]api.LinkView)
	for _, l := range open {
		if l.Detector != changedBy || l.OneByOne {
			rest = append(rest, l)
			continue
		}
		old, err := call(ctx, a, (*engine.Engine).Show, api.RefRequest{Ref: l.Old.Ref})
		if err != nil {
			return nil, err
		}
		if old.Origin != "import" || len(old.Alias) == 0 {
			rest = append(rest, l)
			continue
		}
		source := core.AliasSource(old.Alias[0])
		if groups[source] == nil {
			order = append(order, source)
		}
		groups[source] = append(groups[source], l)
	}
	for _, source := range order {
		fmt.Fprintf(a.env.Stdout, "\n%d changed in %s\n", len(groups[source]), clean(source))
		for _, l := range groups[source] {
			a.showLink(l)
		}
		more, err := a.decideChanged(ctx, in, groups[source])
		if err != nil {
			return nil, err
		}
		rest = append(rest, more...)
	}
	return rest, nil
}

// decideChanged asks about the changes of one source.
func (a *app) decideChanged(ctx context.Context, in *bufio.Reader, links []api.LinkView) ([]api.LinkView, error) {
	for {
		answer, err := a.ask(in, "new words of all, old words of all, one by one, skip or quit? [n/o/1/s/q] ")
		if err != nil {
			return nil, err
		}
		keep := ""
		switch strings.ToLower(answer) {
		case "n", "new":
			keep = "new"
		case "o", "old":
			keep = "old"
		case "1", "one":
			return links, nil
		case "", "s", "skip":
			return nil, nil
		case "q", "quit":
			return nil, errQuit
		default:
			a.hint("%s is not one of the answers", quoted(answer, 40))
			continue
		}
		for _, l := range links {
			r, err := call(ctx, a, (*engine.Engine).Resolve, api.ResolveRequest{Ref: l.Ref, Keep: keep})
			if err != nil {
				return nil, err
			}
			a.showLink(r.Link)
		}
		return nil, nil
	}
}
