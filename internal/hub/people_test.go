package hub

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
	"github.com/stemma-memory/stemma/memory"
)

// start is when tests begin.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newKey(t testing.TB, name string) *keys.Key {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	k, err := keys.FromSeed(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// person is somebody with a store in memory, who signs what is in it.
type person struct {
	store.Store
	name string
	key  *keys.Key
	made int
	*client.Client
}

func newPerson(t testing.TB, name string) *person {
	t.Helper()
	p := &person{
		name: name, key: newKey(t, name),
		Store: memstore.Open(func() time.Time { return start.Add(24 * time.Hour) }),
	}
	p.add(t, p.make(t, p.home(), &memory.Key{Op: memory.OpInception, Key: p.key.DID()}))
	return p
}

func (p *person) StoreName(context.Context) (string, error) { return "store-of-" + p.name, nil }
func (p *person) home() string                              { return p.key.DID() + "/main" }
func (p *person) Close() error                              { return nil }

func (p *person) make(t testing.TB, space string, b memory.Body) *memory.Record {
	t.Helper()
	p.made++
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", p.name, p.made))
	r, err := memory.New(memory.Header{
		Space: space, Author: p.key.DID(), Origin: memory.OriginOwner, At: memory.At(
			start.Add(time.Duration(p.made) * time.Second),
		),
		Confidence: memory.Certain / 2, Provenance: memory.Provenance{Via: memory.ViaDirect},
		Nonce: base64.RawURLEncoding.EncodeToString(seed[:16]),
	}, b)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := p.key.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: p.key.DID(), Sig: sig}}
	return r
}

func (p *person) add(t testing.TB, rs ...*memory.Record) {
	t.Helper()
	if _, err := p.Append(t.Context(), store.Batch{Records: rs}); err != nil {
		t.Fatal(err)
	}
}

// believes adds a belief to a space.
func (p *person) believes(t testing.TB, space, words string) *memory.Record {
	t.Helper()
	r := p.make(t, space, &memory.Belief{Statement: words})
	p.add(t, r)
	return r
}

func (p *person) holds(t testing.TB, r *memory.Record) bool {
	t.Helper()
	items, err := p.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	return items[0] != nil
}

func (p *person) sync(ctx context.Context, change ...func(*peer.Options)) (peer.Report, error) {
	local := &peer.Local{Store: p, Now: func() time.Time { return start.Add(24 * time.Hour) },
		Sign: func(origin string) (note.Signer, string, error) {
			n, err := p.key.NoteSigner(origin)
			return n, p.key.DID(), err
		}}
	name, _ := p.StoreName(ctx)
	o := peer.Options{Peer: "hub", Store: name, Push: true, Pull: true}
	for _, c := range change {
		c(&o)
	}
	return peer.Run(ctx, peer.New(o), local, p.Client)
}

func (p *person) mustSync(t testing.TB) peer.Report {
	t.Helper()
	report, err := p.sync(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	for _, sp := range report.Spaces {
		if sp.Problem != "" || len(sp.Refused) > 0 || len(sp.Back) > 0 {
			t.Fatalf("%s: %+v", p.name, sp)
		}
	}
	return report
}

// place is a hub that is being served.
type place struct {
	testing.TB
	store  store.Hub
	server *Server
	http   *httptest.Server
	now    time.Time
	near   bool // clients compress nothing
}

// lines takes a log for a test.
type lines struct{ testing.TB }

func (l lines) Write(b []byte) (int, error) { l.Logf("%s", b); return len(b), nil }

func serveHub(t testing.TB, h store.Hub) *place {
	t.Helper()
	p := &place{TB: t, store: h, now: start.Add(24 * time.Hour)}
	var err error
	p.server, err = New(Options{
		Store: h, Key: newKey(t, "the hub"), Name: "hub.test", Now: func() time.Time { return p.now }, Rate: 1e6,
		Log: slog.New(slog.NewJSONHandler(lines{t}, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.server.doors = access.NewLimiter(access.Limit{})
	p.http = httptest.NewServer(p.server.Handler())
	t.Cleanup(p.http.Close)
	return p
}

// everyHub runs a test on each database.
func everyHub(t *testing.T, do func(p *place)) {
	t.Run("sqlite", func(t *testing.T) { do(serveHub(t, openHub(t, filepath.Join(t.TempDir(), "hub.db")))) })
	t.Run("postgres", func(t *testing.T) { do(serveHub(t, openHub(t, tempPostgres(t)))) })
	t.Run("shards", func(t *testing.T) { do(serveHub(t, openHub(t, tempShards(t, 3)))) })
}

func openHub(t testing.TB, spec string) store.Hub {
	t.Helper()
	h, err := hubstore.Open(t.Context(), spec, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// tempPostgres returns the address of a hub's schema for its role; both go with the test.
func tempPostgres(t testing.TB) string {
	t.Helper()
	return tempShards(t, 0)
}

// tempShards is tempPostgres for a hub with several shards.
func tempShards(t testing.TB, shards int) string {
	t.Helper()
	address := os.Getenv("STEMMA_TEST_POSTGRES")
	if address == "" {
		t.Skip("STEMMA_TEST_POSTGRES names no server")
	}
	name := fmt.Sprintf("hubtest_%d_%d", os.Getpid(), time.Now().UnixNano())
	admin := func(ctx context.Context, queries ...string) {
		conn, err := pgx.Connect(ctx, address)
		for _, q := range queries {
			if err == nil {
				_, err = conn.Exec(ctx, q)
			}
		}
		if err == nil {
			err = conn.Close(ctx)
		}
		if err != nil {
			t.Error(err)
		}
	}
	admin(t.Context(), "CREATE SCHEMA "+name)
	t.Cleanup(func() {
		all := []string{"DROP SCHEMA " + name + " CASCADE"}
		for no := range 9 { // a test may split some
			all = append(all, fmt.Sprintf("DROP SCHEMA IF EXISTS %s_shard_%03d CASCADE", name, no+1))
		}
		admin(context.WithoutCancel(t.Context()), append(all, "DROP OWNED BY "+name, "DROP ROLE "+name)...)
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	m, err := hubstore.Migrate(t.Context(), u.String(), name, shards)
	if err != nil {
		t.Fatal(err)
	}
	return m.Address
}

func (p *place) client(token string) *client.Client {
	p.Helper()
	o := client.Options{Token: token, Patience: -1, Packed: !p.near, Binding: client.Binding{
		Key: p.machineKey(), Hub: "hub.test", Bound: true, Now: func() time.Time { return p.now },
	}}
	c, err := client.New(p.http.URL, o)
	if err != nil {
		p.Fatal(err)
	}
	return c
}

// invitation makes one, by whoever runs the hub.
func (p *place) invitation(space string, role store.Role) string {
	p.Helper()
	code, kept := NewCode()
	i := store.Invitation{Secret: kept, ID: NewID(), Space: space, Role: role, Made: p.now, Expires: p.now.Add(time.Hour)}
	if err := p.store.Invite(p.Context(), i); err != nil {
		p.Fatal(err)
	}
	return code
}

// machineKey proves the requests of all who have no machine of their own.
func (p *place) machineKey() *keys.Key { return newKey(p, "the machine of all") }

// asks returns what somebody sends who wants to join.
func (p *place) asks(who *person, code string) client.Join {
	p.Helper()
	return p.asksFrom(p.machineKey(), who, code)
}

// asksFrom is asks on a machine of somebody.
func (p *place) asksFrom(machine *keys.Key, who *person, code string) client.Join {
	p.Helper()
	c, err := p.client("").Challenge(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	sig, err := peer.NewClaim(who.key.DID(), who.key.DID(), c.Hub, c.Challenge, code, machine.DID()).Sign(who.key)
	if err != nil {
		p.Fatal(err)
	}
	return client.Join{
		Account: who.key.DID(), Name: who.name, Label: "test", Invitation: code, Challenge: c.Challenge,
		Sig: sig,
	}
}

// joins lets somebody in.
func (p *place) joins(name string, space string, role store.Role) *person {
	p.Helper()
	who := newPerson(p, name)
	p.letIn(who, space, role)
	return who
}

func (p *place) letIn(who *person, space string, role store.Role) client.Joined {
	p.Helper()
	got, err := p.client("").Join(p.Context(), p.asks(who, p.invitation(space, role)))
	if err != nil {
		p.Fatal(err)
	}
	who.Client = p.client(got.Token)
	return got
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
