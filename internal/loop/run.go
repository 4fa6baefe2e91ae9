package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Options say how to measure. All must be set.
type Options struct {
	Program string // the binary to measure
	Dir     string // an empty directory, for the homes
	Getenv  func(string) string
	// Person opens the store of a home with the owner's key, at a time of the scenario.
	Person func(ctx context.Context, data string, at time.Time) (*engine.Engine, error)
	// Tokens counts the tokens of a text as a model reads it.
	Tokens   func(text string) int
	Progress func(done int) // called with the number of steps done
}

// running is one scenario that is run.
type running struct {
	o     Options
	home  *home
	talk  *conversation
	told  string // what the session began with
	acted bool   // something was said or decided since, so that told may be of before
	steps *int
	out   Result

	tells  bool             // the agents tell what is no longer so
	number int              // of the session, from 1
	fresh  map[string]*Step // statements that touch nothing, by the short refs of their memories
	opened map[string]bool  // links that were undecided at some time
}

// Run plays scenarios, each in a home of its own, and returns what was measured: once with agents that do what
// the scenarios say, once with agents that also tell what is no longer so.
func Run(ctx context.Context, all []Scenario, o Options) (Report, error) {
	var out Report
	steps := 0
	for _, as := range []struct {
		tells  bool
		played *Played
	}{{false, &out.Played}, {true, &out.Told}} {
		for i := range all {
			r, err := runOne(ctx, &all[i], o, as.tells, &steps)
			if err != nil {
				return Report{}, err
			}
			as.played.Scenarios = append(as.played.Scenarios, r)
		}
		as.played.All = Sum(as.played.Scenarios)
	}
	return out, nil
}

func runOne(ctx context.Context, s *Scenario, o Options, tells bool, steps *int) (Result, error) {
	dir := filepath.Join(o.Dir, fmt.Sprint(*steps))
	h, err := newHome(o, dir)
	if err != nil {
		return Result{}, fmt.Errorf("loop: %w", err)
	}
	defer os.RemoveAll(dir)
	r := &running{o: o, home: h, steps: steps, tells: tells, out: Result{Scenario: s.Name}}
	r.fresh, r.opened = make(map[string]*Step), make(map[string]bool)
	for i := range s.Sessions {
		r.number = i + 1
		if err := r.session(ctx, &s.Sessions[i]); err != nil {
			return Result{}, fmt.Errorf("%s: session %d: %w", s.File, i+1, err)
		}
	}
	err = r.waiting(ctx, s)
	r.out.weigh()
	return r.out, err
}

// session runs one session from its beginning to its end.
func (r *running) session(ctx context.Context, s *Session) (err error) {
	if r.talk, r.told, err = r.home.begin(ctx, s, r.number); err != nil {
		return err
	}
	r.acted = false
	r.out.Start.Tokens = max(r.out.Start.Tokens, r.o.Tokens(r.told))
	if r.number == 1 {
		if err := r.definitions(ctx); err != nil {
			return err
		}
	}
	for i := range s.Steps {
		r.talk.at = s.At.Add(time.Duration(i) * time.Minute)
		if err := r.step(ctx, &s.Steps[i]); err != nil {
			_ = r.talk.end(ctx)
			return fmt.Errorf("step %d (line %d): %w", i+1, s.Steps[i].Line, err)
		}
		if *r.steps++; r.o.Progress != nil {
			r.o.Progress(*r.steps)
		}
	}
	if err := r.talk.end(ctx); err != nil {
		return err
	}
	_, err = r.links(ctx)
	return err
}

// definitions counts what the definitions of the tools cost in every request to a model.
func (r *running) definitions(ctx context.Context) error {
	list, err := r.talk.agent.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	type definition struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Schema      any    `json:"input_schema"`
	}
	var shown []definition
	for _, t := range list.Tools {
		shown = append(shown, definition{t.Name, t.Description, t.InputSchema})
	}
	text, err := json.Marshal(shown)
	r.out.Tokens.Definitions = r.o.Tokens(string(text))
	return err
}

// step does one step.
func (r *running) step(ctx context.Context, s *Step) error {
	switch s.Do {
	case StepUser:
		told, err := r.talk.hook(ctx, StepUser, map[string]any{"prompt": s.Text})
		r.told += told
		return err
	case StepTool:
		return r.tool(ctx, s)
	case StepRemember:
		r.acted = true
		return r.remember(ctx, s)
	case StepCorrect:
		r.acted = true
		return r.correct(ctx, s)
	case StepApprove, StepReject, StepForget:
		r.acted = true
		return r.decide(ctx, s)
	case StepAsk:
		return r.ask(ctx, s)
	case StepStart:
		r.out.Start.Wanted++
		if says(r.told, s.Text) {
			r.out.Start.Found++
		} else {
			r.miss(s, "the session did not begin with it")
		}
		return nil
	case StepOnce:
		return r.once(ctx, s)
	}
	return fmt.Errorf("unknown step %q", s.Do)
}

func (r *running) miss(s *Step, why string) {
	r.out.Misses = append(r.out.Misses, Miss{Line: s.Line, Step: s.Do, Text: s.Text, Why: why})
}

func (r *running) tool(ctx context.Context, s *Step) error {
	response := map[string]any{"stdout": s.Output, "is_error": s.Fails}
	_, err := r.talk.hook(ctx, StepTool, map[string]any{
		"tool_name": s.Text, "tool_input": map[string]any{"command": s.Input}, "tool_response": response,
	})
	return err
}

// remember has the agent keep a statement, and looks whether a memory of it exists when
// the tool has answered.
func (r *running) remember(ctx context.Context, s *Step) error {
	old, err := r.replaced(ctx, s)
	if err != nil {
		return err
	}
	text, err := r.talk.call(ctx, "remember", map[string]any{"text": s.Text})
	if err != nil {
		return err
	}
	r.out.Kept.Wanted++
	found, err := r.memories(ctx, s.Text)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		r.out.Kept.Found++
	} else {
		r.miss(s, "no memory of it when the tool had answered")
	}
	return r.answered(ctx, s, old, text)
}

// correct has the agent replace what it finds of the old words by the new ones.
func (r *running) correct(ctx context.Context, s *Step) error {
	r.out.Kept.Wanted++
	found, always, err := r.recall(ctx, s.Old)
	if err != nil {
		return err
	}
	for _, f := range append(found, always...) {
		if !strings.HasPrefix(f.Ref, "raw:") && says(f.Text, s.Old) {
			r.out.Kept.Found++
			_, err := r.talk.call(ctx, "correct", map[string]any{"ref": f.Ref, "text": s.Text})
			return err
		}
	}
	// what is not found as a memory is said anew
	r.out.Kept.Wanted--
	return r.remember(ctx, s)
}

// decide is an act of the person about all memories that say the words.
func (r *running) decide(ctx context.Context, s *Step) (err error) {
	r.out.Acts++
	refs, err := r.memories(ctx, s.Text)
	if err != nil {
		return err
	}
	if len(refs) == 0 {
		r.miss(s, "no memory to decide about")
		return nil
	}
	return r.person(ctx, func(e *engine.Engine) error {
		switch s.Do {
		case StepApprove:
			_, err = e.Approve(ctx, api.DecideRequest{Refs: refs})
		case StepReject:
			_, err = e.Reject(ctx, api.DecideRequest{Refs: refs, Reason: "not so"})
		default:
			_, err = e.Forget(ctx, api.ForgetRequest{Refs: refs})
		}
		return err
	})
}

// person does something with the owner's key.
func (r *running) person(ctx context.Context, do func(*engine.Engine) error) error {
	e, err := r.o.Person(ctx, r.home.data, r.talk.at)
	if err != nil {
		return err
	}
	err = do(e)
	if closeErr := e.Close(); err == nil {
		err = closeErr
	}
	return err
}

// memories returns the refs of the current memories, other than captured words, that say
// a text.
func (r *running) memories(ctx context.Context, text string) ([]string, error) {
	var refs []string
	err := r.person(ctx, func(e *engine.Engine) error {
		for _, kind := range memory.Memories() {
			if kind == memory.KindRaw {
				continue
			}
			list, err := e.List(ctx, api.ListRequest{Kind: string(kind), Limit: -1})
			if err != nil {
				return err
			}
			for _, m := range list.Memories {
				said, err := json.Marshal(m.Content)
				if err != nil {
					return err
				}
				if says(m.Headline, text) || says(string(said), text) || says(text, m.Headline) {
					refs = append(refs, m.Ref)
				}
			}
		}
		return nil
	})
	return refs, err
}

// once looks how many memories there are of what was said several times, and how many of
// them wait for a person.
func (r *running) once(ctx context.Context, s *Step) error {
	refs, err := r.memories(ctx, s.Text)
	if err != nil {
		return err
	}
	r.out.Once.Wanted++
	if len(refs) == 1 {
		r.out.Once.Found++
	} else {
		r.miss(s, fmt.Sprintf("%d memories of it", len(refs)))
	}
	return nil
}

// waiting counts what a person is asked to decide when the last session has ended, and what became of links.
func (r *running) waiting(ctx context.Context, s *Scenario) error {
	last := s.Sessions[len(s.Sessions)-1]
	r.talk = &conversation{home: r.home, host: last.Host, at: last.At.Add(time.Hour)}
	links, err := r.links(ctx)
	if err != nil {
		return err
	}
	r.settled(links)
	return r.person(ctx, func(e *engine.Engine) error {
		review, err := e.Review(ctx, api.KindRequest{Limit: -1})
		if err != nil {
			return err
		}
		conflicts, err := e.Conflicts(ctx, api.OpenRequest{Limit: -1})
		r.out.Waiting = len(review.Pending) + len(conflicts.Conflicts) + len(conflicts.Forks)
		return err
	})
}
