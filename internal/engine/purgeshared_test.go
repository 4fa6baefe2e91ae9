package engine_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// rowsWith names the tables of a store in whose rows words stand.
func rowsWith(t *testing.T, spec string, words ...string) (out []string) {
	t.Helper()
	db, err := sql.Open("pgx", spec)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil || len(tables) < 10 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, name := range tables {
		for _, w := range words {
			for form, b := range formsOf(w) {
				// bytes are shown in hex, text as it is
				const query = " x WHERE position($1 IN x::text) > 0 OR position(encode($2, 'hex') IN x::text) > 0"
				var n int
				text := string(b)
				if !utf8.Valid(b) || strings.Contains(text, "\x00") {
					text = "in bytes alone"
				}
				if err := db.QueryRow("SELECT count(*) FROM "+name+query, text, b).Scan(&n); err != nil {
					t.Fatal(err)
				}
				if n > 0 {
					out = append(out, name+": "+w+" as "+form)
				}
			}
		}
	}
	return out
}

// Two machines share one store. What is purged by one leaves the tables, and the receipts
// of the other once it reads on, also if it was not running then.
func TestAPurgeReachesWhoSharesAStore(t *testing.T) {
	t.Parallel()
	for name, spec := range stores {
		if name == "mem" {
			continue // of one process
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, spec, keys := t.Context(), spec(t), filepath.Join(t.TempDir(), "keys")
			machine := func(dir string, origin memory.Origin) *engine.Engine {
				c := engine.Config{
					KeyDir: keys, Origin: origin, Data: dir, Cache: filepath.Join(dir, "cache"),
					Receipts: filepath.Join(dir, "receipts.jsonl"),
					Embedder: llmtest.Hashed(64, 1),
				}
				return open(t, spec, c)
			}
			here, running, asleep := t.TempDir(), t.TempDir(), t.TempDir()
			owner := machine(here, memory.OriginOwner)
			ref := add(t, owner, "belief", plantedText)
			if _, err := owner.Embed(ctx, api.EmbedRequest{}); err != nil {
				t.Fatal(err)
			}
			awake := machine(running, memory.OriginAgent)
			once := machine(asleep, memory.OriginAgent)
			for _, e := range []*engine.Engine{awake, once} {
				search(t, e, api.SearchRequest{Query: plantedAsked})
				if _, err := e.Receipts(ctx, api.ReceiptsRequest{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := once.Close(); err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{running, asleep} {
				if len(filesHolding(t, dir, plantedPlain)) == 0 {
					t.Fatal("nothing spread")
				}
			}
			if name == "postgres" && len(rowsWith(t, spec, plantedPlain)) == 0 {
				t.Fatal("the words are not found in the tables")
			}
			if _, err := owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}}); err != nil {
				t.Fatal(err)
			}
			if name == "postgres" {
				if in := rowsWith(t, spec, plantedPlain, plantedHard, plantedAsked); len(in) > 0 {
					t.Errorf("the words stand in the tables\n%s", strings.Join(in, "\n"))
				}
			}
			search(t, awake, api.SearchRequest{Query: "herons"})
			if err := awake.Close(); err != nil {
				t.Fatal(err)
			}
			if err := machine(asleep, memory.OriginAgent).Close(); err != nil {
				t.Fatal(err)
			}
			for what, dir := range map[string]string{
				"of the one that was running": running, "of the one that was not": asleep, "here": here,
			} {
				if in := filesHolding(t, dir, plantedPlain, plantedHard); len(in) > 0 {
					t.Errorf("%s: the words stand in\n%s", what, strings.Join(in, "\n"))
				}
			}
			if raw, err := os.ReadDir(filepath.Join(asleep, "purged")); err != nil || len(raw) != 1 {
				t.Errorf("how far it was swept is not remembered: %v", err)
			}
		})
	}
}
