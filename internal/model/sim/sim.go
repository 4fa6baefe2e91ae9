// Package sim has a Generator that answers by rules: the model "sim" of the settings, and a test double.
package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
)

// A Generator is an llm.Generator that needs no model: it answers by plain rules from the content of the parts, the
// same to the byte for the same seed, task, parts, shape and Question.Seed. The instructions are not looked at, nor
// does any word in a text choose the task. It is useful for tests and demonstrations, and fails on demand. The zero
// value works.
//
// What it reads and answers, by task. Every field is there; "from" and "candidate" are numbers of parts, which stand
// at the end of a part's name ("event 3"), or count from 1 where there is none.
//
//	detect       parts "new", "candidate 1", …
//	             {"relation":"none|update|extend|derive|contradict","candidate":int|null,
//	              "confidence":number,"reason":string}
//	extract      one part; others are no text
//	             {"entities":[{"name":string,"kind":"person|organisation|project|place|topic|tool"}],
//	              "memories":[{"kind":"belief|note|episode|relationship|goal","type":string,"text":string,
//	                           "about":[string],"confidence":number,"valid_from":string|null}]}
//	process      parts "event 1", …
//	             {"memories":[{"kind":"episode|note","type":string,"text":string,"outcome":string|null,
//	                           "outcome_type":"success|failure|partial|unknown","lessons":[string],"valence":number|null,
//	                           "arousal":number|null,"from":[int],"confidence":number}]}
//	consolidate  parts "episode 1", …
//	             {"beliefs":[{"text":string,"type":string,"from":[int],"confidence":number}]}
//	revise       parts "episode", "belief 1", …
//	             {"moves":[{"belief":int,"effect":"reinforces|weakens|challenges","step":number,"reason":string}]}
//	identity     parts "belief 1", …
//	             {"suggestions":[{"kind":"value|goal|drive","name":string,"text":string,"type":string,
//	                              "priority":int|null,"intensity":number|null,"from":[int],"confidence":number}]}
//	emotion      one part
//	             {"valence":number|null,"arousal":number|null,"labels":[string],"confidence":number}
type Generator struct {
	Seed    int64
	Answers map[string]func(Generator, llm.Question) string // by task; a task not in it is answered by the plain rules
	// chance of each, 0 to 1; which questions it hits, the seed says
	Faults map[Fault]float64
	Script *Script       // faults of the first calls, in order; nil means none
	Slow   time.Duration // how long Slow takes; 0 means 2 s
}

const (
	mostText = 2000 // bytes of a text in an answer
	mostName = 64   // bytes of a name in an answer
)

// A Fault is a way in which a Generator fails.
type Fault uint8

// The faults.
const (
	Fine      Fault = iota
	Timeout         // no answer before the context ends, or a minute has passed
	Busy            // 429, with a wish to be asked again in a second
	Malformed       // an answer that is no JSON, or not of the shape
	Refusal         // ErrDeclined
	Slow            // the right answer, late
	Cut             // half of the answer
	Two             // two objects
	Extra           // text beside the object
	manyFaults
)

// A Script is a list of faults for the calls to come. It may be used from several goroutines at once.
type Script struct {
	mu     sync.Mutex
	faults []Fault
}

// NewScript returns a script of these faults, Fine for none.
func NewScript(faults ...Fault) *Script { return &Script{faults: faults} }

func (s *Script) next() (Fault, bool) {
	if s == nil {
		return Fine, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return Fine, false
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f, true
}

// busy is the error of Busy.
type busy struct{}

func (busy) Error() string             { return "429 too many requests, as was asked for" }
func (busy) Unwrap() error             { return llm.ErrUnavailable }
func (busy) RetryAfter() time.Duration { return time.Second }

// Model names the seed.
func (s Generator) Model() string { return fmt.Sprintf("sim:%d", s.Seed) }

// Generate answers by the rules, or fails as it is to.
func (s Generator) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, err
	}
	fault, scripted := s.Script.next()
	if !scripted {
		fault = s.fault(q)
	}
	a := llm.Answer{In: model.Asked(q)}
	switch fault {
	case Timeout:
		if err := model.Wait(ctx, time.Minute); err != nil {
			return a, model.Late(err)
		}
		return a, fmt.Errorf("no answer in a minute, as was asked for: %w", llm.ErrUnavailable)
	case Busy:
		return llm.Answer{}, busy{}
	case Refusal:
		a.Refused = true
		return a, llm.ErrDeclined
	case Slow:
		slow := s.Slow
		if slow <= 0 {
			slow = 2 * time.Second
		}
		if err := model.Wait(ctx, slow); err != nil {
			return a, model.Late(err)
		}
	}
	answer := s.Answers[q.Task]
	if answer == nil {
		answer = plain(q.Task)
	}
	if answer == nil {
		return llm.Answer{}, fmt.Errorf("the simulated model knows no task %q: %w", q.Task, llm.ErrRefused)
	}
	a.Text = answer(s, q)
	switch fault {
	case Malformed:
		kinds := []string{
			`{"relation": update`, "I could not say.", "[]", `{"answer":{"as":"asked"}}`, "", "null",
			a.Text + "}", "{\"\xff\":1}",
		}
		a.Text = kinds[s.number(q, "malformed")%uint64(len(kinds))]
	case Cut:
		a.Text, a.Cut = shorten.To(a.Text, len(a.Text)/2), true
	case Two:
		a.Text += "\n" + a.Text
	case Extra:
		a.Text = "Here is what I found:\n" + a.Text
	}
	a.Out = model.Estimate(a.Text)
	return a, nil
}

// fault says how this question fails, if it does.
func (s Generator) fault(q llm.Question) Fault {
	for f := Fine + 1; f < manyFaults; f++ {
		if chance := s.Faults[f]; chance > 0 && s.chance(q, fmt.Sprintf("fault %d", f)) < chance {
			return f
		}
	}
	return Fine
}

// number returns a number that only the seed, the question and what it is for decide.
func (s Generator) number(q llm.Question, what string) uint64 {
	q.Task += "\x00" + what
	sum := digest(q, s.Seed)
	return binary.BigEndian.Uint64(sum[:])
}

// digest is of a seed and all that is asked, but for the instructions.
func digest(q llm.Question, seed int64) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q %q", seed, q.Seed, q.Task, q.Name())
	for _, p := range q.Parts {
		fmt.Fprintf(h, " %d:%s %d:%s", len(p.Name), p.Name, len(p.Text), p.Text)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// chance is number as one of [0, 1).
func (s Generator) chance(q llm.Question, what string) float64 {
	return float64(s.number(q, what)>>11) / (1 << 53)
}

// sure returns a confidence a little below most, as the seed says, in hundredths.
func (s Generator) sure(q llm.Question, most int) float64 {
	return float64(most-int(s.number(q, "sure")%5)) / 100
}

// plain returns the rule of a task, nil if there is none.
func plain(task string) func(Generator, llm.Question) string {
	switch task {
	case llm.Detect:
		return detect
	case llm.Extract:
		return extract
	case llm.Process:
		return process
	case llm.Consolidate:
		return consolidate
	case llm.Revise:
		return revise
	case llm.Identity:
		return identity
	case llm.Emotion:
		return emotion
	}
	return nil
}

var errShape = errors.New("a shape that JSON cannot hold")

// written is an answer as JSON.
func written(answer any) string {
	text, err := json.Marshal(answer)
	if err != nil {
		return errShape.Error() // never: the shapes are below
	}
	return string(text)
}

// places returns the number of each part: that at the end of its name, else its place.
func places(parts []llm.Part) []int {
	numbers := make([]int, len(parts))
	for i, p := range parts {
		numbers[i] = i + 1
		if fields := strings.Fields(p.Name); len(fields) > 1 {
			var n int
			if _, err := fmt.Sscanf(fields[len(fields)-1], "%d", &n); err == nil && n > 0 {
				numbers[i] = n
			}
		}
	}
	return numbers
}
