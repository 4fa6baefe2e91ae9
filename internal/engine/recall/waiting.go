package recall

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tokens"
	"github.com/stemma-memory/stemma/memory"
)

// What prompts that are handed over take: without being asked for more, and what is said of each beside its words.
const (
	promptsBudget = 2000
	aroundPrompt  = 40
)

// waiting hands over prompts that are not memories yet, in groups by session: the session first in which the oldest of
// them was said. Their words are whole while there is room.
func (e *Finder) waiting(rd *trust.Reading, in api.RecentRequest) (api.ListReply, error) {
	reply := api.ListReply{Memories: []api.Memory{}}
	if in.Budget != 0 && (in.Budget < pack.MinBudget || in.Budget > pack.MaxBudget) {
		return reply, core.Invalid("budget: must be %d to %d, got %d", pack.MinBudget, pack.MaxBudget, in.Budget)
	}
	var since time.Time
	if in.Since != "" {
		var err error
		if since, err = e.Ago("since", in.Since); err != nil {
			return reply, err
		}
	}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	var order []string
	groups := make(map[string][]*store.Item)
	all := 0
	for it, err := range e.views.Prompts(rd, in.NotKept, in.Session, since) {
		if err != nil {
			return reply, err
		}
		if all++; limit > 0 && all > limit {
			break
		}
		s := it.Record.Header.Session
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], it)
	}
	left := cmp.Or(in.Budget, promptsBudget)
	var given []*store.Item
	full := false
	for _, s := range order {
		for i, it := range groups[s] {
			text, cost := promptIn(it.Record, left, max(left, promptsBudget)/2, len(given) == 0)
			if full = full || cost == 0; full {
				break
			}
			if i == 0 {
				reply.Waiting = append(reply.Waiting, api.WaitingGroup{Session: s})
			}
			p := api.WaitingPrompt{Ref: it.Ref.String(), At: standing.At(it.Record), Text: text}
			if own, _ := views.IsPrompt(it.Record); own != text {
				p.Cut, p.Words = true, len(strings.Fields(own))
			}
			group := &reply.Waiting[len(reply.Waiting)-1]
			group.Prompts = append(group.Prompts, p)
			given, left = append(given, it), left-cost
		}
	}
	e.receipts.NoteOutside(rd, "recent", given)
	return reply, e.leftWaiting(rd, in, all, since, len(given), &reply)
}

// promptIn is as much of a prompt's words as there is room for: all, or what half of the room holds. The cost is 0
// where there is room for none of them.
func promptIn(r *memory.Record, left, half int, first bool) (text string, cost int) {
	own, _ := views.IsPrompt(r)
	room := left - aroundPrompt
	if tokens.Fits(own, room) {
		return own, tokens.Count(own) + aroundPrompt
	}
	if room = min(room, half); room < aroundPrompt && !first {
		return "", 0
	}
	text = tokens.Cut(own, max(room, aroundPrompt), "…")
	return text, tokens.Count(text) + aroundPrompt
}

// leftWaiting says how many prompts were not given, and what to do.
func (e *Finder) leftWaiting(
	rd *trust.Reading, in api.RecentRequest, seen int, since time.Time, given int, reply *api.ListReply,
) error {
	total := seen
	if seen > given && in.Session == "" && since.IsZero() {
		n, err := e.views.CountPrompts(rd, in.NotKept)
		if err != nil {
			return err
		}
		total = max(total, n.Count)
	} else if seen > given {
		total = 0
		for _, err := range e.views.Prompts(rd, in.NotKept, in.Session, since) {
			if err != nil {
				return err
			}
			total++
		}
	}
	reply.LeftOut = max(total-given, 0)
	reply.More = reply.LeftOut > 0
	switch {
	case given == 0:
	case in.NotKept:
		reply.Hint = "`undo` with the ref of one lets it wait again"
	default:
		reply.Hint = "keep what matters later: `remember` with these refs in from; name the others in not_kept"
	}
	if reply.LeftOut > 0 {
		reply.Hint += fmt.Sprintf("; %d more: settle these and ask again, or ask with a larger limit and budget",
			reply.LeftOut)
	}
	return nil
}
