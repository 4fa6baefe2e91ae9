package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A crowd is a store in which one person is among many, with two remotes and backups.
type crowd struct {
	*home
	backups string
	shared  string // the folder of the remote that answers
	hers    []string
	words   map[string]bool // the tokens of what is hers
}

// syllables make words that stand in nothing else.
var syllables = strings.Fields("ka lo mi ru se ta vo ne pi du za fe go hi ju be co ya wi xo")

func invented(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	return b.String()
}

func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = invented(r)
	}
	return strings.Join(words, " ")
}

const (
	herName   = "Ada Quillfeather"
	otherName = "Bob Marchbank"
)

// newCrowd fills a store: all records, of which her are one person's.
func newCrowd(t *testing.T, spec string, all, her int) *crowd {
	t.Helper()
	shared := t.TempDir()
	dial := func(ctx context.Context, at string, self peer.Self) ([]peer.Endpoint, func() error, error) {
		if at == "away" {
			return nil, nil, errors.New("no such host")
		}
		ends, err := carrier.Folder(ctx, shared, self)
		return ends, nil, err
	}
	h := newHome(t, filepath.Join(t.TempDir(), "keys"), dial)
	if spec != "" {
		h.close()
		h.Path = spec
		h.Owner, h.Agent = h.As(memory.OriginOwner), h.As(memory.OriginAgent)
	}
	h.Config.Waiting = h.spool.Drop
	h.close()
	h.Owner, h.Agent = h.As(memory.OriginOwner), h.As(memory.OriginAgent)
	c := &crowd{home: h, backups: t.TempDir(), shared: shared, words: make(map[string]bool)}
	r := rand.New(rand.NewPCG(7, uint64(all)))
	var batch []*memory.Record
	flush := func() {
		if _, err := h.Owner.Store.Append(t.Context(), store.Batch{Records: batch}); err != nil {
			t.Fatal(err)
		}
		batch = batch[:0]
	}
	signs := func(hers bool, header memory.Header, body memory.Body) *memory.Record {
		header.Confidence = memory.Certain
		if header.Provenance.Via == "" {
			header.Provenance.Via = memory.ViaDirect
		}
		one, err := h.Owner.Sign(header, body)
		if err != nil {
			t.Fatal(err)
		}
		if hers {
			c.hers = append(c.hers, one.Ref().String())
			for _, w := range strings.Fields(one.Words()) {
				if strings.HasPrefix(w, "zqx") {
					c.words[w] = true
				}
			}
		}
		if batch = append(batch, one); len(batch) >= 500 {
			flush()
		}
		return one
	}
	every := all / her
	for i, told := 0, 0; i < all; i++ {
		if i%every != 0 || told >= her {
			text := sentence(r, 14)
			signs(false, memory.Header{}, &memory.Raw{Text: text, Source: "api", Speaker: otherName})
			continue
		}
		planted := fmt.Sprintf("zqx%06d", i)
		text := sentence(r, 12) + " " + planted + " " + sentence(r, 6)
		switch told % 5 {
		case 0: // she said it, and it was captured twice
			raw := signs(true, memory.Header{}, &memory.Raw{Text: text, Source: "api", Speaker: herName})
			signs(true, memory.Header{}, &memory.Raw{Text: text, Source: "api"})
			signs(true, memory.Header{Provenance: memory.Provenance{
				Via: memory.ViaPromote, From: []memory.Ref{raw.Ref()},
			}}, &memory.Note{Type: "observation", Summary: text})
			told += 3
		case 3: // it is about her, and a link says why
			a := signs(true, memory.Header{About: []string{herName}}, &memory.Belief{Statement: text})
			b := signs(true, memory.Header{About: []string{herName, otherName}}, &memory.Note{
				Type: "observation", Summary: sentence(r, 9) + " zqy" + planted[3:],
			})
			signs(true, memory.Header{}, &memory.Link{
				Source: a.Ref(), Target: b.Ref(), Relation: memory.Extend, Reason: sentence(r, 8) + " " + planted + "r",
			})
			told += 3
		default:
			signs(true, memory.Header{}, &memory.Raw{
				Text: text + ", said of " + herName + " in " + planted + "/img", Source: "api", Caption: sentence(r, 7),
			})
			told++
		}
	}
	flush()
	return c
}

// spread has the words go wherever they go: to a remote, receipts, a backup, what waits.
func (c *crowd) spread(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for _, at := range []string{"near", "away"} {
		if _, err := c.Owner.RemoteAdd(ctx, api.RemoteRequest{Name: at, Address: at, Whose: "mine"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Owner.Sync(ctx, api.SyncRequest{Remote: "near"}); err != nil {
		t.Fatal(err)
	}
	for _, ref := range c.hers[:3] {
		m, err := c.Owner.Show(ctx, api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Agent.Search(ctx, api.SearchRequest{Query: m.Headline}); err != nil {
			t.Fatal(err)
		}
		if err := c.spool.Put(ref[len(ref)-8:], time.Unix(9, 0), []engine.Observed{
			{ID: ref, Text: m.Headline, Session: "s"}, {ID: ref + "2", Text: "the gate was painted", Session: "s"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Owner.Receipts(ctx, api.ReceiptsRequest{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(c.Path, "://") {
		return
	}
	if _, err := c.Owner.Backup(ctx, filepath.Join(c.backups, "copy.db")); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".stemma-copy-77", ".stemma-copy-77-journal"} { // one was killed in the middle
		if err := os.WriteFile(filepath.Join(c.backups, name), raw[:len(raw)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// plantedWords are those of newCrowd, in bytes and in UTF-16.
var plantedWords = regexp.MustCompile(`zq[xy]\d{4}|z\x00q\x00[xy]\x00\d\x00\d`)

// left counts planted words in all bytes of the machine, the folder and the tables of a server.
func (c *crowd) left(t *testing.T) (n int, in []string) {
	t.Helper()
	look := func(place string, raw []byte) {
		found := plantedWords.FindAllIndex(raw, -1)
		if n += len(found); len(found) > 0 {
			in = append(in, fmt.Sprintf("%s: %d, such as %q", filepath.Base(place), len(found),
				raw[max(found[0][0]-60, 0):min(found[0][1]+60, len(raw))]))
		}
	}
	for _, dir := range []string{c.dir, c.shared} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			if look(path, raw); dir != c.shared {
				return err
			}
			for line := range bytes.Lines(raw) { // a folder has records in base64
				var one struct{ Payload []byte }
				if json.Unmarshal(line, &one) == nil {
					look(path, one.Payload)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(c.Path, "://") {
		c.tables(t, look)
	}
	slices.Sort(in)
	return n, in
}

func (c *crowd) tables(t *testing.T, look func(string, []byte)) {
	t.Helper()
	db, err := sql.Open("pgx", c.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	names, err := db.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	if err := errors.Join(names.Err(), names.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		rows, err := db.Query(`SELECT * FROM "` + name + `"`)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			into := make([]any, len(columns))
			for i := range into {
				into[i] = new(any)
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for _, v := range into {
				switch text := (*v.(*any)).(type) {
				case []byte:
					look(name, text)
				case string:
					look(name, []byte(text))
				}
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// One person's records, among many, are gone from every file and table after one act, with the sources, links and
// repetitions; and the certificate checks, and names what is out of reach. With STEMMA_LONG they are 5,000 of 100,000.
func TestAPersonsRecordsAreGoneAndShownToBeGone(t *testing.T) {
	t.Parallel()
	all, her := 1_000, 60
	if os.Getenv("STEMMA_LONG") != "" {
		all, her = 100_000, 5_000
	}
	for name, spec := range enginetest.Stores {
		if name == "mem" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := ""
			if name == "postgres" {
				at = spec(t)
			}
			began := time.Now()
			c := newCrowd(t, at, all, her)
			c.spread(t)
			ctx := t.Context()
			filled := time.Since(began)
			before, in0 := c.left(t)
			for _, file := range []string{"receipts", ".event", ".jsonl"} {
				if before < her || !strings.Contains(strings.Join(in0, "\n"), file) {
					t.Fatalf("%d planted words before, and none in %s: %v", before, file, in0)
				}
			}
			in := api.PurgeRequest{Person: api.Person{About: herName, Speaker: herName}}
			dry := in
			dry.DryRun = true
			began = time.Now()
			r, err := c.Owner.Purge(ctx, dry)
			if err != nil {
				t.Fatal(err)
			}
			looked := time.Since(began)
			got := make([]string, 0, len(r.Person.Records))
			for _, one := range r.Person.Records {
				got = append(got, one.Ref)
			}
			want := slices.Clone(c.hers)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("the list has %d records, want %d", len(got), len(want))
			}
			if r.Person.Others == 0 || len(r.Person.Repeats) > 0 {
				t.Errorf("%d speak of others, %d repeat", r.Person.Others, len(r.Person.Repeats))
			}
			in.List = r.Person.Digest
			began = time.Now()
			r, err = c.Owner.Purge(ctx, in)
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			o := r.Outcome
			if o.Found != 0 || o.FoundBefore < o.Probes || o.Probes < min(10_000, her) {
				t.Errorf("%d of %d probes found, %d before: %v", o.Found, o.Probes, o.FoundBefore, o.FoundIn)
			}
			t.Logf("%d of %d records; filled in %v, listed in %v, erased in %v; %d probes, %d found before, %d after; %s",
				len(want), all, filled.Round(time.Millisecond), looked.Round(time.Millisecond), took.Round(time.Millisecond),
				o.Probes, o.FoundBefore, o.Found, kindsOf(o.Erased))
			c.close()
			if n, where := c.left(t); n > 0 {
				t.Errorf("%d planted words are left in %s", n, strings.Join(where, ", "))
			}
			said := make(map[string]bool)
			for _, u := range o.Unreached {
				said[u.What+" "+filepath.Base(u.Where)] = true
			}
			want = []string{"remote away"}
			if name == "sqlite" {
				want = append(want, "backup copy.db")
				if half, _ := filepath.Glob(filepath.Join(c.backups, ".stemma-copy-*")); len(half) > 0 || o.Copies != 2 {
					t.Errorf("%d copies deleted, %v are left", o.Copies, half)
				}
			} else {
				want = append(want, "database .")
			}
			for _, w := range want {
				if !said[w] {
					t.Errorf("%q is not among what is out of reach: %v", w, said)
				}
			}
			if said["remote near"] {
				t.Error("the remote that answered is called out of reach")
			}
			cert, err := audit.Certificate([]byte(o.Certificate), audit.CertificateOptions{List: in.List})
			if err != nil {
				t.Fatal(err)
			}
			if cert.Probes.Found != 0 || len(cert.Act) == 0 || len(cert.Unreached) != len(o.Unreached) {
				t.Errorf("%+v", cert)
			}
			for _, w := range []string{"zqx", "Quill", "Marchbank", "/"} {
				if w != "/" && strings.Contains(o.Certificate, w) {
					t.Errorf("the certificate says %q", w)
				}
			}
		})
	}
}

func kindsOf(of map[string]int) string {
	var out []string
	for k, n := range of {
		out = append(out, fmt.Sprintf("%d %s", n, k))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
