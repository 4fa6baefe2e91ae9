//go:build !race

package sqlstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/eval"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// apart is how far the figures of one database may be from those of SQLite: 3 points.
const apart = 0.03

// How questions are asked: each finds in a way of its own.
const (
	byWords   = "words"
	byVectors = "vectors"
	byBoth    = "words and vectors"
)

const withPgvector = "PostgreSQL with pgvector"

// TestRecallIsTheSame asks the same questions of the same turns in SQLite, in PostgreSQL
// and in PostgreSQL with pgvector.
func TestRecallIsTheSame(t *testing.T) {
	t.Run("made", func(t *testing.T) {
		compare(t, []eval.Conversation{made(600, 120)}, 0.5)
	})
	t.Run("LoCoMo", func(t *testing.T) {
		files := []string{"30.json"}
		if os.Getenv("STEMMA_LONG") != "" {
			files = []string{"26.json", "30.json", "41.json", "42.json", "43.json"}
		}
		var all []eval.Conversation
		for _, name := range files {
			some, err := eval.Read(datasets.File(t, "locomo", name), importers.LoCoMo)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, some...)
		}
		compare(t, all, 0.1)
	})
}

// compare measures conversations in every database there is. least is the recall at 10
// below which the questions would show nothing.
func compare(t *testing.T, all []eval.Conversation, least float64) {
	servers := map[string]string{"PostgreSQL": "STEMMA_TEST_POSTGRES", withPgvector: "STEMMA_TEST_PGVECTOR"}
	for _, way := range []string{byWords, byVectors, byBoth} {
		t.Run(way, func(t *testing.T) {
			want := ask(t, all, way, "", false)
			t.Logf("SQLite: %s", said(want))
			if want.Recall10 < least {
				t.Fatalf("SQLite finds %.3f of the evidence among 10, want %.3f at least", want.Recall10, least)
			}
			for name, variable := range servers {
				t.Run(name, func(t *testing.T) {
					address := os.Getenv(variable)
					if address == "" {
						t.Skipf("%s names no server", variable)
					}
					got := ask(t, all, way, address, name == withPgvector)
					t.Logf("%s: %s", name, said(got))
					for what, of := range map[string]func(eval.Figures) float64{
						"recall at 5":  func(f eval.Figures) float64 { return f.Recall5 },
						"recall at 10": func(f eval.Figures) float64 { return f.Recall10 },
						"recall at 20": func(f eval.Figures) float64 { return f.Recall20 },
						"hits at 1":    func(f eval.Figures) float64 { return f.Hit1 },
						"MRR":          func(f eval.Figures) float64 { return f.MRR },
						"nDCG at 10":   func(f eval.Figures) float64 { return f.NDCG10 },
					} {
						if math.Abs(of(got)-of(want)) > apart {
							t.Errorf("%s is %.3f, on SQLite %.3f", what, of(got), of(want))
						}
					}
				})
			}
		})
	}
}

func said(f eval.Figures) string {
	return fmt.Sprintf("%d questions, R@5 %.3f, R@10 %.3f, R@20 %.3f, hit@1 %.3f, MRR %.3f, nDCG@10 %.3f",
		f.Questions, f.Recall5, f.Recall10, f.Recall20, f.Hit1, f.MRR, f.NDCG10)
}

// ask measures conversations in one database: a server's, or "" for SQLite. With pgvector
// the vectors must have been searched by the server.
func ask(t *testing.T, all []eval.Conversation, way, server string, pgvector bool) eval.Figures {
	t.Helper()
	if pgvector {
		onServer(t, server, nil, "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
	}
	dir, stores := t.TempDir(), 0
	c := engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, "keys")}
	var ready func(context.Context, *engine.Engine) error
	if way != byWords {
		c.Embedder = llmtest.Hashed(384, 1)
		ready = func(ctx context.Context, e *engine.Engine) error {
			_, err := e.Embed(ctx, api.EmbedRequest{})
			return err
		}
	}
	if way == byVectors {
		var hidden hiding
		all, hidden = wordless(all, c.Embedder)
		c.Embedder = hidden
	}
	drop := func() {}
	defer func() { drop() }()
	r, err := eval.Run(t.Context(), all, eval.Options{Ready: ready, Open: func(
		ctx context.Context, clock func() time.Time,
	) (*engine.Engine, error) {
		drop() // that of the conversation before, which is closed
		stores++
		c.Now = clock
		if server == "" {
			return engine.Open(ctx, filepath.Join(dir, fmt.Sprint(stores, ".db")), c)
		}
		in, remove, err := sqlstore.Scratch(ctx, server, rand.Reader)
		if err != nil {
			return nil, err
		}
		drop = func() {
			if pgvector && way != byWords {
				var copied int
				onServer(t, in, &copied, "SELECT count(*) FROM near WHERE vec IS NOT NULL")
				if copied == 0 {
					t.Error("pgvector has no copy of the vectors: we searched ourselves")
				}
			}
			drop = func() {}
			if err := remove(context.WithoutCancel(ctx)); err != nil {
				t.Error(err)
			}
		}
		return engine.Open(ctx, in, c)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) > 0 || (r.Settings.Embedder == "none") != (way == byWords) {
		t.Errorf("asked by %s with the embedder %s: %q", way, r.Settings.Embedder, r.Warnings)
	}
	return r.Search.All
}

// onServer runs a statement on a connection of its own, and reads one number if asked to.
func onServer(t *testing.T, address string, n *int, statement string) {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	delete(config.RuntimeParams, "pool_max_conns") // it is meant for us
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if n != nil {
		err = conn.QueryRow(t.Context(), statement).Scan(n)
	} else {
		_, err = conn.Exec(t.Context(), statement)
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// hiding is an embedder that knows what questions mean which say nothing by their words.
type hiding struct {
	llm.Embedder
	means map[string]string
}

func (h hiding) Embed(ctx context.Context, p llm.Purpose, texts ...string) ([][]float32, error) {
	texts = append([]string(nil), texts...)
	for i, text := range texts {
		if is, ok := h.means[text]; ok {
			texts[i] = is
		}
	}
	return h.Embedder.Embed(ctx, p, texts...)
}

// wordless puts a word that no one said in the place of each question.
func wordless(all []eval.Conversation, e llm.Embedder) ([]eval.Conversation, hiding) {
	h := hiding{e, make(map[string]string)}
	out := append([]eval.Conversation(nil), all...)
	for i := range out {
		out[i].Questions = append([]eval.Question(nil), out[i].Questions...)
		for j := range out[i].Questions {
			q := &out[i].Questions[j]
			word := fmt.Sprintf("qxzv%dx%d", i, j)
			h.means[word], q.Text = q.Text, word
		}
	}
	return out, h
}

// made returns turns of words of which few are common, in sessions, and questions: some
// of the words of a turn and one of another.
func made(turns, questions int) eval.Conversation {
	rnd := mathrand.New(mathrand.NewPCG(1, 1))
	zipf := mathrand.NewZipf(rnd, 1.1, 3, 2999)
	c := eval.Conversation{Name: "made"}
	var texts [][]string
	for i := range turns {
		var text []string
		for range 6 + rnd.IntN(16) {
			text = append(text, fmt.Sprintf("w%dk", zipf.Uint64()))
		}
		texts = append(texts, text)
		c.Records = append(c.Records, api.Foreign{
			Alias: []string{fmt.Sprint("turn:", i)}, Meta: api.Meta{Session: fmt.Sprint("session ", i/20)},
			Body: &memory.Raw{
				Text: strings.Join(text, " "), Source: "import", Event: "turn",
				Speaker: fmt.Sprint("speaker", i%2),
			},
		})
	}
	for range questions {
		i := rnd.IntN(turns)
		var some []string
		for range 3 {
			some = append(some, texts[i][rnd.IntN(len(texts[i]))])
		}
		some = append(some, fmt.Sprintf("w%dk", zipf.Uint64()))
		c.Questions = append(
			c.Questions,
			eval.Question{Text: strings.Join(some, " "), Kind: eval.SingleHop, Evidence: []string{fmt.Sprint("turn:", i)}},
		)
	}
	return c
}
