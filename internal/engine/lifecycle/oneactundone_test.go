package lifecycle_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// current returns the lines of what is current, without words.
func currentLines(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	l, err := e.List(t.Context(), api.ListRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, m := range l.Memories {
		if m.Type != "raw" {
			out = append(out, m.Type+" "+m.Headline)
		}
	}
	slices.Sort(out)
	return out
}

// waitingPrompts returns the prompts that wait.
func waitingPrompts(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	l, err := e.Recent(t.Context(), api.RecentRequest{Waiting: true})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, s := range l.Waiting {
		for _, p := range s.Prompts {
			out = append(out, p.Ref)
		}
	}
	return out
}

// One undo takes back all that a correction did: what it corrected is current again, and so are the twins that went
// with it, and nothing else is changed.
func TestOneUndoRestoresTwins(t *testing.T) {
	const is = "Orders are kept in SQLite."
	for name, correct := range map[string]func(c *talk, old string) error{
		"wrong": func(c *talk, old string) error {
			_, err := c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, Is: "wrong"})
			return err
		},
		"over": func(c *talk, old string) error {
			_, err := c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, Is: "over"})
			return err
		},
		"text": func(c *talk, old string) error {
			_, err := c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, Text: "Orders are kept in PostgreSQL."})
			return err
		},
		"replaces": func(c *talk, old string) error {
			_, err := c.Agent.Remember(c.Context(), api.RememberRequest{
				Text: "Orders are kept in PostgreSQL.", Replaces: []string{old},
			})
			return err
		},
		"by": func(c *talk, old string) error {
			now, _, _ := c.Remembers("Orders are kept in PostgreSQL.")
			_, err := c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, By: now})
			return err
		},
		"by another kind": func(c *talk, old string) error {
			now, err := c.Agent.Add(c.Context(), api.AddRequest{
				Draft: api.Draft{Kind: "note", Type: "decision", Text: "Orders are kept in PostgreSQL."},
			})
			if err == nil {
				_, err = c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, By: now.Ref})
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := talking(t, "s1")
			old, _, _ := c.Remembers(is)
			twin := func(kind string) string {
				r, err := c.Agent.Add(c.Context(), api.AddRequest{
					From: []string{old}, Draft: api.Draft{Kind: "note", Type: kind, Text: is},
				})
				if err != nil {
					t.Fatal(err)
				}
				return r.Ref
			}
			twins := []string{twin("decision"), twin("convention")}
			gone := twin("insight")
			if err := enginetest.Do(c.Agent.Forget(t.Context(), api.ForgetRequest{Refs: []string{gone}})); err != nil {
				t.Fatal(err)
			}
			before := currentLines(t, c.Agent)
			if err := correct(c, old); err != nil {
				t.Fatal(err)
			}
			for _, ref := range twins {
				if show(t, c.Agent, ref).Hidden == "" {
					t.Errorf("the twin %s is current beside the correction", ref)
				}
			}
			u := undo(t, c.Agent)
			for _, ref := range twins {
				if show(t, c.Agent, ref).Hidden != "" || !slices.Contains(u.Of, ref) {
					t.Errorf("after one undo %s is %q; it says %+v", ref, show(t, c.Agent, ref).Hidden, u)
				}
			}
			if show(t, c.Agent, gone).Hidden != "forgotten" {
				t.Error("undo brought back what another act forgot")
			}
			if name == "by" || name == "by another kind" { // what was put in its place is an act of its own
				undo(t, c.Agent)
			}
			if got := currentLines(t, c.Agent); !slices.Equal(got, before) {
				t.Errorf("after undo: %q, want %q", got, before)
			}
			if u = undo(t, c.Agent); u.Of[0] != gone || len(u.Of) != 1 {
				t.Errorf("the next undo: %+v, want the act before: forget of %s", u, gone)
			}
		})
	}
}

// After an undo the prompts wait again of which the command kept words, and those that it settled; what it replaced is
// current again. A later undo and what is said again change nothing of that.
func TestUndoLetsPromptsWaitAgain(t *testing.T) {
	for name, say := range map[string]func(old string, in *api.RememberRequest){
		"alone":    func(string, *api.RememberRequest) {},
		"in place": func(old string, in *api.RememberRequest) { in.Replaces = []string{old} },
		"said already": func(old string, in *api.RememberRequest) {
			in.Text = "Offers go out on Mondays."
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := talking(t, "s1")
			old, _, _ := c.Remembers("Offers go out on Mondays.")
			first := c.Says("user_prompt", "user", "Send our offers to Ada on Tuesdays instead, she asked for it.")
			thanks := c.Says("user_prompt", "user", "Thanks a lot for that!")
			other := c.Says("user_prompt", "user", "Paint the garden fence green, please do.")
			all := []string{first, thanks, other}
			if got := waitingPrompts(t, c.Agent); !slices.Equal(got, all) {
				t.Fatalf("%v wait, want %v", got, all)
			}
			before := currentLines(t, c.Agent)
			found, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Ada offers Tuesdays asked"})
			if err != nil || len(found.Results) == 0 || found.Results[0].Ref != first {
				t.Fatalf("%+v, %v", found, err)
			}
			marks := found.Results[0].Marks
			in := api.RememberRequest{
				Text: "Offers go to Ada on Tuesdays.", From: []string{first}, NotKept: []string{thanks},
			}
			say(old, &in)
			if err := enginetest.Do(c.Agent.Remember(t.Context(), in)); err != nil {
				t.Fatal(err)
			}
			if got := waitingPrompts(t, c.Agent); !slices.Equal(got, []string{other}) {
				t.Errorf("%v wait, want %v", got, other)
			}
			undo(t, c.Agent)
			if got := waitingPrompts(t, c.Agent); !slices.Equal(got, all) {
				t.Errorf("after undo %v wait, want %v", got, all)
			}
			if got := currentLines(t, c.Agent); !slices.Equal(got, before) {
				t.Errorf("after undo %q, want %q", got, before)
			}
			r, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Ada offers Tuesdays asked"})
			if err != nil || len(r.Results) == 0 || r.Results[0].Ref != first ||
				!slices.Equal(r.Results[0].Marks, marks) {
				t.Errorf("the prompt is not found as it was: %+v, %v", r.Results, err)
			}
			if err := enginetest.Do(c.Agent.Remember(t.Context(), in)); err != nil && name != "in place" {
				t.Error(err) // it can be kept again
			}
		})
	}
}

// Ten sessions that keep one prompt at one moment make one memory; the others are answered that it was said again.
func TestOnePromptKeptAtOnce(t *testing.T) {
	for name, from := range map[string]bool{"from the prompt": true, "of their own words": false} {
		t.Run(name, func(t *testing.T) {
			c := engine.Config{
				Origin: memory.OriginAgent, Agent: "coder", Platform: "claude-code", KeyDir: filepath.Join(t.TempDir(), "keys"),
			}
			path := filepath.Join(t.TempDir(), "one.db")
			first := open(t, path, c)
			ref, err := first.Capture(t.Context(), api.CaptureRequest{
				Text: "Send our offers to Ada on Tuesdays.", Source: "hook", Event: "user_prompt", Speaker: "user",
			})
			if err != nil {
				t.Fatal(err)
			}
			const sessions = 10
			var all []*engine.Engine
			for i := range sessions {
				if c.Session = fmt.Sprint("s", i); i%2 == 0 {
					all = append(all, open(t, path, c)) // a store of its own
				} else {
					e, err := first.As(engine.Caller{
						Origin: c.Origin, Agent: c.Agent, Platform: c.Platform, Session: c.Session,
					})
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, e)
				}
			}
			var wait sync.WaitGroup
			replies := make([]api.RememberReply, sessions)
			for i, e := range all {
				wait.Go(func() {
					in := api.RememberRequest{Text: "Offers go to Ada on Tuesdays."}
					if from {
						in.From = []string{ref.Ref}
					}
					r, err := e.Remember(t.Context(), in)
					if err != nil || len(r.Jobs)+len(r.Notes) > 0 {
						t.Errorf("%v, %+v", err, r)
					}
					replies[i] = r
				})
			}
			wait.Wait()
			made, said := 0, 0
			for _, r := range replies {
				made, said = made+len(r.Memories), said+len(r.SaidAgain)
			}
			if got := currentLines(t, first); len(got) != 1 || made != 1 || said != sessions-1 {
				t.Errorf("%q: %d made, %d said again", got, made, said)
			}
		})
	}
}
