package cli

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ops"
)

// sample is what the tour walks through where there is no repository: a made-up
// week of an agent at work.
//
//go:embed sample/session.jsonl
var sample []byte

// tourCommits is how many commits of a repository the tour reads.
const tourCommits = 500

func (a *app) tourCmd() *cobra.Command {
	c := cmd("tour", "See stemma work on this repository, in a temporary store", `Examples:
  stemma tour              the current repository's git history, or a bundled sample
  stemma tour --sample     the bundled sample`)
	c.Args = cobra.NoArgs
	useSample := c.Flags().Bool("sample", false, "use the sample, even inside a repository")
	keep := c.Flags().String("keep", "", "keep the store in this directory")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		t, done, err := a.newTour(cmd.Context(), *keep)
		if err != nil {
			return ran{err}
		}
		defer done()
		return asRan(t.walk(*useSample))
	}
	return c
}

// tour is one walk: every step is a command line, shown and then run as it
// stands on a store of its own.
type tour struct {
	a   *app
	ctx context.Context
	dir string // where its store, its keys and its files are
	at  string // where its steps are taken, if not where we are

	person bool // its steps are a person's; its keys are its own
}

func (a *app) newTour(ctx context.Context, keep string) (*tour, func(), error) {
	if keep != "" {
		if !filepath.IsAbs(keep) { // a place for keys that is not absolute is not heeded
			keep = filepath.Join(a.env.Dir, keep)
		}
		if err := os.MkdirAll(keep, 0o700); err != nil {
			return nil, nil, fmt.Errorf("tour: %w", err)
		}
		if there, err := os.ReadDir(keep); err != nil || len(there) > 0 { // its steps must not be taken with anybody's keys
			return nil, nil, fmt.Errorf("tour: %s is not empty; name an empty or a new directory", keep)
		}
		return &tour{a: a, ctx: ctx, dir: keep}, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "stemma-tour-*")
	if err != nil {
		return nil, nil, fmt.Errorf("tour: %w", err)
	}
	return &tour{a: a, ctx: ctx, dir: dir}, func() { os.RemoveAll(dir) }, nil
}

// A story is what the tour makes of what it captured: two episodes, what they
// have in common, and how that is put better.
type story struct {
	first, second   []string // refs of the raws behind each episode
	one, two        string
	belief, revised string
	lesson          string
	question        string // that the revised belief answers
	here, there     string // how two machines put it while apart
	merged          string // and how both meant it
	rule, file      string // a constraint, and the code it speaks of
}

// walk is the whole tour.
func (t *tour) walk(useSample bool) error {
	s, err := t.capture(useSample)
	if err != nil {
		return err
	}
	t.say("2. Promote: turn captures into episodes. Each episode names its sources.")
	first, err := t.step(append(append([]string{"promote"}, s.first...), "-m", s.one, "--outcome-type", "success",
		"--lesson", s.lesson)...)
	if err != nil {
		return err
	}
	second, err := t.step(append(append([]string{"promote"}, s.second...), "-m", s.two, "--outcome-type", "success")...)
	if err != nil {
		return err
	}
	t.say("3. Consolidate: turn both episodes into a belief. They are its sources.")
	belief, err := t.step("consolidate", first, second, "-m", s.belief, "--confidence", "0.8")
	if err != nil {
		return err
	}
	t.say("4. Revise: replace the belief. Records never change: the new one supersedes the old one.")
	revised, err := t.step("belief", "revise", belief, s.revised, "--confidence", "0.9")
	if err != nil {
		return err
	}
	t.say("5. Trace: where does the belief come from? See the words behind it, with speaker and time.")
	if err := t.show("trace", revised); err != nil {
		return err
	}
	t.say("The other direction: what was made from the first capture?")
	if err := t.show("raw", "show", s.first[0], "--trace"); err != nil {
		return err
	}
	t.say("6. Evidence: list and count the sources, and see what falls if one of them is wrong.")
	if err := t.show("explain", "--evidence", revised); err != nil {
		return err
	}
	if err := t.show("taint", s.second[0]); err != nil {
		return err
	}
	t.say("7. Search: find the belief, and see how its score is computed.")
	if err := t.show("search", s.question, "--limit", "1", "--explain"); err != nil {
		return err
	}
	if err := t.code(s); err != nil {
		return err
	}
	if err := t.trust(revised, s.revised); err != nil {
		return err
	}
	if err := t.mind(); err != nil {
		return err
	}
	if err := t.hands(); err != nil {
		return err
	}
	if err := t.machines(s, revised); err != nil {
		return err
	}
	return t.prove()
}

// mind remembers two things of which the second takes the place of the first, if a
// person says so.
func (t *tour) mind() error {
	t.say("10. Remember: stemma drafts memories from plain words. Contradictions wait for a person.")
	t.person = true // an agent's words would be marked: it was shown what was imported
	defer func() { t.person = false }()
	for _, step := range [][]string{
		{"remember", "Alice works at Acme", "--wait"}, {"remember", "Alice left Acme and joined StartupX", "--wait"},
		{"review", "--conflicts"},
	} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	return nil
}

// code has a constraint name code, and looks whether it holds. The sample's code
// is the tour's own, and changes; in a repository nothing is touched.
func (t *tour) code(s *story) error {
	if s.file == "" {
		return nil
	}
	t.say("8. Code: a memory can name code. stemma pins the bytes of the code and notices a change. " +
		"A rule binds an agent only after a person approves it. Here, the tour is that person.")
	t.person = true
	err := t.show("note", s.rule, "--type", "constraint", "--file", s.file, "--approve")
	t.person = false
	if err != nil {
		return err
	}
	if t.at != "" {
		if err := t.show("check"); err != nil {
			return err
		}
		t.say("Somebody edits that function.")
		if err := t.write(sampleCode, changedCode); err != nil {
			return err
		}
	}
	t.prompt("check", "--all")
	if code := t.run(t.a.env.Stdout, "check", "--all"); code != ops.ExitOK && code != ops.ExitFailed {
		return fmt.Errorf("tour: this step failed with exit code %d", code)
	}
	t.say("An agent gets this context, within a token budget. First: memories to verify, and rules. Then: what a person " +
		"approved, and what was observed. Last: external memories. The tour imported its words, so they are external.")
	return t.show("context", s.rule, "--budget", "200")
}

// The sample's code, before and after.
const (
	sampleCode   = "cart.py"
	codeOfSample = "def load_cart(db, user):\n" +
		"    return db.query(\"select * from items join prices using (sku) where user = ?\", user)\n"
	changedCode = "def load_cart(db, user):\n" +
		"    return [price(db, item) for item in db.query(\"select * from items where user = ?\", user)]\n"
)

var plainName = lazy.Regexp(`^\w[\w.+-]*$`)

func (t *tour) write(name, text string) error {
	if err := os.WriteFile(filepath.Join(t.dir, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	return nil
}

// someFile returns a file of where we are that a memory can speak of, one with a
// name that needs no quotes; "" for none.
func (t *tour) someFile() string {
	entries, _ := os.ReadDir(t.a.env.Dir) // none is none
	found := ""
	for _, e := range entries {
		info, err := e.Info()
		plain := err == nil && e.Type().IsRegular() && info.Size() < 1<<20 && plainName.Get().MatchString(e.Name())
		switch {
		case plain && strings.HasPrefix(e.Name(), "README"):
			return e.Name()
		case plain && found == "":
			found = e.Name()
		}
	}
	return found
}

// capture brings words in and says what to build on them.
func (t *tour) capture(useSample bool) (*story, error) {
	t.say("1. Capture: keep exact words. Each capture is a signed record that never changes.")
	if !useSample {
		s, err := t.repository()
		if s != nil || err != nil {
			return s, err
		}
	}
	const session = "session.jsonl"
	if err := t.write(session, string(sample)); err != nil {
		return nil, err
	}
	if err := t.write(sampleCode, codeOfSample); err != nil {
		return nil, err
	}
	t.at = t.dir
	path := filepath.Join(t.dir, session)
	if err := t.show("import", "jsonl", path); err != nil {
		return nil, err
	}
	if err := t.show("search", "prices query loop", "--limit", "3"); err != nil {
		return nil, err
	}
	raws, err := t.raws("--oldest")
	if err != nil || len(raws) < 8 {
		return nil, fmt.Errorf("tour: the sample has %d raws: %w", len(raws), err)
	}
	return &story{
		first: []string{raws[1].Ref, raws[3].Ref}, second: []string{raws[6].Ref},
		one: "Made the checkout fast again: one query instead of 212", two: "Found the same in the order history",
		lesson: "Profile first", belief: "Pages here get slow when prices are asked for inside a loop",
		revised:  "Asking for prices inside a loop makes pages slow; join them instead",
		here:     "Asking for prices inside a loop makes pages slow; join them instead, up to 1,000 rows",
		there:    "Asking for any row inside a loop makes pages slow; join instead",
		merged:   "Asking for any row inside a loop makes pages slow; join instead, up to 1,000 rows",
		question: "why are pages slow", rule: "The cart is loaded by one query", file: sampleCode + "#load_cart",
	}, nil
}

// repository imports the commits of the repository we stand in; nil where there
// is none, or too little in it.
func (t *tour) repository() (*story, error) {
	var quiet bytes.Buffer
	if t.run(&quiet, "import", "git", ".", "--last", fmt.Sprint(tourCommits)) != 0 {
		return nil, nil
	}
	raws, err := t.raws("--limit", "3")
	if err != nil || len(raws) < 3 {
		return nil, err
	}
	t.prompt("import", "git", ".", "--last", fmt.Sprint(tourCommits))
	fmt.Fprint(t.a.env.Stdout, quiet.String())
	return &story{
		first: []string{raws[0].Ref, raws[1].Ref}, second: []string{raws[2].Ref},
		one: raws[0].Headline, two: raws[2].Headline, lesson: "The words stay as they were; the episode says what they meant",
		belief:   "Work here leaves a trail that can be followed",
		revised:  "Every step of this work can be followed down to the commit that made it",
		here:     "Every step of this work can be followed down to the commit that made it, and who that was",
		there:    "Every step of this work can be followed down to the commit that made it, on any machine",
		merged:   "Every step of this work can be followed down to the commit that made it, and who that was, on any machine",
		question: "which work can be followed", rule: "Whoever changes this file tells the others", file: t.someFile(),
	}, t.show("search", raws[0].Headline, "--limit", "3")
}

func (t *tour) raws(flags ...string) ([]api.Memory, error) {
	var out bytes.Buffer
	if code := t.run(&out, append([]string{"raw", "list", "--json"}, flags...)...); code != 0 {
		return nil, fmt.Errorf("tour: raw list ended with %d", code)
	}
	var list api.ListReply
	err := json.Unmarshal(out.Bytes(), &list)
	return list.Memories, err
}

// prove exports the store, takes it into an empty one and compares.
func (t *tour) prove() error {
	t.say("13. Proof: export the store, import it into an empty one and export again. Then verify every signature.")
	one, two := filepath.Join(t.dir, "one.jsonl"), filepath.Join(t.dir, "two.jsonl")
	other := filepath.Join(t.dir, "second.db")
	for _, step := range [][]string{
		{"export", one}, {"--store", other, "import", one}, {"--store", other, "export", two}, {"--store", other, "doctor"},
	} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	a, err := os.ReadFile(one)
	if err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	b, err := os.ReadFile(two)
	if err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("tour: the two exports differ")
	}
	t.say(fmt.Sprintf("The two exports are the same, byte for byte (%d bytes).", len(a)))
	return nil
}
