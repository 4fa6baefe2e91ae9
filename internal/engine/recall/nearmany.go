package recall

import (
	_ "embed"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
)

// What questions a record may not be near too many of: the last that agents asked here, and before there are enough,
// general ones. It is counted again where a store has grown by one record in a hundred.
const (
	lastAsked  = 500
	leastAsked = 50
	grown      = 100
	askedPage  = 16

	// A record is near a question that is so much nearer than what has nothing to do with it. What is only nearer than
	// the output of tools is not.
	nearQuestion = 0.2

	copiesSeen = 100 // of a text that is said again and again
)

//go:embed questions.txt
var generalQuestions string

// countNearMany counts which records are near too many questions, where the store has grown since.
func (e *Finder) countNearMany(rd *trust.Reading, given llm.Embedder, spaces []store.Space) error {
	em, here := given.(llm.Local)
	if !here {
		return nil // nobody knows what is near to it
	}
	of := 0
	for _, sp := range spaces {
		of += int(sp.Last)
	}
	before, err := e.Core.NearMany(rd, em.Model())
	if err != nil || e.C.ReadOnly || of == 0 || before.Of > 0 && (of-before.Of)*grown < before.Of && of >= before.Of {
		return err
	}
	vecs, err := e.meantBy(rd, em, e.questions())
	if err != nil {
		return err
	}
	nearest := make([][]rank.Candidate, len(vecs))
	for i, vec := range vecs {
		hits, err := e.Nearest(rd, store.Near{Model: em.Model(), Vec: vec, Limit: copiesSeen})
		if err != nil {
			return err
		}
		for _, h := range hits {
			if h.Score >= em.Unrelated()+nearQuestion {
				nearest[i] = append(nearest[i], rank.Candidate{ID: h.ID, Cosine: h.Score, Passage: h.Passage})
			}
		}
	}
	now := core.NearMany{Of: of, IDs: rank.NearMany(nearest)}
	return e.NoteNearMany(rd, em.Model(), before, now)
}

// questions returns those that agents asked last, each once, or general ones.
func (e *Finder) questions() []string {
	if all := e.receipts.Asked(lastAsked); len(all) >= leastAsked {
		return all
	}
	return strings.Split(strings.TrimSpace(generalQuestions), "\n")
}

// meantBy returns the vectors of questions. Those of questions that were asked for the last time are at hand.
func (e *Finder) meantBy(rd *trust.Reading, em llm.Embedder, questions []string) ([][]float32, error) {
	known := &e.Questions
	known.Lock()
	defer known.Unlock()
	if known.Model != em.Model() {
		known.Model, known.Of = em.Model(), nil
	}
	now := make(map[string][]float32, len(questions))
	var out [][]float32
	for len(questions) > 0 {
		page := questions[:min(askedPage, len(questions))]
		questions = questions[len(page):]
		var texts []string
		for _, q := range page {
			if vec, is := known.Of[q]; is {
				now[q] = vec
			} else {
				texts = append(texts, q)
			}
		}
		if len(texts) > 0 {
			vecs, err := em.Embed(rd, llm.Query, texts...)
			if err != nil {
				return nil, err
			}
			for i, vec := range vecs {
				now[texts[i]] = vec
			}
		}
		for _, q := range page {
			if now[q] != nil {
				out = append(out, now[q])
			}
		}
	}
	known.Of = now
	return out, nil
}
