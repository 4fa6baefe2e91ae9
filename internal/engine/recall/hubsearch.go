package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// askedFor is how long a search waits for a hub.
const askedFor = 3 * time.Second

// asking is a search that remotes were asked too.
type askingRemotes struct {
	stop context.CancelFunc
	asks []askedRemote
}

type askedRemote struct {
	name  string
	reply chan heard // one, always
}

type heard struct {
	reply api.SearchReply
	took  time.Duration
	err   error
}

// askRemotes starts the searches at the hubs that the person allowed to receive searches. It
// returns nil if there are none.
func (e *Finder) askRemotes(rd *trust.Reading, in api.SearchRequest, reply *api.SearchReply) (*askingRemotes, error) {
	if e.C.Remotes == "" || e.C.Dial == nil {
		return nil, nil
	}
	all, err := e.searchedRemotes(rd)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	if in.MinTrust != nil || in.MinLevel != "" { // only this store's own trust scores can answer that
		for _, r := range all {
			reply.Warnings = append(
				reply.Warnings,
				fmt.Sprintf("remote %s was not asked: a trust filter applies only to records held here", r.Name),
			)
		}
		return nil, nil
	}
	in.Query = secrets.Private(in.Query)
	soon, stop := context.WithTimeout(rd, askedFor)
	a := &askingRemotes{stop: stop}
	for _, r := range all {
		one := askedRemote{r.Name, make(chan heard, 1)}
		a.asks = append(a.asks, one)
		go func() {
			began := e.C.Now()
			var h heard
			h.reply, h.err = e.askRemote(soon, r, in)
			if errors.Is(h.err, context.DeadlineExceeded) {
				h.err = fmt.Errorf("no answer within %s", askedFor)
			}
			h.took = e.C.Now().Sub(began)
			one.reply <- h
		}()
	}
	return a, nil
}

// searchedRemotes returns the remotes that are searched.
func (e *Finder) searchedRemotes(rd *trust.Reading) ([]api.Remote, error) {
	if _, err := os.Stat(e.C.Remotes); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	mine, err := e.remotes.Named(rd)
	return slices.DeleteFunc(mine.Remotes, func(r api.Remote) bool { return !r.Search }), err
}

func (e *Finder) askRemote(ctx context.Context, r api.Remote, in api.SearchRequest) (out api.SearchReply, err error) {
	ends, hangUp, err := e.C.Dial(ctx, r.Address, peer.Self{Store: r.Store})
	if err != nil {
		return out, err
	}
	if hangUp != nil {
		defer func() { _ = hangUp() }() // what was asked was answered
	}
	for _, end := range ends {
		if s, ok := end.Remote.(peer.Searcher); ok {
			err = s.Search(ctx, in, &out)
			return out, err
		}
	}
	return out, errors.New("it is no hub, and cannot be searched")
}

// end waits for the searches that are still running.
func (a *askingRemotes) end() {
	if a == nil {
		return
	}
	a.stop()
	for _, one := range a.asks {
		if one.reply != nil {
			<-one.reply
		}
	}
}

// join waits for the answers and merges them into what was found here.
func (a *askingRemotes) join(
	rd *trust.Reading, s *searching, reply *api.SearchReply, here []*standing.Found,
) ([]*standing.Found, error) {
	if a == nil {
		return here, nil
	}
	known := make(map[string]bool)
	for _, r := range reply.Results {
		known[r.Ref] = true
	}
	own := len(reply.Results)
	for i := range a.asks {
		h := <-a.asks[i].reply
		a.asks[i].reply = nil
		one := api.Asked{Remote: a.asks[i].name, MS: h.took.Milliseconds(), Found: len(h.reply.Results)}
		if h.err != nil {
			one.Problem = core.OneLine(h.err)
			reply.Warnings = append(reply.Warnings, fmt.Sprintf("remote %s gave nothing: %s", one.Remote, one.Problem))
		}
		given := h.reply.Results[:min(len(h.reply.Results), s.limit)]
		more, held, err := s.heard(rd, one.Remote, given, known)
		if err != nil {
			return nil, err
		}
		reply.Results, here = append(reply.Results, more...), append(here, held...)
		reply.Asked = append(reply.Asked, one)
	}
	reply.Results = mergedByScore(reply.Results[:own], reply.Results[own:])
	reply.Results = reply.Results[:min(s.limit, len(reply.Results))]
	for i := range reply.Results {
		r := &reply.Results[i]
		r.Rank = i + 1
		for j := range reply.Asked {
			if reply.Asked[j].Remote == r.Remote {
				reply.Asked[j].New++
			}
		}
	}
	return here, nil
}

// mergedByScore inserts the results of remotes among the local ones, whose order does not
// change: a replaced memory is listed below its replacement.
func mergedByScore(own, others []api.Result) []api.Result {
	sorting.By(others, func(x, y api.Result) int { return cmp.Compare(y.Score, x.Score) })
	out := make([]api.Result, 0, len(own)+len(others))
	for _, r := range own {
		for len(others) > 0 && others[0].Score > r.Score {
			out, others = append(out, others[0]), others[1:]
		}
		out = append(out, r)
	}
	return append(out, others...)
}

// heard returns what a remote found and this store did not. A record that is held here is
// shown in its local state, and left out if that hides it. Everything else is shown as the
// remote's word.
func (s *searching) heard(
	rd *trust.Reading, remote string, given []api.Result, known map[string]bool,
) (out []api.Result, held []*standing.Found, err error) {
	for _, r := range given {
		ref, err := memory.ParseRef(r.Ref)
		if err != nil || !ref.Kind.IsMemory() || known[ref.String()] || len(s.kinds) > 0 &&
			!slices.Contains(s.kinds, ref.Kind) {
			continue
		}
		known[ref.String()] = true
		items, err := rd.Get(ref.ID)
		if err != nil {
			return nil, nil, core.Classify(err)
		}
		if items[0] == nil {
			out = append(out, foreignResult(remote, ref, r))
			continue
		}
		f, err := s.here(rd, items[0], r.Factors.Relevance)
		if err != nil {
			return nil, nil, err
		}
		if f != nil {
			out, held = append(out, s.result(f)), append(held, f)
		}
	}
	return out, held, nil
}

// here weighs by this store's own lights what another found; nil is that it is not to
// be shown.
func (s *searching) here(rd *trust.Reading, it *store.Item, relevance float64) (*standing.Found, error) {
	f := &standing.Found{Item: it, C: &rank.Candidate{ID: it.Ref.ID, Relevance: between(relevance, 1)}}
	if it.Record == nil || !s.keep.AsOf.IsZero() {
		return nil, nil // what was known here at a time, this store found by itself
	}
	if ok, err := s.asked(rd, f); err != nil || !ok {
		return nil, err
	}
	page, err := s.weigh(rd, []*standing.Found{f})
	if err != nil || len(page) == 0 {
		return nil, core.Classify(err)
	}
	if page, err = s.lines(rd, page); err != nil || len(page) != 1 || page[0] != f {
		return nil, core.Classify(err) // it has no line of its own, or belongs below one that was not found
	}
	return f, nil
}

// foreignResult is what a remote says about a record that is not here. Nothing of it was
// verified: it is bounded in size, and never actionable.
func foreignResult(remote string, ref memory.Ref, r api.Result) api.Result {
	const mostText, mostWord = 4000, 80
	out := api.Result{
		Ref: ref.String(), Type: string(ref.Kind), ID: ref.ID.String(), Text: shorten.To(r.Text, mostText), Remote: remote,
		Confidence: between(r.Confidence, 1), Trust: between(r.Trust, 1), Level: string(score.Unverified), Tainted: true,
		Marks:   []string{"external"},
		Speaker: shorten.To(r.Speaker, mostWord),
	}
	if slices.Contains(memory.Origins, memory.Origin(r.Origin)) {
		out.Origin = r.Origin
	}
	for _, l := range []score.Level{score.Rejected, score.Attested, score.Anchored, score.Consensus} {
		if r.Level == string(l) {
			out.Level = r.Level
		}
	}
	tier := state.Tier("")
	for _, t := range []state.Tier{state.Grounded, state.Observed, state.Inferred, state.Hypothesis} {
		if r.Tier == string(t) {
			tier, out.Tier = t, r.Tier
		}
	}
	for _, w := range []struct {
		from string
		to   *string
	}{{r.CreatedAt, &out.CreatedAt}, {r.OccurredAt, &out.OccurredAt}} {
		if t, err := core.ParseTime("at", w.from); err == nil && !t.IsZero() {
			*w.to = t.String()
		}
	}
	const whole = 10_000
	out.Factors = rank.Factors{
		Relevance: between(r.Factors.Relevance, 1), Tier: rank.TierFactor(tier),
		Trust: rank.TrustFactor(int(math.Round(out.Trust * whole))), Recency: between(r.Factors.Recency, 1),
	}
	out.Score = core.Thousandth(rank.Score(out.Factors))
	return out
}

// between keeps a stranger's number from 0 to most.
func between(f, most float64) float64 { return max(0, min(f, most)) }
