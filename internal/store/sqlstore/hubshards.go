package sqlstore

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
)

// A shard is a schema with the spaces of some accounts: a store as any other. The first has the hub's own tables,
// the directory, too. Where a schema lies is the database's affair; nothing here knows a node.
type shard struct {
	no    int
	name  string // of the schema
	path  string // what is searched for tables; "" is where the connection looks in any case
	moves int64  // as the directory says
	own   *Store // sees the names of spaces, and no record
	turns chan struct{}

	owned owners
	mu    sync.Mutex
	fits  bool // it was found to be what the directory says
}

// shards are those of a hub, as they were last read.
type shards struct {
	mu     sync.Mutex
	all    []*shard // by number; a hub on a file has one
	sum    [2]int64 // how many there are, and all their moves
	asked  time.Time
	places map[string]*shard // where the spaces of an account lie
}

// oneShardFor is for how long a hub with one shard takes it for granted that it has one.
const oneShardFor = time.Second

// current returns the shards. With several, it asks each time whether any account moved: an answer from where the
// spaces were would be an older one.
func (h *Hub) current(ctx context.Context) ([]*shard, error) {
	s := &h.shards
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.base.d != postgresDialect || len(s.all) == 1 && time.Since(s.asked) < oneShardFor {
		return s.all, nil
	}
	var sum [2]int64
	if _, err := h.own.read.one(ctx, []any{&sum[0], &sum[1]},
		"SELECT count(*), CAST(coalesce(sum(moves), 0) AS BIGINT) FROM hub_shards"); err != nil {
		return nil, h.own.failed("read the shards of", err)
	}
	s.asked = time.Now()
	if sum == s.sum {
		return s.all, nil
	}
	all := s.all[:1:1]
	err := h.each(ctx, "read the shards of", func(r *sql.Rows) error {
		var sh shard
		if err := r.Scan(&sh.no, &sh.name, &sh.moves); err != nil {
			return err
		}
		if sh.no == 0 {
			all[0] = h.shard(0, sh.name, "", sh.moves)
			return nil
		}
		all = append(all, h.shard(sh.no, sh.name, h.pathOf(sh.name), sh.moves))
		return nil
	}, "SELECT no, name, moves FROM hub_shards ORDER BY no")
	if err != nil {
		return nil, err
	}
	s.all, s.sum, s.places = all, sum, make(map[string]*shard)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.views = make(map[scope]*lru.Element)
	h.order.Init()
	return all, nil
}

// shard makes one. What was read of it before is not kept: accounts may have moved.
func (h *Hub) shard(no int, name, path string, moves int64) *shard {
	sh := &shard{no: no, name: name, path: path, moves: moves, own: h.base, fits: no == 0 && name == ""}
	if h.base.d == postgresDialect {
		sh.turns = make(chan struct{}, hubWriters)
		sh.own = h.base.within(scope{hub: "on", path: path}, sh.turns)
		sh.own.name = sh.says(h)
	}
	return sh
}

// says names a shard in errors.
func (sh *shard) says(h *Hub) string {
	if sh.name == "" {
		return h.base.name
	}
	return h.base.name + " shard " + strconv.Itoa(sh.no) + " (" + sh.name + ")"
}

// pathOf is what is searched for the tables of a shard.
func (h *Hub) pathOf(schema string) string { return searchPath(schema, h.types) }

// searchPath begins with a schema and goes on where the types of vectors are, if they are anywhere.
func searchPath(schema, types string) string {
	if types == "" {
		return quoted(schema)
	}
	return quoted(schema) + ", " + types
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
	have, err := sh.own.version(ctx, sh.own.read)
	if err != nil {
		return nil, sh.own.failed("reach", err)
	}
	want, err := sh.own.d.version()
	if err != nil {
		return nil, err
	}
	if have != want {
		return nil, fmt.Errorf("%w: %s has version %d and must first be brought to %d with `hub_migrate admin=ADDRESS`",
			store.ErrReadOnly, sh.own.name, have, want)
	}
	var says string
	if _, err := sh.own.read.one(ctx, []any{&says}, "SELECT value FROM meta WHERE name = 'shard'"); err != nil {
		return nil, sh.own.failed("reach", err)
	}
	if want := shardMark(sh.no, sh.moves); says != want {
		return nil, fmt.Errorf("%w: %s says %q of itself and the directory says %q: one of them was restored from an "+
			"older copy; restore both from one moment", store.ErrConflict, sh.own.name, says, want)
	}
	if sh.no > 0 {
		if err := sh.own.checkRole(ctx); err != nil {
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
	all, err := h.current(ctx)
	if err != nil || len(all) == 1 {
		return all[0], err
	}
	return h.find(ctx, all, ownerOf(space))
}

func (h *Hub) find(ctx context.Context, all []*shard, owner string) (*shard, error) {
	h.shards.mu.Lock()
	at := h.shards.places[owner]
	h.shards.mu.Unlock()
	if at != nil {
		return h.ready(ctx, at)
	}
	var no int
	found, err := h.own.read.one(ctx, []any{&no}, "SELECT shard FROM hub_places WHERE owner = ?", owner)
	if err != nil {
		return nil, h.own.failed("find a shard of", err)
	}
	i := slices.IndexFunc(all, func(sh *shard) bool { return sh.no == no })
	if i < 0 {
		return nil, fmt.Errorf("%w: the spaces of %s lie in shard %d of %s, and it has no such shard", store.ErrConflict,
			owner, no, h.base.name)
	}
	if found {
		h.shards.mu.Lock()
		if h.shards.places != nil && slices.Contains(h.shards.all, all[i]) { // not one of before a move
			h.shards.places[owner] = all[i]
		}
		h.shards.mu.Unlock()
	}
	return h.ready(ctx, all[i])
}

// settle gives an account its shard, if it has none.
func (h *Hub) settle(ctx context.Context, owner string) (*shard, error) {
	all, err := h.current(ctx)
	if err != nil || h.base.d != postgresDialect {
		return all[0], err
	}
	to := all[hashed(owner)%uint64(len(all))]
	err = h.one(ctx, "give an account of a shard in", "INSERT INTO hub_places (owner, shard) VALUES (?, ?) "+
		"ON CONFLICT (owner) DO NOTHING", owner, to.no)
	if err != nil {
		return nil, err
	}
	return h.find(ctx, all, owner)
}

// hashed spreads accounts evenly, the same way in every process.
func hashed(owner string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(owner)) // it does not fail
	return sum.Sum64()
}

// Spread sorts spaces by where they lie: those of a group can be seen together.
func (h *Hub) Spread(ctx context.Context, spaces []string) ([][]string, error) {
	by := make(map[int][]string)
	var nos []int
	for _, space := range spaces {
		sh, err := h.placeOf(ctx, space)
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
	all, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	var out []Shard
	for _, sh := range all {
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
	if h.base.d != postgresDialect {
		return sh.own.Spaces(ctx)
	}
	var out []store.Space
	err := sh.own.read.each(ctx, func(r *sql.Rows) error {
		var sp store.Space
		err := r.Scan(&sp.Name, &sp.Last)
		out = append(out, sp)
		return err
	}, "SELECT name, last FROM spaces WHERE home ORDER BY no")
	return out, sh.own.failed("list the spaces of", err)
}
