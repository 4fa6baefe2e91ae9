//go:build !race

package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// A form is how a conversation looks: how long its turns are, and who speaks after whom.
type form struct {
	name     string
	turns    int
	words    [2]int // in a turn, at least and at most
	answer   int    // words in the answer of an assistant, that follows each turn; 0 is that there is none
	burst    int    // turns of one speaker in a row
	sessions int    // turns in a session
}

var forms = []form{
	{"chat", 500, [2]int{10, 22}, 0, 1, 20},
	{"transcripts", 250, [2]int{30, 60}, 500, 1, 10},
	{"bursts", 500, [2]int{3, 8}, 0, 4, 40},
}

// The made world: concepts with several words for each, and topics in which concepts are spoken of together. So
// the words of one concept stand in the same company, which is what a model of meaning learns from.
const (
	concepts = 240
	synonyms = 3
	topics   = 48
	inTopic  = 10
)

// madeForm is a conversation of a form and questions that often say with other words what a turn said.
func madeForm(f form, questions int) Conversation {
	rnd := rand.New(rand.NewPCG(7, uint64(f.turns)))
	common := rand.NewZipf(rnd, 1.2, 3, 400)
	said := func(concept, way int) string { return fmt.Sprintf("c%dw%dk", concept, way) }
	topic := make([][]int, topics)
	for i := range topic {
		topic[i] = rnd.Perm(concepts)[:inTopic]
	}
	c := Conversation{Name: f.name}
	type fact struct{ turn, a, b, wayA, wayB int }
	var facts []fact
	text := func(of []int, n, a, wayA, b, wayB int) string {
		out := make([]string, 0, n+2)
		for range n {
			if rnd.IntN(3) == 0 {
				out = append(out, said(of[rnd.IntN(len(of))], rnd.IntN(synonyms)))
			} else {
				out = append(out, fmt.Sprintf("f%dk", common.Uint64()))
			}
		}
		if a >= 0 {
			out[rnd.IntN(len(out))] = said(a, wayA)
			out = append(out, said(b, wayB))
		}
		return strings.Join(out, " ")
	}
	put := func(session int, speaker, words string) int {
		n := len(c.Records)
		c.Records = append(c.Records, api.Foreign{
			Alias: []string{fmt.Sprint("turn:", n)}, Meta: api.Meta{Session: fmt.Sprint("session ", session)},
			Body: &memory.Raw{Text: words, Source: "import", Event: "turn", Speaker: speaker},
		})
		return n
	}
	for i := range f.turns {
		of := topic[(i/f.sessions*7+i/5)%topics]
		pair := rnd.Perm(len(of))
		a, b, wayA, wayB := of[pair[0]], of[pair[1]], rnd.IntN(synonyms), rnd.IntN(synonyms)
		n := f.words[0] + rnd.IntN(f.words[1]-f.words[0]+1)
		turn := put(i/f.sessions, fmt.Sprint("speaker", i/f.burst%2), text(of, n, a, wayA, b, wayB))
		facts = append(facts, fact{turn, a, b, wayA, wayB})
		if f.answer > 0 {
			put(i/f.sessions, "assistant", text(of, f.answer, -1, 0, 0, 0))
		}
	}
	for range questions {
		q := facts[rnd.IntN(len(facts))]
		way := func(way int) int { // half of the words of a question are not those of the turn
			if rnd.IntN(2) == 0 {
				return way
			}
			return rnd.IntN(synonyms)
		}
		c.Questions = append(c.Questions, Question{
			Text: fmt.Sprintf("%s %s f%dk", said(q.a, way(q.wayA)), said(q.b, way(q.wayB)), common.Uint64()),
			Kind: SingleHop, Evidence: []string{fmt.Sprint("turn:", q.turn)},
		})
	}
	return c
}

// trained is a small static model of the meaning of words: each term has a random direction, and means what stands
// around it. It is trained on the texts that it is asked about.
type trained struct {
	of  map[string][]float32
	idf map[string]float64
}

const (
	trainedDims = 256
	around      = 5 // terms on each side
)

func train(texts []string) *trained {
	m := &trained{of: make(map[string][]float32), idf: make(map[string]float64)}
	at := make(map[string]int)
	count := make(map[string]int)
	all := make([][]string, len(texts))
	total := 0
	for i, text := range texts {
		terms := words.Terms(text)
		seen := make(map[string]bool)
		for _, t := range terms {
			if _, has := at[t]; !has {
				at[t] = len(at)
			}
			count[t]++
			total++
			if !seen[t] {
				seen[t] = true
				m.idf[t]++
			}
		}
		all[i] = terms
	}
	for t, n := range m.idf {
		m.idf[t] = math.Log1p(float64(len(texts)) / n)
	}
	random := func(t string) []float32 {
		rnd := rand.New(rand.NewPCG(11, uint64(at[t])))
		v := make([]float32, trainedDims)
		for range 8 {
			v[rnd.IntN(trainedDims)] += float32(rnd.IntN(2)*2 - 1)
		}
		return v
	}
	for _, terms := range all {
		for i, t := range terms {
			v := m.of[t]
			if v == nil {
				v = make([]float32, trainedDims)
				m.of[t] = v
			}
			for j := max(0, i-around); j < min(len(terms), i+around+1); j++ {
				if j == i {
					continue
				}
				by := float32(math.Log1p(float64(total) / float64(count[terms[j]]) / 50))
				for d, x := range random(terms[j]) {
					v[d] += by * x
				}
			}
		}
	}
	for t, v := range m.of {
		if unit, ok := model.Unit(v); ok {
			own, _ := model.Unit(random(t))
			for d := range unit {
				unit[d] += 0.7 * own[d]
			}
			m.of[t] = unit
		}
	}
	return m
}

func (m *trained) Model() string { return "trained" }

func (m *trained) Embed(_ context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		sum := make([]float32, trainedDims)
		for _, t := range words.Terms(text) {
			for d, x := range m.of[t] {
				sum[d] += float32(m.idf[t]*m.idf[t]) * x
			}
		}
		if unit, ok := model.Unit(sum); ok {
			out[i] = unit
		}
	}
	return out, nil
}

// Meaning never makes a search worse than words alone, whatever the form of a conversation, and however little the
// model knows: one hashes letters, one was trained on the few words of the conversation itself.
func TestMeaningDoesNotHurt(t *testing.T) {
	all := make(map[string][]Conversation)
	for _, f := range forms {
		all[f.name] = []Conversation{madeForm(f, 240)}
	}
	for name, conversations := range all {
		t.Run(name, func(t *testing.T) { meaningDoesNotHurt(t, conversations) })
	}
	t.Run("LoCoMo", func(t *testing.T) {
		some, err := Read(datasets.File(t, "locomo", "30.json"), importers.LoCoMo)
		if err != nil {
			t.Fatal(err)
		}
		meaningDoesNotHurt(t, some)
	})
}

// slack is how far recall may be below that of words alone: a few questions of hundreds.
const slack = 0.0125

// meaningDoesNotHurt compares both models with words alone.
func meaningDoesNotHurt(t *testing.T, all []Conversation) {
	var texts []string
	for i := range all {
		for _, f := range all[i].turns() {
			texts = append(texts, memory.Words(f.Body))
		}
	}
	alone := figuresWith(t, all, nil)
	t.Logf("words: R@5 %.3f R@10 %.3f", alone.Recall5, alone.Recall10)
	for _, e := range []llm.Embedder{llmtest.Hashed(384, 1), train(texts)} {
		got := figuresWith(t, all, e)
		t.Logf("%s: R@5 %.3f R@10 %.3f", e.Model(), got.Recall5, got.Recall10)
		if got.Recall10 < alone.Recall10-slack || got.Recall5 < alone.Recall5-slack {
			t.Errorf("%s: R@5 %.3f, R@10 %.3f; words alone %.3f, %.3f", e.Model(), got.Recall5, got.Recall10,
				alone.Recall5, alone.Recall10)
		}
	}
}

// figuresWith measures conversations with a model, or with words alone.
func figuresWith(t *testing.T, all []Conversation, e llm.Embedder) Figures {
	t.Helper()
	dir, stores := t.TempDir(), 0
	r, err := Run(t.Context(), all, Options{
		Ready: func(ctx context.Context, on *engine.Engine) error {
			if e == nil {
				return nil
			}
			_, err := on.Embed(ctx, api.EmbedRequest{})
			return err
		},
		Open: func(ctx context.Context, clock func() time.Time) (*engine.Engine, error) {
			stores++
			return engine.Open(ctx, filepath.Join(dir, fmt.Sprint(stores, ".db")), engine.Config{
				Databases: sqlstore.Databases{},
				KeyDir:    filepath.Join(dir, "keys"), Now: clock, Embedder: e,
			})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Search.All
}
