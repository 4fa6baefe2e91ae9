package llm

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Sim is a Generator that needs no model: it answers by plain rules from the content of the parts, the same to the
// byte for the same seed, task, parts, shape and Question.Seed. The instructions are not looked
// at, nor does any word in a text choose the task. It is useful for tests and demonstrations,
// and fails on demand. The zero value works.
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
type Sim struct {
	Seed    int64
	Answers map[string]func(Sim, Question) string // by task; a task not in it is answered by the plain rules
	Faults  map[Fault]float64                     // chance of each, 0 to 1; which questions it hits, the seed says
	Script  *Script                               // faults of the first calls, in order; nil means none
	Slow    time.Duration                         // how long SimSlow takes; 0 means 2 s
}

// A Fault is a way in which a Sim fails.
type Fault uint8

// The faults.
const (
	SimFine      Fault = iota
	SimTimeout         // no answer before the context ends, or a minute has passed
	SimBusy            // 429, with a wish to be asked again in a second
	SimMalformed       // an answer that is no JSON, or not of the shape
	SimRefusal         // ErrDeclined
	SimSlow            // the right answer, late
	SimCut             // half of the answer
	SimTwo             // two objects
	SimExtra           // text beside the object
	simFaults
)

// A Script is a list of faults for the calls to come. It may be used from several goroutines at once.
type Script struct {
	mu     sync.Mutex
	faults []Fault
}

// NewScript returns a script of these faults, SimFine for none.
func NewScript(faults ...Fault) *Script { return &Script{faults: faults} }

func (s *Script) next() (Fault, bool) {
	if s == nil {
		return SimFine, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return SimFine, false
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f, true
}

// simBusy is the error of SimBusy.
type simBusy struct{}

func (simBusy) Error() string             { return "429 too many requests, as was asked for" }
func (simBusy) Unwrap() error             { return ErrUnavailable }
func (simBusy) RetryAfter() time.Duration { return time.Second }

// Model names the seed.
func (s Sim) Model() string { return fmt.Sprintf("sim:%d", s.Seed) }

// Generate answers by the rules, or fails as it is to.
func (s Sim) Generate(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	fault, scripted := s.Script.next()
	if !scripted {
		fault = s.fault(q)
	}
	a := Answer{In: q.estimate()}
	switch fault {
	case SimTimeout:
		if err := wait(ctx, time.Minute); err != nil {
			return a, late(err)
		}
		return a, fmt.Errorf("no answer in a minute, as was asked for: %w", ErrUnavailable)
	case SimBusy:
		return Answer{}, simBusy{}
	case SimRefusal:
		a.Refused = true
		return a, ErrDeclined
	case SimSlow:
		slow := s.Slow
		if slow <= 0 {
			slow = 2 * time.Second
		}
		if err := wait(ctx, slow); err != nil {
			return a, late(err)
		}
	}
	answer := s.Answers[q.Task]
	if answer == nil {
		answer = plain(q.Task)
	}
	if answer == nil {
		return Answer{}, fmt.Errorf("the simulated model knows no task %q: %w", q.Task, ErrRefused)
	}
	a.Text = answer(s, q)
	switch fault {
	case SimMalformed:
		kinds := []string{
			`{"relation": update`, "I could not say.", "[]", `{"answer":{"as":"asked"}}`, "", "null",
			a.Text + "}", "{\"\xff\":1}",
		}
		a.Text = kinds[s.number(q, "malformed")%uint64(len(kinds))]
	case SimCut:
		a.Text, a.Cut = cut(a.Text, len(a.Text)/2), true
	case SimTwo:
		a.Text += "\n" + a.Text
	case SimExtra:
		a.Text = "Here is what I found:\n" + a.Text
	}
	a.Out = Estimate(a.Text)
	return a, nil
}

// fault says how this question fails, if it does.
func (s Sim) fault(q Question) Fault {
	for f := SimFine + 1; f < simFaults; f++ {
		if chance := s.Faults[f]; chance > 0 && s.chance(q, fmt.Sprintf("fault %d", f)) < chance {
			return f
		}
	}
	return SimFine
}

// number returns a number that only the seed, the question and what it is for decide.
func (s Sim) number(q Question, what string) uint64 {
	q.Task += "\x00" + what
	sum := q.digest(s.Seed)
	return binary.BigEndian.Uint64(sum[:])
}

// chance is number as one of [0, 1).
func (s Sim) chance(q Question, what string) float64 {
	return float64(s.number(q, what)>>11) / (1 << 53)
}

// sure returns a confidence a little below most, as the seed says, in hundredths.
func (s Sim) sure(q Question, most int) float64 {
	return float64(most-int(s.number(q, "sure")%5)) / 100
}

// plain returns the rule of a task, nil if there is none.
func plain(task string) func(Sim, Question) string {
	switch task {
	case Detect:
		return simDetect
	case Extract:
		return simExtract
	case Process:
		return simProcess
	case Consolidate:
		return simConsolidate
	case Revise:
		return simRevise
	case Identity:
		return simIdentity
	case Emotion:
		return simEmotion
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
func places(parts []Part) []int {
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
