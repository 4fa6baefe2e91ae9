package importers

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// database makes a SQLite file of statements.
func database(t testing.TB, name string, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// others are one source of each format.
func others(t testing.TB) map[string]Source {
	t.Helper()
	list := map[string]Source{
		"kernle database":     {Path: database(t, "memories.db", fixture(t, "kernle.sql")), Format: FormatKernle},
		"alexandria database": {Path: database(t, "alexandria.db", fixture(t, "alexandria.sql")), Format: FormatAlexandria},
	}
	for name, format := range map[string]string{
		"memory.jsonl": FormatGraph, "mem0.json": FormatMem0, "kernle.json": FormatKernle,
		"alexandria.json": FormatAlexandria,
		"vault":           FormatObsidian, "basic": FormatBasic, "CLAUDE.md": FormatInstructions,
	} {
		list[name] = Source{Path: filepath.Join("testdata", name), Name: "x", Format: format}
	}
	return list
}

func readOther(t testing.TB, s Source) *Found {
	t.Helper()
	found, err := Read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// summaries returns each record in one line: alias, kind, words, sources, what it replaces.
func summaries(t testing.TB, found *Found) []string {
	t.Helper()
	var out []string
	for _, f := range collect(t, found.Records) {
		line := f.Alias[0] + " | " + string(memory.KindOf(f.Body)) + " | " + memory.Headline(f.Body)
		if len(f.From) > 0 {
			line += " | " + string(f.Via) + " " + strings.Join(f.From, " ")
		}
		if f.Supersedes != "" {
			line += " | supersedes " + f.Supersedes
		}
		out = append(out, line)
	}
	return out
}

// Each format is known by what stands in it.
func TestDetect(t *testing.T) {
	for name, s := range others(t) {
		if got, err := Detect(t.Context(), s.Path); err != nil || got != s.Format {
			t.Errorf("%s is %q, %v; want %s", name, got, err, s.Format)
		}
	}
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{"payload":"e30=","payloadType":"x","signatures":[]}`:           FormatRecords,
		`{"id":"m","content":{"summary":"x"},"provenance":{}}`:           FormatAnamnesis,
		`[{"id":"m","content":{"summary":"x"},"provenance":{}}]`:         FormatAnamnesis,
		`{"session_1":[],"session_1_date_time":""}`:                      FormatLoCoMo,
		"{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"2\",\"text\":\"b\"}":   FormatJSONL,
		`{"memories":[{"id":"1","memory":"x"}]}`:                         FormatMem0,
		`[{"id":"1","memory":"x"}]`:                                      FormatMem0,
		`[{"id":"1","objectType":"decision","content":"x"}]`:             FormatAlexandria,
		`{"agent_id":"a","raw_entries":[]}`:                              FormatKernle,
		`{"type":"relation","from":"a","to":"b","relationType":"knows"}`: FormatGraph,
		`{"payload":"e30=",`:                                             FormatRecords,
		`just words`:                                                     FormatText,
		`{"something":"else"}`:                                           "",
		"SQLite format 3\x00":                                            "",
		`[]`:                                                             "",
		``:                                                               "",
	} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Detect(t.Context(), path)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q is %q, %v; want %q", content, got, err, want)
		}
		if err != nil {
			refused(t, err, "file")
		}
	}
	for _, path := range []string{filepath.Join(dir, "none"), t.TempDir(), database(t, "x.db", "CREATE TABLE t (a)")} {
		if got, err := Detect(t.Context(), path); err == nil {
			t.Errorf("%s is %q", path, got)
		}
	}
}

// What each format says becomes these records, in this order.
func TestOthersTell(t *testing.T) {
	want := map[string][]string{
		"kernle.json": {
			"kernle:ash:raw:r1 | raw | the API felt slow today",
			"kernle:ash:episode:e1 | episode | Find out why the API is slow | direct kernle:ash:raw:r1",
			"kernle:ash:belief:b1 | belief | Caching pays off | consolidate kernle:ash:episode:e1",
			"kernle:ash:belief:b2 | belief | Caching always pays off | revision kernle:ash:belief:b1 " +
				"kernle:ash:episode:e1 | supersedes kernle:ash:belief:b1",
			"kernle:ash:note:n1 | note | Use Redis",
			"kernle:ash:value:v1 | value | Honesty: Say what is so",
			"kernle:ash:goal:g1 | goal | Ship it",
			"kernle:ash:drive:d1 | drive | curiosity: databases",
			"kernle:ash:relationship:p1 | relationship | Ada: knows engines",
		},
		"kernle database": {
			"kernle:ash:raw:r1 | raw | the API felt slow today",
			"kernle:ash:episode:e1 | episode | Find out why the API is slow | direct kernle:ash:raw:r1",
			"kernle:ash:playbook:p1 | playbook | Profile first: something is slow |  kernle:ash:episode:e1",
			"kernle:ash:belief:b1 | belief | Caching pays off | consolidate kernle:ash:episode:e1 kernle:ash:belief:b3",
			"kernle:ash:belief:b2 | belief | Caching always pays off | revision kernle:ash:belief:b1 | supersedes " +
				"kernle:ash:belief:b1",
			"kernle:ash:belief:b3 | belief | Circles have no end",
			"kernle:ash:episode:e2 | episode | long forgotten",
		},
		"alexandria database": {
			"alexandria:event:ev1 | raw | let us use bun:sqlite",
			"alexandria:m1 | note | Use bun:sqlite for the database | inference alexandria:event:ev1",
			"alexandria:event:ev2 | raw | error: special characters",
			"alexandria:m2 | note | Escape FTS5 characters | inference alexandria:event:ev2",
			"alexandria:m3 | note | Quote FTS5 terms | inference alexandria:m2 | supersedes alexandria:m2",
		},
	}
	for name, s := range others(t) {
		if want[name] == nil {
			continue
		}
		got := summaries(t, readOther(t, s))
		slices.Sort(got)
		slices.Sort(want[name])
		if !slices.Equal(got, want[name]) {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want[name], "\n"))
		}
	}
}

// What does not come along is counted.
func TestWhatIsLostIsCounted(t *testing.T) {
	all := others(t)
	for name, want := range map[string]string{
		"kernle database":     `{"missing_sources":1,"cycles":1,"left_out":{"deleted":1}}`,
		"kernle.json":         `{"missing_sources":1,"left_out":{"trust_assessments":1}}`,
		"alexandria database": `{"missing_sources":1,"left_out":{"rejected":1}}`,
		"vault":               `{}`,
	} {
		found := readOther(t, all[name])
		collect(t, found.Records)
		lost := found.Lost
		if lost.Missing+lost.Cycles != len(lost.Words) {
			t.Errorf("%s: said %q", name, lost.Words)
		}
		lost.Words = nil
		if got, err := json.Marshal(lost); err != nil || string(got) != want {
			t.Errorf("%s loses %s, %v; want %s", name, got, err, want)
		}
	}
}

// Sources come first, whatever stands where, and twice is once.
func TestOthersComeOnce(t *testing.T) {
	for name, s := range others(t) {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t)
			s.Held = e.Held
			for time := range 2 {
				found := readOther(t, s)
				reply, err := e.Ingest(t.Context(), found.Records, nil)
				if err != nil || reply.Read != found.Total || time == 0 && reply.Added != found.Total || time == 1 &&
					reply.Added != 0 {
					t.Fatalf("time %d: %+v, %v, want all of %d once", time+1, reply, err, found.Total)
				}
			}
			grounded(t, e)
		})
	}
}

// grounded checks that nothing was approved, verified or grounded by being imported.
func grounded(t testing.TB, e *engine.Engine) {
	t.Helper()
	for _, k := range memory.Memories() {
		list, err := e.List(t.Context(), api.ListRequest{Kind: string(k), Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Memories {
			if m.Tier == "grounded" || m.Review == "approved" || m.LastVerified != "" || m.Origin != "import" ||
				len(m.CodeRefs) > 0 || len(m.Alias) == 0 {
				t.Errorf("%s is %s, %s, of origin %s, with aliases %q", m.Headline, m.Tier, m.Review, m.Origin, m.Alias)
			}
		}
	}
}

// A dump of the same memory as a database adds nothing to it.
func TestDumpAndDatabaseAreOneMemory(t *testing.T) {
	e, all := newEngine(t), others(t)
	if _, err := e.Ingest(t.Context(), readOther(t, all["kernle database"]).Records, nil); err != nil {
		t.Fatal(err)
	}
	if reply, err := e.Ingest(t.Context(), readOther(t, all["kernle.json"]).Records, nil); err != nil ||
		reply.AlreadyThere != 4 {
		t.Errorf("%+v, %v, want 4 there already", reply, err)
	}
	list, err := e.List(t.Context(), api.ListRequest{Kind: "belief", Limit: -1})
	if err != nil || len(list.Memories) != 2 {
		t.Errorf("%d beliefs are listed, %v, want the superseded one left out", len(list.Memories), err)
	}
}

// What was imported replaces nothing that a person stands up for.
func TestAnImportReplacesOnlyImports(t *testing.T) {
	e := newEngine(t)
	first := `{"stack_id":"a","beliefs":[{"id":"1","statement":"old","created_at":"x"}],"episodes":[]}`
	second := `{"stack_id":"a","beliefs":[{"id":"2","statement":"new","supersedes":"1"}],"episodes":[]}`
	take := func(data string) {
		t.Helper()
		found := readOther(t, Source{Path: "-", In: strings.NewReader(data), Held: e.Held})
		if _, err := e.Ingest(t.Context(), found.Records, nil); err != nil {
			t.Fatal(err)
		}
	}
	take(first)
	held, err := e.Held(t.Context(), "kernle:a:belief:1")
	if err != nil {
		t.Fatal(err)
	}
	old := held["kernle:a:belief:1"].String()
	owner, err := e.As(engine.Caller{Origin: memory.OriginOwner})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Approve(t.Context(), api.DecideRequest{Refs: []string{old}}); err != nil {
		t.Fatal(err)
	}
	take(second)
	if m, err := e.Show(t.Context(), api.RefRequest{Ref: old}); err != nil || m.SupersededBy != "" {
		t.Errorf("what a person approved is superseded by %q, %v", m.SupersededBy, err)
	}
}

// A bad file is one line that names the row, and gives no record.
func TestBadOthers(t *testing.T) {
	for _, tt := range []struct{ format, content, want string }{
		{
			FormatGraph,
			`{"type":"entity","name":"a","observations":["x"]}` + "\n" + `{"type":"entity","name":"b"}`,
			"line 2: observations",
		},
		{FormatGraph, `{"type":"relation","from":"a","relationType":"x"}`, "line 1: to: is missing"},
		{FormatGraph, `{"type":"thing"}`, "line 1: type"},
		{FormatGraph, `not json`, "broken at byte 0"},
		{
			FormatGraph,
			`{"type":"entity","name":1e400,"observations":["x"],"deep":` + strings.Repeat("[", 20000) + `}`,
			"exceeded max depth",
		},
		{FormatMem0, "{\n\"results\": [{\"id\": \"1\"}]}", "result 1: memory: is missing"},
		{FormatMem0, "{\n\"results\": [\n}", "broken at byte 15"},
		{
			FormatMem0, `{"results":[{"id":"1","memory":"a"},{"id":"1","memory":"b"}]}`,
			"result 2: result 1 has the same ID and other content",
		},
		{FormatMem0, `{"results":[{"id":{},"memory":"a"}]}`, "result 1: id: must be a text"},
		{FormatMem0, `{"x":1}`, "none of results, memories"},
		{FormatKernle, `{"beliefs":[{"id":"1","statement":"s","confidence":7}]}`, "beliefs, entry 1: confidence"},
		{FormatKernle, `{"beliefs":[{"id":"1"}]}`, "beliefs, entry 1: statement: is missing"},
		{FormatKernle, `{"beliefs":[7]}`, "beliefs, entry 1: must be an object"},
		{FormatKernle, `{"beliefs":[{"id":"1","statement":"s","derived_from":"[broken"}]}`, "beliefs, entry 1: derived_from"},
		{FormatKernle, `{"beliefs":`, "the file ends in the middle"},
		{FormatAlexandria, `{"objects":[{"content":"x"}]}`, "object 1: objectType: is missing"},
		{
			FormatAlexandria, `{"objects":[{"content":"x","objectType":"decision","confidence":"sure"}]}`,
			"object 1: confidence",
		},
		{FormatAlexandria, `{"objects":7}`, "objects: must be a list"},
	} {
		found, err := Read(
			t.Context(),
			Source{Path: "the file", In: strings.NewReader(tt.content), Format: tt.format, Name: "x"},
		)
		for _, wrong := range found.Records {
			err = cmp.Or(err, wrong)
		}
		if err == nil && found.Lost.Broken > 0 {
			err = api.Invalid("the file: %s", found.Lost.Bad[0])
		}
		if err == nil {
			t.Errorf("%s %.60q was taken", tt.format, tt.content)
			continue
		}
		refused(t, err, tt.want)
		if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "the file") {
			t.Errorf("%q is not one line with the file", err)
		}
	}
}

// A database that means harm is refused, or read for what it is.
func TestHostileDatabases(t *testing.T) {
	kernle := fixture(t, "kernle.sql")
	forever := `CREATE VIEW %s AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i ` +
		`AS statement, i AS objective FROM n`
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asViews := database(
		t, "views.db", fmt.Sprintf(forever, "beliefs"), fmt.Sprintf(forever, "raw_entries"),
		fmt.Sprintf(forever, "episodes"),
	)
	if got, err := Detect(ctx, asViews); err == nil {
		t.Errorf("views are %q", got)
	}
	notes := database(
		t, "notes.db", kernle, fmt.Sprintf(forever, "notes"),
		`CREATE TABLE "goals""; DROP TABLE beliefs; --" (id TEXT)`,
	)
	if n := len(collect(t, readOther(t, Source{Path: notes, Format: FormatKernle}).Records)); n != 7 {
		t.Errorf("%d records beside a view, want 7", n)
	}
	big := database(t, "big.db", kernle, `UPDATE raw_entries SET blob = hex(zeroblob(600000)) WHERE id = 'r1'`)
	found := readOther(t, Source{Path: big, Format: FormatKernle})
	if collect(t, found.Records); found.Lost.LeftOut["too long"] != 1 {
		t.Errorf("a raw that is too long: %+v", found.Lost)
	}
	odd := database(
		t, "odd.db", kernle, `UPDATE raw_entries SET blob = x'00ff41', captured_at = 7 WHERE id = 'r1'`,
		`UPDATE episodes SET lessons = 'plain words', emotional_valence = NULL WHERE id = 'e1'`,
	)
	if n := len(collect(t, readOther(t, Source{Path: odd, Format: FormatKernle}).Records)); n != 7 {
		t.Errorf("%d records of odd types, want 7", n)
	}
	path := database(t, "cut.db", kernle)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{16, 100, 1000, 5000, len(whole) - 4096} {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := Read(ctx, Source{Path: path, Format: FormatKernle})
		if err == nil {
			for _, wrong := range found.Records {
				err = cmp.Or(err, wrong)
			}
			if err == nil && found.Lost.Broken > 0 {
				err = errors.New(found.Lost.Bad[0])
			}
		}
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	// the file and its log stay as they are, and what stands only in the log is read
	logged := database(t, "logged.db", kernle)
	db, err := sql.Open("sqlite", "file:"+logged+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(
		`INSERT INTO raw_entries (id, stack_id, blob, captured_at, local_updated_at) VALUES ('r9', 'ash', 'fresh', 'x', 'x')`,
	); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(logged)
	if n := len(collect(t, readOther(t, Source{Path: logged, Format: FormatKernle}).Records)); n != 8 {
		t.Errorf("%d records with a log, want 8", n)
	}
	if after, _ := os.ReadFile(logged); string(after) != string(before) {
		t.Error("the file was changed")
	}
	if err := os.WriteFile(notes+"-journal", []byte("a super-journal may name any file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(ctx, Source{Path: notes, Format: FormatKernle}); err == nil {
		t.Error("a hot journal was rolled back")
	}
}

// Ids, words, times and confidence of each format, where they belong.
func TestWhatBecomesOfMembers(t *testing.T) {
	all := others(t)
	find := func(name, alias string) api.Foreign {
		t.Helper()
		for _, f := range collect(t, readOther(t, all[name]).Records) {
			if strings.HasPrefix(f.Alias[0], alias) {
				return f
			}
		}
		t.Fatalf("%s has no %s", name, alias)
		return api.Foreign{}
	}
	confidence := func(f api.Foreign) float64 {
		if f.Meta.Confidence == nil {
			return -1
		}
		return *f.Meta.Confidence
	}
	ada := find("memory.jsonl", "mcp-memory:x:Ada:")
	if !slices.Equal(ada.Meta.About, []string{"Ada"}) || !slices.Equal(ada.Meta.Tags, []string{"person"}) {
		t.Errorf("an observation: %+v", ada)
	}
	arjun := find("mem0.json", "mem0:0b9ab5a2-5c1c-4f0e-8a53-3c5d6f1c6a01")
	if n := note(t, arjun); n.Type != "preference" || arjun.Meta.Session != "mem0:r1" ||
		arjun.Meta.ValidFrom != "2025-03-02T16:04:00.123Z" || !strings.Contains(string(arjun.Ext), `"hash"`) {
		t.Errorf("of mem0: %+v %+v", n, arjun)
	}
	b1 := find("kernle database", "kernle:ash:belief:b1")
	if confidence(b1) != 0.8 || !strings.Contains(string(b1.Ext), `"confidence_history":[{"new":0.8`) ||
		b1.Meta.ValidFrom != "2026-01-11T00:00:00.000Z" || !strings.Contains(string(b1.Ext), "kernle:ash:note:gone") {
		t.Errorf("a belief of Kernle's: %+v %s", b1, b1.Ext)
	}
	r1 := find("kernle database", "kernle:ash:raw:r1")
	if raw(t, r1).OccurredAt.String() != "2026-01-10T14:30:00.000Z" {
		t.Errorf("a raw of Kernle's: %+v", raw(t, r1))
	}
	m1 := find("alexandria database", "alexandria:m1")
	if confidence(m1) != 0.9 || !strings.Contains(string(m1.Ext), "code_refs") ||
		!strings.Contains(string(m1.Ext), `"reviewStatus":"approved"`) {
		t.Errorf("an object of Alexandria's: %+v %s", m1, m1.Ext)
	}
	if low := find(
		"alexandria.json",
		"alexandria:"+digestOf("FTS5 needs special characters escaped", "known_fix", "2026-01-11T10:00:00.000Z"),
	); confidence(low) != 0.3 || !slices.Equal(low.Meta.Tags, []string{"stale"}) {
		t.Errorf("a stale object: %+v", low)
	}
	if f, err := sure("medium"); err != nil || *f != 0.6 {
		t.Errorf("medium is %v, %v", f, err)
	}
	caching := find("vault", "obsidian:x/Caching.md")
	if !slices.Equal(caching.Meta.About, []string{"Ada", "Redis", "caches"}) ||
		!slices.Equal(
			caching.Meta.Tags, []string{"api", "decision-log", "performance"},
		) || caching.Meta.ValidFrom != "2025-03-02T00:00:00.000Z" || !strings.Contains(
		string(caching.Ext), `"status":"evergreen"`,
	) {
		t.Errorf("a note of a vault: %+v %s", caching.Meta, caching.Ext)
	}
	water := find(
		"basic",
		"basic-memory:coffee/coffee-brewing-methods:observation:"+digestOf(
			"decision", "Water at 205°F extracts best #brewing (from trial)",
		),
	)
	if n := note(t, water); n.Type != "decision" || n.Summary != "Water at 205°F extracts best #brewing" ||
		!strings.Contains(string(water.Ext), `"context":"from trial"`) {
		t.Errorf("an observation of Basic Memory: %+v %s", n, water.Ext)
	}
}

// Instructions are told apart by their words and sections; our own are not taken.
func TestInstructions(t *testing.T) {
	var got []string
	for _, f := range collect(t, readOther(t, others(t)["CLAUDE.md"]).Records) {
		n := note(t, f)
		got = append(got, n.Type+": "+strings.ReplaceAll(memory.Words(f.Body), "\n", "/"))
	}
	want := []string{
		"environment: `make test` runs all tests", "environment: `make dev` starts a server",
		"preference: Prefer small functions/Prefer small functions/  over clever ones", "constraint: Never commit to main",
		"convention: Names are plain words.", "decision: Sessions live in Redis.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// No input of any format does more than fail.
func FuzzOthers(f *testing.F) {
	for i, name := range []string{"memory.jsonl", "mem0.json", "kernle.json", "alexandria.json"} {
		f.Add(uint8(i), fixture(f, name))
	}
	f.Add(
		uint8(2),
		`{"stack_id":"a","beliefs":[{"id":"1","statement":"s","derived_from":["belief:1","belief:2"]},{"id":"2",`+
			`"statement":"t","derived_from":["1"],"supersedes":"1"}]}`,
	)
	formats := []string{FormatGraph, FormatMem0, FormatKernle, FormatAlexandria}
	f.Fuzz(func(t *testing.T, n uint8, content string) {
		found, err := Read(
			t.Context(),
			Source{Path: "f", In: strings.NewReader(content), Format: formats[int(n)%len(formats)], Name: "x"},
		)
		if err != nil {
			return
		}
		given := make(map[string]bool)
		for r, err := range found.Records {
			if err != nil {
				return
			}
			for _, source := range r.From {
				if !given[source] {
					t.Errorf("%s stands before its source %s", r.Alias, source)
				}
			}
			given[r.Alias[0]] = true
		}
		if len(given) != found.Total {
			t.Errorf("%d records, promised %d", len(given), found.Total)
		}
	})
}

// No page does more than fail.
func FuzzPages(f *testing.F) {
	for _, name := range []string{"vault/Caching.md", "basic/coffee.md", "CLAUDE.md"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(t.TempDir(), "AGENTS.md")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{FormatMarkdown, FormatBasic, FormatInstructions} {
			if found, err := Read(t.Context(), Source{Path: path, Format: format}); err == nil {
				for range found.Records {
				}
			}
		}
	})
}
