package hub

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// adminOf returns the administrator's address of a hub's schema, its role and the schema.
func adminOf(t testing.TB, address string) (admin, role, schema string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	a, err := url.Parse(os.Getenv("STEMMA_TEST_POSTGRES"))
	if err != nil {
		t.Fatal(err)
	}
	role, schema = u.User.Username(), u.Query().Get("search_path")
	q := a.Query()
	q.Set("search_path", schema)
	a.RawQuery = q.Encode()
	return a.String(), role, schema
}

func splitShard(t testing.TB, address string, no int, accounts ...string) hubstore.Split {
	t.Helper()
	admin, role, _ := adminOf(t, address)
	done, err := hubstore.SplitShard(t.Context(), admin, role, no, accounts, func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// While clients push, accounts move to other shards: what was acknowledged is there, and every log goes on as it was.
func TestNothingAcknowledgedIsLostInASplit(t *testing.T) {
	address := tempShards(t, 2)
	p := serveHub(t, openHub(t, address))
	p.TB = t
	var moved []hubstore.Split
	acked := everybodyPushes(t, p, strings.TrimPrefix(p.http.URL, "http://"), 8, 8*time.Second, func() {
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		for no := range 3 {
			<-tick.C
			moved = append(moved, splitShard(t, address, []int{0, 1, 0}[no]))
		}
	})
	t.Logf("8 clients, %d records acknowledged, moved %+v", acked, moved)
}

// What somebody says of their keys reaches those who need the keys, in whatever shards the spaces lie, and also after
// one of them moved.
func TestKeysReachOtherShards(t *testing.T) {
	for _, when := range []string{"before", "after"} {
		t.Run("a split "+when, func(t *testing.T) {
			address := tempShards(t, 2)
			p := serveHub(t, openHub(t, address))
			p.TB = t
			ann := p.joins("ann", "", "")
			ann.believes(t, ann.home(), "herons fish at dawn")
			ann.mustSync(t)
			bob := p.joins("bob", ann.home(), store.Writer)
			carol := p.joins("carol", ann.home(), store.Reader)
			his := bob.believes(t, ann.home(), "herons fish at dusk too")
			bob.mustSync(t)
			split := func() {
				for _, sh := range shardsOf(t, p) {
					if sh.Accounts > 0 {
						splitShard(t, address, sh.No, accountsIn(t, address, sh.No)[0])
					}
				}
			}
			if when == "before" {
				split()
			}
			carol.mustSync(t)
			if !carol.holds(t, his) {
				t.Error("carol does not hold what bob wrote")
			}
			replaced := bob.replace(t, bob.key, newKey(t, "next"), bob.key.DID())
			bob.add(t, replaced)
			bob.mustSync(t)
			if when == "after" {
				split()
			}
			carol.mustSync(t)
			if !carol.holds(t, replaced) {
				t.Error("carol does not hold what bob says of his key")
			}
			ann.mustSync(t)
		})
	}
}

// A shard that does not say of itself what the directory says is not served, and named; the others are.
func TestADirectoryOlderThanItsShards(t *testing.T) {
	address := tempShards(t, 3)
	p := serveHub(t, openHub(t, address))
	p.TB = t
	var people []*person
	for _, name := range []string{"ann", "bob", "carol", "dan", "eve", "fay", "gus", "hal"} {
		who := p.joins(name, "", "")
		who.believes(t, who.home(), name+" was here")
		who.mustSync(t)
		people = append(people, who)
	}
	saysOfItself(t, address, 1, "1 after 7 moves")
	p = serveHub(t, openHub(t, address)) // another process, which has asked no shard yet
	p.TB = t
	shown := shardsOf(t, p)
	for _, sh := range shown {
		if (sh.No == 1) != strings.Contains(sh.Problem, "restored from an older copy") {
			t.Errorf("shard %d says %q", sh.No, sh.Problem)
		}
	}
	served := 0
	for _, who := range people {
		if _, err := p.store.SpacesOf(t.Context(), who.key.DID()); err == nil {
			served++
		} else if !strings.Contains(err.Error(), "shard 1") {
			t.Errorf("%s: %v", who.name, err)
		}
	}
	if served == 0 || served == len(people) {
		t.Errorf("%d of %d are served, want those of the other shards", served, len(people))
	}
}

// saysOfItself has a shard say another thing than the directory says, and returns what it said.
func saysOfItself(t testing.TB, address string, no int, what string) (was string) {
	t.Helper()
	admin, _, schema := adminOf(t, address)
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	meta := shardSchema(schema, no) + ".meta"
	if err = conn.QueryRow(t.Context(), "SELECT value FROM "+meta+" WHERE name = 'shard'").Scan(&was); err == nil {
		_, err = conn.Exec(t.Context(), "UPDATE "+meta+" SET value = $1 WHERE name = 'shard'", what)
	}
	if err != nil {
		t.Fatal(err)
	}
	return was
}

// Somebody who has spaces in two shards, of which one does not serve, is served what is in the other and told what is
// missing. What was written meanwhile goes there once both serve.
func TestHalfOfWhatSomebodyReadsIsAway(t *testing.T) {
	address := tempShards(t, 3)
	p := serveHub(t, openHub(t, address))
	p.TB = t
	in := func(no int) *person { // somebody whose spaces lie in a shard
		for i := 0; ; i++ {
			who := newPerson(t, fmt.Sprintf("person-%d-%d", no, i))
			sum := fnv.New64a()
			if _, _ = sum.Write([]byte(who.key.DID())); sum.Sum64()%3 != uint64(no) {
				continue
			}
			p.letIn(who, "", "")
			who.believes(t, who.home(), "what "+who.name+" knows")
			who.mustSync(t)
			return who
		}
	}
	ann, bob := in(1), in(2)
	carol := p.joins("carol", bob.home(), store.Reader)
	read := func(who *person, space string) { // they join one more space
		m := store.Member{Space: space, Account: who.key.DID(), Role: store.Writer, Made: p.now}
		if err := p.store.SetMember(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	read(ann, bob.home())
	read(bob, ann.home())
	from := ann.believes(t, bob.home(), "ann in bob's space")
	ann.mustSync(t)
	bob.mustSync(t)

	was := saysOfItself(t, address, 1, "1 after 7 moves")
	later := serveHub(t, openHub(t, address)) // another process, which has asked no shard yet
	later.TB = t
	later.http.Config.Handler, p.http.Config.Handler = p.server.Handler(), later.server.Handler()
	for who, gone := range map[*person]string{ann: ann.home(), bob: ann.home()} {
		who.believes(t, who.home(), "meanwhile at home")
		who.believes(t, bob.home(), "meanwhile in bob's space")
		report, err := who.sync(t.Context())
		if err != nil || len(report.Spaces) != 2 {
			t.Fatalf("%s: %+v, %v", who.name, report, err)
		}
		for _, s := range report.Spaces {
			away := s.Space == gone
			if (s.Code == peer.Unreachable) != away || strings.Contains(s.Problem, "shard 1") != away {
				t.Errorf("%s is told %q (%s) of %s", who.name, s.Problem, s.Code, s.Space)
			}
			if !away && s.Pushed == 0 {
				t.Errorf("%s pushed nothing to %s, which is served", who.name, s.Space)
			}
		}
		_, err = who.Hello(t.Context(), peer.Hello{Version: peer.Version, Store: who.name})
		if err == nil || !strings.Contains(err.Error(), "shard 1 ") {
			t.Errorf("%s with a client of an earlier release is told %v, want the shard", who.name, err)
		}
	}
	carol.mustSync(t) // the keys of ann, whose own shard is away, were copied
	if !carol.holds(t, from) {
		t.Error("carol does not hold what ann wrote into a space that is served")
	}

	saysOfItself(t, address, 1, was)
	for _, who := range []*person{ann, bob, ann, bob} {
		who.mustSync(t)
	}
	for space, want := range map[string]int{ann.home(): 2, bob.home(): 5} {
		if a, b := ann.all(t, space), bob.all(t, space); !slices.Equal(a, b) || len(a) != want {
			t.Errorf("of %s ann holds %d and bob %d memories, want the same %d", space, len(a), len(b), want)
		}
	}
}

// all returns the ids of what somebody holds of a space, in order.
func (p *person) all(t testing.TB, space string) (out []string) {
	t.Helper()
	for it, err := range p.List(t.Context(), store.Query{Spaces: []string{space}, Hidden: true}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, it.Record.ID.String())
	}
	slices.Sort(out)
	return out
}

func TestSplitRefuses(t *testing.T) {
	one, two := tempPostgres(t), tempShards(t, 2)
	for _, tt := range []struct {
		what, address string
		no            int
		accounts      []string
		want          string
	}{
		{"a hub without a list of shards", one, 0, nil, "2 shards or more"},
		{"a shard that is not there", two, 5, nil, "has no shard 5"},
		{"a shard of nobody", two, 1, nil, "nothing to split"},
		{"somebody who is not there", two, 1, []string{"did:key:zNobody"}, "no space in shard 1"},
	} {
		admin, role, _ := adminOf(t, tt.address)
		none := func(context.Context) error { return nil }
		_, err := hubstore.SplitShard(t.Context(), admin, role, tt.no, tt.accounts, none)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
	admin, role, _ := adminOf(t, two)
	_, err := hubstore.Migrate(t.Context(), admin, role, 1)
	if err == nil || !strings.Contains(err.Error(), "does not lose any") {
		t.Errorf("fewer shards: %v", err)
	}
	if m, err := hubstore.Migrate(t.Context(), admin, role, 4); err != nil || m.Shards != 4 {
		t.Errorf("more shards: %+v, %v", m, err)
	}
}

func shardsOf(t testing.TB, p *place) []hubstore.Shard {
	t.Helper()
	all, err := p.store.(*hubstore.Hub).Shards(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func accountsIn(t testing.TB, address string, no int) (out []string) {
	t.Helper()
	admin, _, _ := adminOf(t, address)
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "SELECT owner FROM hub_places WHERE shard = $1 ORDER BY owner", no)
	if err == nil {
		out, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err = errors.Join(err, conn.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	return out
}
