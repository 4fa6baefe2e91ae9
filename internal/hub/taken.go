package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
)

// tookNote begins the names of the settings in which a hub notes how far a store took a log: SPACE/TOKEN/STORE.
const tookNote = "took/"

// mostStores is of how many stores with one token it is noted how far they took a log.
const mostStores = 16

// clocksDiffer is how far apart the clocks of a hub's processes may be, where two times are compared.
const clocksDiffer = 5 * time.Minute

// noted is what a hub notes of a store and a space.
type noted struct {
	Account string    `json:"account"`
	At      time.Time `json:"at"`
	peer.Took
}

// took notes how far the caller's store took logs, each in place of what it said before: a store that was restored
// from a backup is where it says it is.
func (s *Server) took(ctx context.Context, who *account, in peer.Taken) (peer.Taken, error) {
	out := peer.Taken{Store: in.Store}
	if !in.Valid() {
		return out, refuseWrong("how far a store is: want its name, and up to %d spaces", peer.MostTaken)
	}
	for _, one := range in.Spaces {
		if !fullName(one.Space) || !who.role(one.Space).May(peer.Reader) {
			continue
		}
		stores := tookNote + one.Space + "/" + who.token.ID + "/"
		was, err := s.o.Store.Setting(ctx, stores+in.Store)
		if err == nil && was == nil {
			var others map[string][]byte
			if others, err = s.o.Store.Settings(ctx, stores); err == nil && len(others) >= mostStores {
				continue
			}
		}
		var now []byte
		if err == nil {
			now, err = json.Marshal(noted{who.DID, s.o.Now().UTC(), one})
		}
		if err == nil {
			err = s.o.Store.SetSetting(ctx, stores+in.Store, now)
		}
		if err != nil {
			return out, err
		}
		out.Spaces = append(out.Spaces, one)
	}
	return out, nil
}

// purged says which machines of a space took in purges, to a person who keeps it.
func (s *Server) purged(ctx context.Context, who *account, in peer.PurgedRequest) (peer.Purged, error) {
	out := peer.Purged{Space: in.Space, Records: []peer.PurgedThere{}, Machines: []peer.Machine{}}
	if _, err := s.keeps(ctx, who, in.Space); err != nil {
		return out, err
	}
	if who.Service() {
		return out, refuseDenied("a service account cannot ask which machines took in a purge: a person asks")
	}
	if len(in.Purges) == 0 || len(in.Purges) > peer.MostPurges {
		return out, refuseWrong("name 1 to %d purges", peer.MostPurges)
	}
	var err error
	if out.Archived, err = s.archived.has(ctx, s.o.Store, in.Space, s.o.Now()); err != nil {
		return out, err
	}
	at, err := s.at(ctx, who, in.Space, peer.Reader)
	if err == nil && !out.Archived {
		err = s.carryOut(ctx, in.Space)
	}
	if err != nil {
		return out, err
	}
	judge, err := at.(peer.Judging).Judge(ctx, in)
	if err != nil {
		return out, err
	}
	out.Records = judge.Records
	out.Machines, err = s.machines(ctx, in.Space, judge)
	return out, err
}

// carryOut erases what purges in a space say that were dated ahead, and whose time has come since the last
// push.
func (s *Server) carryOut(ctx context.Context, space string) error {
	own := []string{space}
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: own, Writes: own})
	if err == nil {
		_, err = v.Append(ctx, store.Batch{Obey: true})
	}
	return err
}

// machines lists the stores of all who are in a space, or were.
func (s *Server) machines(ctx context.Context, space string, judge peer.Judge) ([]peer.Machine, error) {
	notes, err := s.o.Store.Settings(ctx, tookNote+space+"/")
	if err != nil {
		return nil, err
	}
	members, err := s.o.Store.Members(ctx, space, "")
	if err != nil {
		return nil, err
	}
	left, err := s.o.Store.Left(ctx, space)
	if err != nil {
		return nil, err
	}
	roles := make(map[string]store.Role)
	if !slices.ContainsFunc(members, func(m store.Member) bool { return m.Role == store.Owner }) {
		roles[store.OwnerOf(space)] = store.Owner
	}
	for _, m := range members {
		roles[m.Account] = m.Role
	}
	all := make(map[string]map[string]noted) // by token and store
	accounts := map[string]bool{}
	for name, value := range notes {
		token, of, _ := strings.Cut(name, "/")
		var n noted
		if json.Unmarshal(value, &n) != nil {
			continue // its token counts as one that has said nothing
		}
		if all[token] == nil {
			all[token] = make(map[string]noted)
		}
		all[token][of], accounts[n.Account] = n, true
	}
	for did := range roles {
		accounts[did] = true
	}
	for did := range left {
		accounts[did] = true
	}
	accounts[store.OwnerOf(space)] = true // also where they handed it over
	out := []peer.Machine{}
	for did := range accounts {
		a, err := s.accountOf(ctx, did)
		if err != nil {
			return nil, err
		}
		tokens, err := s.o.Store.Tokens(ctx, did)
		if err != nil {
			return nil, err
		}
		m := member{a, roles[did], left[did], tokens}
		out = append(out, m.machines(s.o.Now(), all, judge)...)
	}
	sorting.By(out, func(a, b peer.Machine) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Label, b.Label),
			cmp.Compare(a.Token, b.Token), cmp.Compare(a.Store, b.Store))
	})
	return out, nil
}

// member is an account that is in a space or was.
type member struct {
	store.Account
	role   store.Role // "" is not in it any more
	left   time.Time
	tokens []store.Token
}

// end returns since when a token cannot take in anything from the space; zero is not.
func (m *member) end(t store.Token, now time.Time) time.Time {
	var end time.Time
	earlier := func(at time.Time) {
		if !at.IsZero() && !at.After(now) && (end.IsZero() || at.Before(end)) {
			end = at
		}
	}
	earlier(t.Revoked)
	earlier(t.Over())
	earlier(m.Ended)
	earlier(m.Expires)
	if m.role == "" {
		if earlier(m.left); end.IsZero() {
			end = now // it left when no note was made of it
		}
	}
	return end
}

// machines judges the stores of one account. A store that joined again counts by what it said last, whichever token it
// used. A token that ended before the words came, or was made after the purge, opened nothing with them.
func (m *member) machines(now time.Time, all map[string]map[string]noted, judge peer.Judge) []peer.Machine {
	var out []peer.Machine
	last := map[string]int{} // the places of stores
	for _, t := range m.tokens {
		end := m.end(t, now)
		one := peer.Machine{
			Account: m.DID, Name: m.Name, Role: m.role, Token: t.ID, Label: t.Label, Seen: t.Used, Left: end,
		}
		before := !end.IsZero() && !judge.Since.IsZero() && end.Add(clocksDiffer).Before(judge.Since)
		if len(all[t.ID]) == 0 {
			after := !judge.Until.IsZero() && t.Made.Add(-clocksDiffer).After(judge.Until)
			if before || after {
				continue
			}
			if one.State = peer.MachineUnknown; !end.IsZero() {
				one.State = peer.MachineLeft
			}
			out = append(out, one)
			continue
		}
		for of, n := range all[t.ID] {
			one.Store, one.Took, one.State = of, n.At, judge.Of(n.Took)
			if one.State != peer.MachineErased && !end.IsZero() {
				if one.State = peer.MachineLeft; before {
					continue
				}
			}
			if at, is := last[of]; !is {
				last[of] = len(out)
				out = append(out, one)
			} else if !n.At.Before(out[at].Took) {
				out[at] = one
			}
		}
	}
	if len(m.tokens) == 0 && m.role == "" { // somebody who left, and whose tokens are not here any more
		out = append(out, peer.Machine{Account: m.DID, Name: m.Name, State: peer.MachineLeft, Left: m.left})
	}
	return slices.Clip(out)
}
