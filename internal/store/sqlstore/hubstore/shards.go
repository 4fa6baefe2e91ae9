package hubstore

import (
	"cmp"
	lru "container/list"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A shard is a schema with the spaces of some accounts: a store as any other. The first has the hub's own tables,
// the directory, too. Where a schema lies is the database's affair; nothing here knows a node.
type shard struct {
	no    int
	name  string          // of the schema
	path  string          // what is searched for tables; "" is where the connection looks in any case
	moves int64           // as the directory says
	own   *sqlstore.Store // sees the names of spaces, and no record
	turns chan struct{}

	owned owners
	mu    sync.Mutex
	fits  bool // it was found to be what the directory says
}

// shards are those of a hub, as the directory had them at one moment.
type shards struct {
	all []*shard // by number; a hub on a file has one
	sum [2]int64 // how many there are, and all their moves

	mu     sync.Mutex
	places map[string]*shard // where the spaces of an account lie
}

// lastShards are the shards as they were read last.
type lastShards struct {
	mu    sync.Mutex
	now   *shards
	asked time.Time
}

// oneShardFor is for how long a hub with one shard takes it for granted that it has one.
const oneShardFor = time.Second

type askedKey struct{}

// An asked keeps for one request what it was told of the shards.
type asked struct {
	mu  sync.Mutex
	now *shards
}

// Asking returns the context of one request. A request asks once whether any account moved; what moves later is as if
// it moved after the request, since no record is added to a space where it is no longer at home.
func (h *Hub) Asking(ctx context.Context) context.Context {
	return context.WithValue(ctx, askedKey{}, new(asked))
}

// current returns the shards. With several, each request asks whether any account moved: an answer from where the
// spaces were would be an older one.
func (h *Hub) current(ctx context.Context) (*shards, error) {
	kept, is := ctx.Value(askedKey{}).(*asked)
	if !is {
		return h.readShards(ctx, false)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	var err error
	if kept.now == nil {
		kept.now, err = h.readShards(ctx, false)
	}
	return kept.now, err
}

// readShards reads the directory, if what was read last may be another; again reads it in any case.
func (h *Hub) readShards(ctx context.Context, again bool) (*shards, error) {
	h.shards.mu.Lock()
	last, asked := h.shards.now, h.shards.asked
	h.shards.mu.Unlock()
	if h.base.Dialect() != session.Postgres || !again && len(last.all) == 1 && time.Since(asked) < oneShardFor {
		return last, nil
	}
	began := time.Now()
	var sum [2]int64
	if _, err := h.own.Reads().One(ctx, []any{&sum[0], &sum[1]},
		"SELECT count(*), CAST(coalesce(sum(moves), 0) AS BIGINT) FROM hub_shards"); err != nil {
		return nil, h.own.Failed("read the shards of", err)
	}
	if sum == last.sum {
		h.shards.mu.Lock()
		defer h.shards.mu.Unlock()
		h.shards.asked = began
		return last, nil
	}
	now := &shards{all: last.all[:1:1], places: make(map[string]*shard)}
	err := h.each(ctx, "read the shards of", func(r *sql.Rows) error {
		var sh shard
		if err := r.Scan(&sh.no, &sh.name, &sh.moves); err != nil {
			return err
		}
		now.sum[0], now.sum[1] = now.sum[0]+1, now.sum[1]+sh.moves
		if sh.no == 0 {
			now.all = []*shard{h.shard(0, sh.name, "", sh.moves)}
			return nil
		}
		now.all = append(now.all, h.shard(sh.no, sh.name, h.pathOf(sh.name), sh.moves))
		return nil
	}, "SELECT no, name, moves FROM hub_shards ORDER BY no")
	if err != nil {
		return nil, err
	}
	h.shards.mu.Lock()
	defer h.shards.mu.Unlock()
	if h.shards.now.sum == now.sum { // another request was first
		return h.shards.now, nil
	}
	h.shards.now, h.shards.asked = now, began
	h.mu.Lock()
	defer h.mu.Unlock()
	h.views = make(map[session.Scope]*lru.Element)
	h.order.Init()
	return now, nil
}

// shard makes one. What was read of it before is not kept: accounts may have moved.
func (h *Hub) shard(no int, name, path string, moves int64) *shard {
	sh := &shard{no: no, name: name, path: path, moves: moves, own: h.base, fits: no == 0 && name == ""}
	if h.base.Dialect() == session.Postgres {
		sh.turns = make(chan struct{}, hubWriters)
		sh.own = h.base.Seen(session.Scope{Hub: "on", Path: path}, sh.turns)
		sh.named(h, sh.own)
	}
	return sh
}

// named has the errors of a store name the shard that it sees, if there are several.
func (sh *shard) named(h *Hub, s *sqlstore.Store) {
	if sh.name != "" {
		s.CallShard(&sh.no, h.base.Name()+" shard "+strconv.Itoa(sh.no)+" ("+sh.name+")")
	}
}

// pathOf is what is searched for the tables of a shard.
func (h *Hub) pathOf(schema string) string { return searchPath(schema, h.types) }

// searchPath begins with a schema and goes on where the types of vectors are, if they are anywhere.
func searchPath(schema, types string) string {
	if types == "" {
		return session.Quoted(schema)
	}
	return session.Quoted(schema) + ", " + types
}

// typesIn asks in which schema the types of vectors are.
const typesIn = "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace " +
	"WHERE e.extname = 'vector'"

// ready returns a shard, or why it does not serve: it is away, of another version, or not what the directory says.
func (h *Hub) ready(ctx context.Context, sh *shard) (*shard, error) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.fits || sh.name == "" {
		return sh, nil
	}
	have, want, err := sh.own.Versions(ctx)
	if err != nil {
		return nil, sh.own.Failed("reach", err)
	}
	if have != want {
		return nil, &store.InShard{No: sh.no, Err: fmt.Errorf(
			"%w: %s has version %d and must first be brought to %d with `hub_migrate admin=ADDRESS`",
			store.ErrReadOnly, sh.own.Name(), have, want)}
	}
	var says string
	if _, err := sh.own.Reads().One(ctx, []any{&says}, "SELECT value FROM meta WHERE name = 'shard'"); err != nil {
		return nil, sh.own.Failed("reach", err)
	}
	if want := shardMark(sh.no, sh.moves); says != want {
		return nil, &store.InShard{No: sh.no, Err: fmt.Errorf(
			"%w: %s says %q of itself and the directory says %q: one of them was restored from an older copy; "+
				"restore both from one moment", store.ErrConflict, sh.own.Name(), says, want)}
	}
	if sh.no > 0 {
		if err := sh.own.CheckRole(ctx); err != nil {
			return nil, err
		}
	}
	sh.fits = true
	return sh, nil
}

// shardMark is what a shard says of itself: its number, and how often accounts came or went.
func shardMark(no int, moves int64) string { return fmt.Sprintf("%d after %d moves", no, moves) }

// ownerOf returns whose a space is; one whose name is not full is its own.
func ownerOf(space string) string { return cmp.Or(store.OwnerOf(space), space) }

// placeOf returns the shard of a space: that of its owner. Of somebody who has no space anywhere it is the first, in
// which there is nothing to be seen.
func (h *Hub) placeOf(ctx context.Context, space string) (*shard, error) {
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	if len(now.all) == 1 {
		return now.all[0], nil
	}
	return h.readyOf(ctx, now, ownerOf(space))
}

// readyOf returns the shard of an account, if it serves.
func (h *Hub) readyOf(ctx context.Context, now *shards, owner string) (*shard, error) {
	at, err := h.find(ctx, now, owner)
	if err != nil {
		return nil, err
	}
	return h.ready(ctx, at)
}

// find returns the shard of an account, whether it serves or not.
func (h *Hub) find(ctx context.Context, now *shards, owner string) (*shard, error) {
	now.mu.Lock()
	at := now.places[owner]
	now.mu.Unlock()
	if at != nil {
		return at, nil
	}
	var no int
	found, err := h.own.Reads().One(ctx, []any{&no}, "SELECT shard FROM hub_places WHERE owner = ?", owner)
	if err != nil {
		return nil, h.own.Failed("find a shard of", err)
	}
	with := func(sh *shard) bool { return sh.no == no }
	i := slices.IndexFunc(now.all, with)
	if i < 0 { // it may have been added a moment ago
		if now, err = h.readShards(ctx, true); err != nil {
			return nil, err
		}
		i = slices.IndexFunc(now.all, with)
	}
	if i < 0 {
		return nil, fmt.Errorf("%w: the spaces of %s lie in shard %d of %s, and it has no such shard", store.ErrConflict,
			owner, no, h.base.Name())
	}
	if found && len(now.all) > 1 {
		now.mu.Lock()
		now.places[owner] = now.all[i]
		now.mu.Unlock()
	}
	return now.all[i], nil
}

// settle gives an account its shard, if it has none.
func (h *Hub) settle(ctx context.Context, owner string) (*shard, error) {
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	if h.base.Dialect() != session.Postgres {
		return now.all[0], nil
	}
	to := now.all[hashed(owner)%uint64(len(now.all))]
	err = h.one(ctx, "give an account of a shard in", "INSERT INTO hub_places (owner, shard) VALUES (?, ?) "+
		"ON CONFLICT (owner) DO NOTHING", owner, to.no)
	if err != nil {
		return nil, err
	}
	return h.readyOf(ctx, now, owner)
}

// hashed spreads accounts evenly, the same way in every process.
func hashed(owner string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(owner)) // it does not fail
	return sum.Sum64()
}

// Spread sorts spaces by where they lie: those of a group can be seen together. Not all may serve.
func (h *Hub) Spread(ctx context.Context, spaces []string) ([][]string, error) {
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	if len(now.all) == 1 {
		return [][]string{spaces}, nil
	}
	by := make(map[int][]string)
	var nos []int
	for _, space := range spaces {
		sh, err := h.find(ctx, now, ownerOf(space))
		if err != nil {
			return nil, err
		}
		if by[sh.no] == nil {
			nos = append(nos, sh.no)
		}
		by[sh.no] = append(by[sh.no], space)
	}
	var out [][]string
	for _, no := range nos {
		out = append(out, by[no])
	}
	return out, nil
}

// A Shard is one of a hub, as Shards shows it.
type Shard struct {
	No       int    `json:"shard"`
	Schema   string `json:"schema,omitempty"`
	Accounts int64  `json:"accounts"`
	Spaces   int64  `json:"spaces"`
	Records  int64  `json:"records"`
	Problem  string `json:"problem,omitempty"` // why it does not serve
}

// Shards shows all of them. One that does not answer says why.
func (h *Hub) Shards(ctx context.Context) ([]Shard, error) {
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	var out []Shard
	for _, sh := range now.all {
		one := Shard{No: sh.no, Schema: sh.name}
		_, err := h.ready(ctx, sh)
		if err == nil {
			var spaces []store.Space
			spaces, err = h.homes(ctx, sh)
			owners := make(map[string]bool)
			for _, sp := range spaces {
				owners[ownerOf(sp.Name)] = true
				one.Spaces, one.Records = one.Spaces+1, one.Records+int64(sp.Last)
			}
			one.Accounts = int64(len(owners))
		}
		if err != nil {
			one.Problem = err.Error()
		}
		out = append(out, one)
	}
	return out, ctx.Err()
}

// homes are the spaces that are written in a shard.
func (h *Hub) homes(ctx context.Context, sh *shard) ([]store.Space, error) {
	if h.base.Dialect() != session.Postgres {
		return sh.own.Spaces(ctx)
	}
	var out []store.Space
	err := sh.own.Reads().Each(ctx, func(r *sql.Rows) error {
		var sp store.Space
		err := r.Scan(&sp.Name, &sp.Last)
		out = append(out, sp)
		return err
	}, "SELECT name, last FROM spaces WHERE home ORDER BY no")
	return out, sh.own.Failed("list the spaces of", err)
}
