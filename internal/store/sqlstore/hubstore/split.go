package hubstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// placed is a shard as the directory has it.
type placed struct {
	no    int
	name  string
	moves int64
}

// listShards reads the directory as its administrator.
func listShards(ctx context.Context, s *sqlstore.Store) (out []placed, err error) {
	err = s.Change(ctx, "read the shards of", func(ctx context.Context, w *session.Session) error {
		out = nil
		if err := session.AsHub(ctx, w, nil, nil); err != nil {
			return err
		}
		return w.Each(ctx, func(r *sql.Rows) error {
			var l placed
			err := r.Scan(&l.no, &l.name, &l.moves)
			out = append(out, l)
			return err
		}, "SELECT no, name, moves FROM hub_shards ORDER BY no")
	})
	return out, err
}

// migrateShards brings all shards up to date, and makes more until there are as many as are wanted. New shards take
// new accounts alone.
func migrateShards(ctx context.Context, s *sqlstore.Store, admin, role string, want int) (int, error) {
	have, err := listShards(ctx, s)
	if err != nil {
		return 0, err
	}
	if want > 0 && want < len(have) {
		return 0, fmt.Errorf("the hub has %d shards, and does not lose any: name %d or more", len(have), len(have))
	}
	for _, l := range have {
		if l.no > 0 {
			err = migrateShard(ctx, s, admin, role, l.name)
		}
		if err == nil {
			err = swept(ctx, s, admin, l.name)
		}
		if err != nil {
			return 0, err
		}
	}
	if want <= max(1, len(have)) {
		return max(1, len(have)), nil
	}
	first, err := schemaNow(ctx, s)
	if err != nil {
		return 0, err
	}
	added := []placed{{0, first, 0}}[min(1, len(have)):]
	for no := max(1, len(have)); no < want; no++ {
		l := placed{no, shardName(first, no), 0}
		if err := migrateShard(ctx, s, admin, role, l.name); err != nil {
			return 0, err
		}
		added = append(added, l)
	}
	return want, s.Change(ctx, "add shards to", func(ctx context.Context, w *session.Session) error {
		if err := session.AsHub(ctx, w, nil, nil); err != nil {
			return err
		}
		for _, l := range added {
			if err := register(ctx, w, l); err != nil {
				return err
			}
		}
		// whoever has spaces has them where he had them
		return w.Exec(ctx, "INSERT INTO hub_places (owner, shard) SELECT DISTINCT "+ownerInSQL+", 0 FROM spaces WHERE home "+
			"ON CONFLICT (owner) DO NOTHING")
	})
}

// ownerInSQL is ownerOf in a query.
const ownerInSQL = "split_part(name, '/', 1)"

// register enters a shard into the directory, and has it say which it is.
func register(ctx context.Context, w *session.Session, l placed) error {
	err := w.Exec(ctx, "INSERT INTO hub_shards (no, name, moves) VALUES (?, ?, ?)", l.no, l.name, l.moves)
	if err != nil {
		return err
	}
	return mark(ctx, w, l)
}

func mark(ctx context.Context, w *session.Session, l placed) error {
	return w.Exec(ctx, "INSERT INTO "+session.Quoted(l.name)+".meta (name, value) VALUES ('shard', ?) "+
		"ON CONFLICT (name) DO UPDATE SET value = excluded.value", shardMark(l.no, l.moves))
}

func schemaNow(ctx context.Context, s *sqlstore.Store) (name string, err error) {
	_, err = s.Reads().One(ctx, []any{&name}, "SELECT current_schema()")
	return name, s.Failed("read the shards of", err)
}

// shardName names the schema of a shard after the first.
func shardName(first string, no int) string { return fmt.Sprintf("%s_shard_%03d", first, no) }

// migrateShard makes or brings up to date the schema of a shard, with its fences.
func migrateShard(ctx context.Context, s *sqlstore.Store, admin, role, name string) (err error) {
	err = s.Change(ctx, "make a shard of", func(ctx context.Context, w *session.Session) error {
		var citus int
		if _, err := w.One(ctx, []any{&citus}, session.HasCitus); err != nil {
			return err
		}
		if citus > 0 { // the schema is then one that the engine can put on any node
			if err := session.Run(ctx, w, "SET LOCAL citus.enable_schema_based_sharding TO on"); err != nil {
				return err
			}
		}
		return session.Run(ctx, w, "CREATE SCHEMA IF NOT EXISTS "+session.Quoted(name))
	})
	if err != nil {
		return err
	}
	in, err := shardAddress(ctx, s, admin, name)
	if err != nil {
		return err
	}
	sh, err := sqlstore.Open(ctx, in, sqlstore.Options{})
	if err != nil {
		return fmt.Errorf("shard %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, sh.Close()) }()
	_, err = fenceIn(ctx, sh, role)
	return err
}

// shardAddress is the administrator's address with the schema of a shard.
func shardAddress(ctx context.Context, s *sqlstore.Store, admin, name string) (string, error) {
	var types string
	if _, err := s.Reads().One(ctx, []any{&types}, typesIn); err != nil {
		return "", s.Failed("read the shards of", err)
	}
	u, err := url.Parse(admin)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("search_path", searchPath(name, types))
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// A Split is what SplitShard did.
type Split struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Schema   string `json:"schema"`
	Accounts int    `json:"accounts"`
	Spaces   int    `json:"spaces"`
	Records  int64  `json:"records"`
}

// SplitShard moves accounts with all their spaces from a shard to a new one: those that are named, or half of them.
// Meanwhile the shard is read and not written. wait is for those who read where the spaces were: then that goes.
func SplitShard(
	ctx context.Context, admin, role string, no int, accounts []string, wait func(context.Context) error,
) (out Split, err error) {
	if err := mayMigrate(ctx, admin, role, 2); err != nil {
		return out, err
	}
	s, err := sqlstore.Open(ctx, admin, sqlstore.Options{})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	all, err := listShards(ctx, s)
	if err != nil {
		return out, err
	}
	if len(all) == 0 {
		return out, errors.New("the hub has one shard: run `hub_migrate` with 2 shards or more first")
	}
	at := slices.IndexFunc(all, func(l placed) bool { return l.no == no })
	if at < 0 {
		return out, fmt.Errorf("the hub has no shard %d: it has 0 to %d", no, all[len(all)-1].no)
	}
	if len(all) >= mostShards {
		return out, fmt.Errorf("the hub has %d shards, and that is the most", len(all))
	}
	from := all[at]
	to := placed{no: all[len(all)-1].no + 1, moves: 1}
	to.name = shardName(all[0].name, to.no)
	if err := migrateShard(ctx, s, admin, role, to.name); err != nil {
		return out, err
	}
	out = Split{From: from.no, To: to.no, Schema: to.name}
	for until := s.Now().Add(mostSplitting); ; {
		err = s.Change(ctx, "split a shard of", func(ctx context.Context, w *session.Session) error {
			return split(ctx, w, from, to, accounts, &out)
		})
		if err == nil {
			break
		}
		// A node of Citus sees what was there before the lock: each push that ends meanwhile fails one try.
		if session.PostgresCode(err) != session.Serialization || s.Now().After(until) {
			return out, err
		}
	}
	if err := wait(ctx); err != nil {
		return out, err
	}
	return out, swept(ctx, s, admin, from.name)
}

// mostSplitting is how long a split is tried again while pushes come between.
const mostSplitting = time.Minute

// Of those who move accounts or shards one does at a time, for a transaction or for a connection.
const (
	oneMoveOf = "SELECT pg_try_advisory"
	ofThisHub = "(hashtext('stemma move ' || current_schema()))"
)

func split(ctx context.Context, w *session.Session, from, to placed, accounts []string, out *Split) error {
	// before anything is read: what is read then is what all who wrote before have written
	if err := session.Run(ctx, w, "LOCK TABLE "+session.Quoted(from.name)+".spaces IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	var free bool
	if _, err := w.One(ctx, []any{&free}, oneMoveOf+"_xact_lock"+ofThisHub); err != nil {
		return err
	}
	if !free {
		return fmt.Errorf("%w: another split or move of this hub is under way; try again after it", store.ErrBusy)
	}
	if err := session.AsHub(ctx, w, nil, nil); err != nil {
		return err
	}
	var other int
	if _, err := w.One(ctx, []any{&other}, "SELECT count(*) FROM hub_shards WHERE no = ?", to.no); err != nil {
		return err
	}
	if other > 0 {
		return fmt.Errorf("%w: another split of this hub was first and made shard %d; try again", store.ErrBusy, to.no)
	}
	owners, err := leaving(ctx, w, from, accounts)
	if err != nil {
		return err
	}
	nos, names, err := spacesOfOwners(ctx, w, from, owners)
	if err != nil {
		return err
	}
	if err := session.AsHub(ctx, w, nos, names); err != nil {
		return err
	}
	if out.Records, err = carry(ctx, w, from.name, to.name, nos, names); err != nil {
		return err
	}
	out.Accounts, out.Spaces = len(owners), len(names)
	gone := "UPDATE " + session.Quoted(from.name) + ".spaces SET home = false WHERE no IN (" + session.Numbers(nos) + ")"
	if err := session.Run(ctx, w, gone); err != nil {
		return err
	}
	for part := range slices.Chunk(owners, session.MostListed) {
		query, args := session.SpreadFor(
			"UPDATE hub_places SET shard = ? WHERE owner IN (…)", part, func(o string) any { return o },
		)
		if err := w.Exec(ctx, query, append([]any{to.no}, args...)...); err != nil {
			return err
		}
	}
	// keys that were at home in one shard with what was written with them may no longer be: all are copied anew
	if err := w.Exec(ctx, "INSERT INTO hub_copying (space, id, at) SELECT DISTINCT keys, ?, 0 FROM hub_keys",
		"split "+strconv.Itoa(to.no)); err != nil {
		return err
	}
	from.moves++
	if err := w.Exec(ctx, "UPDATE hub_shards SET moves = ? WHERE no = ?", from.moves, from.no); err != nil {
		return err
	}
	return errors.Join(mark(ctx, w, from), register(ctx, w, to))
}

// leaving are the accounts that go: those named, or every second one in the order of their hash. One without a space
// stays: nothing in its shard would say that it went, to whoever is about to begin a space there.
func leaving(ctx context.Context, w *session.Session, from placed, accounts []string) ([]string, error) {
	var here []string
	err := w.Each(ctx, func(r *sql.Rows) error {
		var o string
		err := r.Scan(&o)
		here = append(here, o)
		return err
	}, "SELECT DISTINCT "+ownerInSQL+" FROM "+session.Quoted(from.name)+".spaces WHERE home")
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		if !slices.Contains(here, a) {
			return nil, fmt.Errorf("%s has no space in shard %d", a, from.no)
		}
	}
	if len(accounts) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(accounts))), nil
	}
	if len(here) < 2 {
		return nil, fmt.Errorf("%d accounts have spaces in shard %d, and there is nothing to split", len(here), from.no)
	}
	slices.Sort(here)
	slices.SortStableFunc(here, func(a, b string) int {
		if hashed(a) < hashed(b) {
			return -1
		}
		return 1
	})
	var out []string
	for i := 1; i < len(here); i += 2 {
		out = append(out, here[i])
	}
	return out, nil
}

// spacesOfOwners are the spaces that go with their owners.
func spacesOfOwners(
	ctx context.Context, w *session.Session, from placed, owners []string,
) (nos []int, names []string, err error) {
	err = w.Each(ctx, func(r *sql.Rows) error {
		var no int
		var name string
		if err := r.Scan(&no, &name); err != nil {
			return err
		}
		if slices.Contains(owners, ownerOf(name)) {
			nos, names = append(nos, no), append(names, name)
		}
		return nil
	}, "SELECT no, name FROM "+session.Quoted(from.name)+".spaces WHERE home")
	return nos, names, err
}
