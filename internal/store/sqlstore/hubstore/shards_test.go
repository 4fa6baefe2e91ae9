package hubstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// tempSharded is tempHub with several shards, which go with the test.
func tempSharded(t *testing.T, shards int) (admin, address, role string) {
	t.Helper()
	admin, address, role = tempHub(t)
	if m, err := Migrate(t.Context(), admin, role, shards); err != nil || m.Shards != shards {
		t.Fatalf("%+v, %v; want %d shards", m, err, shards)
	}
	s := open(t, admin, sqlstore.Options{})
	schema, err := schemaNow(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.WithoutCancel(t.Context()), admin)
		for no := range shards + 3 { // a test may split some
			if err == nil {
				_, err = conn.Exec(context.Background(), "DROP SCHEMA IF EXISTS "+shardName(schema, no+1)+" CASCADE")
			}
		}
		if err = errors.Join(err, conn.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return admin, address, role
}

func atOnce(context.Context) error { return nil }

// A request that was told where a space lies, before it moved, adds nothing where it was: no record, no key record and
// no new space. It would be acknowledged, and found by nobody.
func TestNothingIsAddedWhereASpaceWas(t *testing.T) {
	admin, address, role := tempSharded(t, 2)
	h := openHub(t, address, nil)
	ann, bob := storetest.NewOwner("ann"), storetest.NewOwner("bob")
	for _, space := range []string{ann.Space, bob.Space} {
		if err := h.AddSpace(t.Context(), space); err != nil {
			t.Fatal(err)
		}
	}
	before := h.Asking(t.Context())
	was, err := h.placeOf(before, ann.Space)
	if err != nil {
		t.Fatal(err)
	}
	stale, err := h.Within(before, store.Sight{Writes: []string{ann.Space}})
	if err != nil {
		t.Fatal(err)
	}
	moved, err := SplitShard(t.Context(), admin, role, was.no, []string{ownerOf(ann.Space)}, atOnce)
	if err != nil || moved.Accounts != 1 {
		t.Fatalf("%+v, %v", moved, err)
	}
	key := ann.Make(t, &memory.Key{Op: memory.OpInception, Key: ann.Key})
	for what, r := range map[string]*memory.Record{"a record": ann.Raw(t, "herons fish at dawn"), "a key": key} {
		n, err := stale.Append(before, store.Batch{Records: []*memory.Record{r}})
		if n != 0 || !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "moved to another shard") {
			t.Errorf("%s is added where its space was: %d, %v", what, n, err)
		}
	}
	second := ownerOf(ann.Space) + "/second"
	if err := h.AddSpace(before, second); !errors.Is(err, store.ErrBusy) {
		t.Errorf("a space begins where its owner was: %v", err)
	}
	fresh := within(t, h, ann.Space)
	if n, err := fresh.Append(t.Context(), store.Batch{Records: []*memory.Record{key}}); n != 1 || err != nil {
		t.Errorf("where it is now %d are added, %v", n, err)
	}
	if err := h.AddSpace(t.Context(), second); err != nil {
		t.Error(err)
	}
	if now, err := h.placeOf(t.Context(), second); err != nil || now.no != moved.To {
		t.Errorf("the second space is in %+v, %v; want shard %d", now, err, moved.To)
	}
}

// An account without a space stays when its shard is split: whoever is about to begin its first one was told so.
func TestAnAccountWithoutASpaceStays(t *testing.T) {
	admin, address, role := tempSharded(t, 2)
	h := openHub(t, address, nil)
	for i := range 6 {
		if err := h.AddSpace(t.Context(), storetest.NewOwner(fmt.Sprint("person ", i)).Space); err != nil {
			t.Fatal(err)
		}
	}
	newcomer := storetest.NewOwner("newcomer")
	at, err := h.settle(t.Context(), ownerOf(newcomer.Space))
	if err != nil {
		t.Fatal(err)
	}
	_, err = SplitShard(t.Context(), admin, role, at.no, nil, atOnce)
	if err != nil && !strings.Contains(err.Error(), "nothing to split") {
		t.Fatal(err)
	}
	if now, err := h.placeOf(t.Context(), newcomer.Space); err != nil || now.no != at.no {
		t.Errorf("the newcomer is in %+v, %v; want shard %d", now, err, at.no)
	}
	_, err = SplitShard(t.Context(), admin, role, at.no, []string{ownerOf(newcomer.Space)}, atOnce)
	if err == nil || !strings.Contains(err.Error(), "has no space in shard") {
		t.Errorf("it is split off by name: %v", err)
	}
}

// A hub whose database does not answer says so, with however many shards.
func TestTheDirectoryIsAway(t *testing.T) {
	_, address, _ := tempSharded(t, 2)
	h, err := Open(t.Context(), address, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	space := storetest.NewOwner("ann").Space
	if err := errors.Join(h.AddSpace(t.Context(), space), h.Close()); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func() error{
		"Begun":    func() error { _, err := h.Begun(t.Context(), space); return err },
		"AddSpace": func() error { return h.AddSpace(t.Context(), space) },
		"Within": func() error {
			_, err := h.Within(t.Context(), store.Sight{Reads: []string{space}})
			return err
		},
		"Totals":   func() error { _, err := h.Totals(t.Context()); return err },
		"AddKeyed": func() error { return h.AddKeyed(t.Context(), space, space) },
		"Shards":   func() error { _, err := h.Shards(t.Context()); return err },
	} {
		if err := do(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Of two who move at once the second is told so, and nothing of it is done.
func TestTwoMovesAtOnce(t *testing.T) {
	admin, address, role := tempSharded(t, 2)
	h := openHub(t, address, nil)
	for i := range 8 {
		if err := h.AddSpace(t.Context(), storetest.NewOwner(fmt.Sprint("person ", i)).Space); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_lock"+ofThisHub); err != nil {
		t.Fatal(err)
	}
	if _, err := SplitShard(t.Context(), admin, role, 0, nil, atOnce); !errors.Is(err, store.ErrBusy) ||
		!strings.Contains(err.Error(), "another split or move of this hub is under way") {
		t.Errorf("a split during a move gives %v", err)
	}
	if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_unlock"+ofThisHub); err != nil {
		t.Fatal(err)
	}
	done, err := SplitShard(t.Context(), admin, role, 0, nil, atOnce)
	if err != nil || done.To != 2 {
		t.Errorf("afterwards %+v, %v", done, err)
	}
	s := open(t, admin, sqlstore.Options{})
	err = s.Change(t.Context(), "split a shard of", func(ctx context.Context, w *session.Session) error {
		name, err := schemaNow(ctx, s)
		if err != nil {
			return err
		}
		// as by one that read the directory before the other was done
		return split(ctx, w, placed{0, name, 0}, placed{2, shardName(name, 2), 1}, nil, new(Split))
	})
	if !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "was first and made shard 2") {
		t.Errorf("a split that read the directory before another one gives %v", err)
	}
}

// childSplit is the environment of a test binary that is to split a shard: the administrator's address and the role.
const childSplit = "STEMMA_CHILD_SPLIT"

// TestAsSplitter is no test: it is what the process of the next one runs.
func TestAsSplitter(t *testing.T) {
	admin, role, is := strings.Cut(os.Getenv(childSplit), " ")
	if !is {
		return // by itself there is nothing to do
	}
	fmt.Println("begins")
	_, err := SplitShard(t.Context(), admin, role, 0, nil, func(ctx context.Context) error {
		fmt.Println("copied")
		<-ctx.Done()
		return ctx.Err()
	})
	t.Log(err)
}

// A split whose process is killed is either undone, or done but for the rows that it leaves behind, which the next
// migration removes. Everything is served meanwhile.
func TestASplitIsCutOff(t *testing.T) {
	for _, when := range []string{"before it is committed", "after it is committed"} {
		t.Run(when, func(t *testing.T) {
			admin, address, role := tempSharded(t, 2)
			h := openHub(t, address, nil)
			made := make(map[string][]memory.ID)
			for i := range 8 {
				o := storetest.NewOwner(fmt.Sprint("person ", i))
				r := o.Raw(t, fmt.Sprint("a heron fishes at dawn ", i))
				s := within(t, h, o.Space)
				if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
					t.Fatal(err)
				}
				made[o.Space] = append(made[o.Space], r.ID)
			}
			var lock *pgx.Conn
			if strings.HasPrefix(when, "before") {
				var err error
				if lock, err = pgx.Connect(t.Context(), admin); err != nil {
					t.Fatal(err)
				}
				defer lock.Close(context.WithoutCancel(t.Context()))
				for _, q := range []string{"BEGIN", "LOCK TABLE spaces IN ROW EXCLUSIVE MODE"} {
					if _, err := lock.Exec(t.Context(), q); err != nil {
						t.Fatal(err)
					}
				}
			}
			killed(t, admin, role, lock == nil)
			if lock != nil {
				if _, err := lock.Exec(t.Context(), "ROLLBACK"); err != nil {
					t.Fatal(err)
				}
			}
			served := func(when string) {
				t.Helper()
				for space, ids := range made {
					s, err := h.Within(t.Context(), store.Sight{Reads: []string{space}})
					if err != nil {
						t.Fatal(err)
					}
					items, err := s.Get(t.Context(), ids...)
					if err != nil || items[0] == nil {
						t.Errorf("%s a record of %s is not served: %v", when, space, err)
					}
				}
			}
			served("cut off,")
			m, err := Migrate(t.Context(), admin, role, 0)
			if want := map[bool]int{true: 3, false: 2}[lock == nil]; err != nil || m.Shards != want {
				t.Errorf("migrated: %+v, %v; want %d shards", m, err, want)
			}
			var left int
			a := open(t, admin, sqlstore.Options{})
			err = a.Change(t.Context(), "count", func(ctx context.Context, w *session.Session) error {
				if err := session.AsHub(ctx, w, []int{1, 2, 3, 4, 5, 6, 7, 8}, nil); err != nil {
					return err
				}
				_, err := w.One(ctx, []any{&left}, "SELECT count(*) FROM records r JOIN spaces s ON s.no = (r.key >> 40) "+
					"WHERE NOT s.home")
				return err
			})
			if err != nil || left > 0 {
				t.Errorf("%d rows are left where they were, %v", left, err)
			}
			served("migrated,")
			if lock != nil {
				if done, err := SplitShard(t.Context(), admin, role, 0, nil, atOnce); err != nil || done.To != 2 {
					t.Errorf("split again: %+v, %v", done, err)
				}
				served("split,")
			}
		})
	}
}

// killed has another process split shard 0, and kills it: once it has copied, or while it waits for a lock.
func killed(t *testing.T, admin, role string, copied bool) {
	t.Helper()
	cmd := osexec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAsSplitter$", "-test.v")
	cmd.Env = append(os.Environ(), childSplit+"="+admin+" "+role)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	want := map[bool]string{true: "copied", false: "begins"}[copied]
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if said = append(said, lines.Text()); lines.Text() == want {
			break
		}
	}
	if len(said) == 0 || said[len(said)-1] != want {
		t.Errorf("the process said %q", said)
	}
	if !copied { // until it waits for the lock
		conn, err := pgx.Connect(t.Context(), admin)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.WithoutCancel(t.Context()))
		const query = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE%spaces IN EXCLUSIVE%' " +
			"AND state = 'active' AND pid <> pg_backend_pid()"
		for end, n := time.Now().Add(time.Minute), 0; n == 0 && time.Now().Before(end); {
			if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
