package hub

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/memory"
)

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+access.HealthPath, s.health)
	mux.HandleFunc("GET "+livePath, func(w http.ResponseWriter, _ *http.Request) { healthy(w) })
	mux.HandleFunc("GET /metrics", s.door(s.showMetrics))
	open := func(name string, h http.HandlerFunc) { mux.HandleFunc("POST "+client.Base+name, s.door(h)) }
	open("challenge", s.challenge)
	open("join", s.join)
	open("renew", s.renew)
	open("exchange", s.exchange)
	for name, h := range s.calls() {
		mux.HandleFunc("POST "+client.Base+name, s.known(h))
	}
	mux.HandleFunc("POST "+client.Base+"letters", s.known(s.send))
	mux.HandleFunc("GET "+client.Base+"letters", s.known(s.inbox))
	mux.HandleFunc("GET "+client.Base+"letters/{id}", s.known(s.message))
	mux.HandleFunc("DELETE "+client.Base+"letters/{id}", s.known(s.drop))
	mux.HandleFunc("/", s.door(func(w http.ResponseWriter, _ *http.Request) {
		access.Refuse(w, http.StatusNotFound, "not_found", "a hub has nothing there")
	}))
	return tracing.Served(s.o.Traces, s.logged(mux))
}

// calls are what those who are known may ask, by name.
func (s *Server) calls() map[string]call {
	return map[string]call{
		"hello": serve(s, s.hello),
		"offer": serve(s, func(ctx context.Context, who *account, in peer.Offer) (peer.Wanted, error) {
			return within(s, ctx, who, in.Space, peer.Writer, peer.Remote.Offer, in)
		}),
		"push": serve(s, s.push),
		"log": serve(s, func(ctx context.Context, who *account, in peer.LogRequest) (peer.LogPage, error) {
			page, err := within(s, ctx, who, in.Space, peer.Reader, peer.Remote.Log, in)
			if err == nil {
				s.counts.read(who.DID, in, page, s.o.Now())
			}
			return page, err
		}),
		"fetch": serve(s, func(ctx context.Context, who *account, in peer.Fetch) (peer.Lines, error) {
			return within(s, ctx, who, in.Space, peer.Reader, peer.Remote.Fetch, in)
		}),
		"keys": serve(s, func(ctx context.Context, who *account, in peer.KeysRequest) (peer.KeyList, error) {
			return within(s, ctx, who, in.Space, peer.Reader, peer.Remote.Keys, in)
		}),
		"cosign": serve(s, func(ctx context.Context, who *account, in peer.CosignRequest) (peer.Cosigned, error) {
			return within(s, ctx, who, in.Space, peer.Writer, peer.Remote.Cosign, in)
		}),
		"prove": serve(s, func(ctx context.Context, who *account, in peer.ProveRequest) (peer.Proof, error) {
			return within(s, ctx, who, in.Space, peer.Reader, peer.Remote.Prove, in)
		}),
		"search": serve(s, s.search), "invite": serve(s, s.invite), "uninvite": serve(s, s.uninvite),
		"members": serve(s, s.members), "member": serve(s, s.setMember), "leave": s.leave,
		"took": serve(s, s.took), "purged": serve(s, s.purged),
		"service": serve(s, s.addServices), "services": serve(s, s.services), "service-end": serve(s, s.endService),
	}
}

// serve makes a call of a request and its reply.
func serve[In, Out any](s *Server, do func(context.Context, *account, In) (Out, error)) call {
	return func(w http.ResponseWriter, r *http.Request, who *account) {
		var in In
		if !s.read(w, r, &in) {
			return
		}
		out, err := do(r.Context(), who, in)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.reply(w, r, out)
	}
}

// within asks the part of the hub that serves a space.
func within[In, Out any](s *Server, ctx context.Context, who *account, space string, need peer.Role,
	do func(peer.Remote, context.Context, In) (Out, error), in In) (out Out, err error) {
	at, err := s.at(ctx, who, space, need)
	if err != nil {
		return out, err
	}
	return do(at, ctx, in)
}

// readable returns the spaces of an account that have begun, and its first own one. Where the database does not say now
// which are its own, away is why, and those of others are returned.
func (s *Server) readable(ctx context.Context, who *account) (names []string, awayNow error, err error) {
	all := map[string]bool{}
	own, err := s.o.Store.SpacesOf(ctx, who.DID)
	switch {
	case err == nil:
		all[who.DID+"/"+engine.DefaultSpace] = true
	case !away(err) || ctx.Err() != nil:
		return nil, nil, err
	default:
		awayNow = err
	}
	for _, space := range own {
		all[space] = who.role(space) != ""
	}
	for space := range who.roles {
		all[space] = true
	}
	maps.DeleteFunc(all, func(_ string, may bool) bool { return !may })
	return slices.Sorted(maps.Keys(all)), awayNow, nil
}

// hello begins. Each space is asked by itself, within what may be seen of it. One that lies in a part of the database
// that does not answer is named, if the caller knows what that means, and the others are served.
func (s *Server) hello(ctx context.Context, who *account, in peer.Hello) (peer.Welcome, error) {
	w := peer.Welcome{Version: peer.Version, Key: s.o.Key.DID(), Begin: who.DID, Lines: peer.MostLines}
	for space := range who.owners {
		if store.OwnerOf(space) == who.DID && who.role(space) == "" {
			w.Not = append(w.Not, space)
		}
	}
	if in.Version != peer.Version {
		return w, fmt.Errorf("%w: this hub speaks %d, and was spoken to in %d", peer.ErrVersion, peer.Version, in.Version)
	}
	slices.Sort(w.Not)
	spaces, gone, err := s.readable(ctx, who)
	if err != nil {
		return w, err
	}
	if gone != nil {
		for _, name := range []string{who.DID + "/" + engine.DefaultSpace, who.DID + "/"} {
			w.Away = append(w.Away, peer.Unserved{Space: name, Why: doesNotAnswer(gone)})
		}
	}
	for _, space := range spaces {
		one, err := within(s, ctx, who, space, peer.Reader, peer.Remote.Hello, in)
		if away(err) && ctx.Err() == nil {
			w.Away, gone = append(w.Away, peer.Unserved{Space: space, Why: doesNotAnswer(err)}), cmp.Or(gone, err)
			continue
		}
		if err != nil {
			return w, err
		}
		w.Name = one.Name
		for _, shared := range one.Spaces {
			if shared.Space == space {
				w.Spaces = append(w.Spaces, shared)
			}
		}
	}
	if gone != nil && (!in.Parts || len(w.Spaces) == 0) {
		return w, gone
	}
	return w, nil
}

// keyType is how the payload types of key records begin.
var keyType = []byte("vnd.stemma.key.")

// push verifies records and stores the good ones. Key records of other spaces travel with
// them: those of the owner of their space, or in a space that the caller may write to. Others
// are returned.
func (s *Server) push(ctx context.Context, who *account, in peer.Push) (peer.Acks, error) {
	ctx, span := tracing.Start(ctx, tracing.Inside, "push")
	defer span.End()
	if !who.role(in.Space).May(peer.Writer) {
		return peer.Acks{}, errDenied
	}
	if len(in.Lines) > peer.MostLines {
		return peer.Acks{}, fmt.Errorf(
			"%w: %d records at once, the most is %d", peer.ErrRequest, len(in.Lines), peer.MostLines,
		)
	}
	done, err := s.spare(ctx, who, in)
	if err != nil {
		return peer.Acks{}, err
	}
	defer done()
	var keyed []string
	var back []peer.Refusal
	heirs := handing{}
	var about []*memory.Record // the key records that come
	lines, places := make([]peer.Line, 0, len(in.Lines)), make([]int, 0, len(in.Lines))
	for i, line := range in.Lines {
		if bytes.Contains(line, keyType) {
			r, err := envelope.Read(line)
			if err == nil && r.Header.Kind == memory.KindKey {
				if _, is := r.Body.(*memory.Key); is {
					about = append(about, r)
					heirs.add(i, r)
				}
			}
			if err == nil && r.Header.Space != in.Space && r.Header.Kind == memory.KindKey {
				space := r.Header.Space
				owns := fullName(space)
				if owns && !who.role(space).May(peer.Writer) {
					if owns, err = s.owns(ctx, r, about); err != nil {
						return peer.Acks{}, err
					}
				}
				if !owns {
					back = append(back, peer.Refusal{ID: r.ID, Line: i, Why: "it is in a space that does not belong to its signer"})
					continue
				}
				if !slices.Contains(keyed, space) {
					keyed = append(keyed, space)
				}
			}
		}
		lines, places = append(lines, line), append(places, i)
	}
	for _, space := range keyed {
		if err := s.begin(ctx, who, space); err != nil {
			return peer.Acks{}, err
		}
	}
	var acks peer.Acks
	for try := 1; ; try++ {
		late, err := s.tooLate(ctx, heirs, about)
		if err != nil {
			return peer.Acks{}, err
		}
		for _, i := range late {
			at := slices.Index(places, i)
			lines, places = slices.Delete(lines, at, at+1), slices.Delete(places, at, at+1)
			r, _ := envelope.Read(in.Lines[i])
			back = append(back, peer.Refusal{ID: r.ID, Line: i, Why: "its signer does not own the space here, or no more"})
		}
		heirs.drop(late)
		at, err := s.checked(ctx, who, in.Space, peer.Writer, s.stillInTime(ctx, heirs, about), keyed...)
		if err != nil {
			return peer.Acks{}, err
		}
		if len(keyed) > 0 { // before they are stored: readers of the space must find them
			if err := s.o.Store.AddKeyed(ctx, in.Space, keyed...); err != nil {
				return peer.Acks{}, err
			}
		}
		acks, err = at.Push(ctx, peer.Push{Space: in.Space, Lines: lines})
		if err == nil {
			break
		}
		if !errors.Is(err, errOvertaken) {
			return acks, err
		}
		if try == mostOvertaken {
			return acks, fmt.Errorf("%w: %w", store.ErrBusy, errOvertaken)
		}
	}
	for i := range acks.Refused {
		acks.Refused[i].Line = places[acks.Refused[i].Line]
	}
	acks.Refused = append(acks.Refused, back...) // all of the request's own lines, as charge counts them
	s.counts.pushed(acks)
	span.Set(
		tracing.Number("stemma.push.stored", len(acks.Stored)),
		tracing.Number("stemma.push.held", len(acks.Held)),
		tracing.Number("stemma.push.refused", len(acks.Refused)),
	)
	if err := s.heard(ctx, about, acks); err != nil {
		return acks, err
	}
	for _, space := range append(keyed, in.Space) {
		if err := s.handedOver(ctx, space, about); err != nil {
			return acks, err
		}
	}
	return acks, s.charge(ctx, who, in, acks)
}

// search asks all spaces that the caller may read. Those that lie apart are asked side by side, and the best of all
// are given.
func (s *Server) search(ctx context.Context, who *account, in api.SearchRequest) (api.SearchReply, error) {
	spaces, unknown, err := s.readable(ctx, who)
	if err != nil {
		return api.SearchReply{}, err
	}
	if unknown != nil && len(spaces) == 0 {
		return api.SearchReply{}, unknown
	}
	groups, err := s.o.Store.Spread(ctx, spaces)
	if err != nil || len(groups) == 1 && unknown == nil {
		return s.searchIn(ctx, in, spaces, err)
	}
	found := make([]api.SearchReply, len(groups))
	failed := make([]error, len(groups))
	var asked sync.WaitGroup
	for i, group := range groups {
		asked.Go(func() { found[i], failed[i] = s.searchIn(ctx, in, group, nil) })
	}
	asked.Wait()
	out, gone := api.SearchReply{Query: in.Query}, 0
	if unknown != nil {
		out.Warnings = []string{whichPart(unknown) + leftOut}
	}
	for i, more := range found {
		switch err := failed[i]; {
		case err != nil && !away(err):
			return api.SearchReply{}, err
		case err != nil: // the others are given
			gone++
			more.Warnings = []string{whichPart(err) + leftOut}
		default:
			out.AsOf, out.Embedder = more.AsOf, more.Embedder
		}
		out.Results = append(out.Results, more.Results...)
		for _, w := range more.Warnings {
			if !slices.Contains(out.Warnings, w) {
				out.Warnings = append(out.Warnings, w)
			}
		}
	}
	if gone == len(found) {
		return api.SearchReply{}, errors.Join(failed...)
	}
	const given = 10 // as api.SearchRequest says
	sorting.By(out.Results, func(a, b api.Result) int { return cmp.Compare(b.Score, a.Score) })
	out.Results = out.Results[:min(len(out.Results), cmp.Or(in.Limit, given))]
	for i := range out.Results {
		out.Results[i].Rank = i + 1
	}
	return out, nil
}

const leftOut = " does not answer: what is there is left out"

// searchIn asks spaces that lie together.
func (s *Server) searchIn(
	ctx context.Context, in api.SearchRequest, spaces []string, err error,
) (api.SearchReply, error) {
	if err != nil {
		return api.SearchReply{}, err
	}
	keyed, err := s.o.Store.Keyed(ctx, spaces...)
	if err != nil {
		return api.SearchReply{}, err
	}
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: spaces, Keys: keyed})
	if err != nil {
		return api.SearchReply{}, err
	}
	e := engine.Over(v, engine.Config{ReadOnly: true, Space: engine.AllSpaces, Now: s.o.Now})
	out, err := e.Search(ctx, in)
	if errors.Is(err, api.ErrNotFound) {
		return api.SearchReply{Query: in.Query}, nil
	}
	return out, err
}
