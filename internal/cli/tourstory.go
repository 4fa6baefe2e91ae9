package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/decisions"
	"github.com/stemma-memory/stemma/internal/ops"
)

// A plot is the decision, and what the tour made of it.
type plot struct {
	decisions.Found
	raw, second string // refs of the captures
	belief      string // rests on the first capture alone
	other       string // rests on both; "" without a second capture
	words       string // of other, or of belief
	file        string // that belief names; "" for none
}

// How long the words of a belief may be, in columns, so that the tour stays on two screens.
const (
	mostFirst  = 120
	mostSecond = 160
)

// walk is the whole tour: the story of the shop, or that of a decision in the current repository where there is one.
func (t *tour) walk(here bool) error {
	var h history
	var why string // here is no story
	if here {
		var err error
		if h, why, err = t.repository(); err != nil {
			return err
		}
	}
	var err error
	if here && why == "" {
		err = t.decision(h)
	} else {
		err = t.shop(why)
	}
	if err == nil {
		t.close()
	}
	return err
}

// decision is the story of a decision in the current repository.
func (t *tour) decision(h history) error {
	t.say("A decision from this repository, and what happens when its source is wrong.")
	t.exports()
	p, err := t.capture(h)
	if err != nil {
		return err
	}
	for _, part := range []func(*plot) error{t.believe, t.trace, t.turn, t.fall, t.given} {
		if err := part(p); err != nil {
			return err
		}
	}
	fmt.Fprintln(&t.out)
	return t.prove(or(p.other, p.belief), p.words)
}

// exports prints how to go on with a store that is kept.
func (t *tour) exports() {
	if t.kept == "" {
		return
	}
	t.typed("export " + shell("XDG_DATA_HOME="+t.dir, "STEMMA_STORE="+filepath.Join(t.dir, storeFile)))
	if t.at == t.dir {
		t.typed("cd " + shell(t.kept))
	}
}

// capture imports the commits, and finds the decision among them.
func (t *tour) capture(h history) (*plot, error) {
	t.section("1. Capture: each commit message becomes a signed record that never changes.")
	if err := t.show(h.steps...); err != nil {
		return nil, err
	}
	refs, err := t.refs()
	if err != nil {
		return nil, err
	}
	p := &plot{Found: h.found, raw: refs[h.found.Decision.Hash]}
	if p.Second != nil {
		p.second = refs[p.Second.Hash]
	}
	if p.raw == "" || p.Second != nil && p.second == "" {
		return nil, errors.New("tour: the import left out a commit of the story")
	}
	return p, t.search(p)
}

// search shows how the commit is found, if one of its queries finds it among the first.
func (t *tour) search(p *plot) error {
	const most = 2
	query, rank, err := t.finds(p.raw, most, p.Decision.Queries())
	if err != nil || rank == 0 {
		return err
	}
	return t.show("search", query, "--limit", fmt.Sprint(rank))
}

// finds returns the query that finds a record first, and where; 0 if none does.
func (t *tour) finds(ref string, most int, queries []string) (query string, rank int, err error) {
	for _, q := range queries {
		var out bytes.Buffer
		if code := t.run(&out, "search", q, "--limit", fmt.Sprint(most), "--json"); code != ops.ExitOK {
			return "", 0, fmt.Errorf("tour: search ended with %d: %s", code, out.String())
		}
		var found api.SearchReply
		if err := json.Unmarshal(out.Bytes(), &found); err != nil {
			return "", 0, fmt.Errorf("tour: search: %w", err)
		}
		i := slices.IndexFunc(found.Results, func(h api.Result) bool { return h.Ref == ref })
		if i >= 0 && (rank == 0 || i+1 < rank) {
			query, rank = q, i+1
		}
		if rank == 1 {
			break
		}
	}
	return query, rank, nil
}

// believe has an agent keep what the commit says.
func (t *tour) believe(p *plot) (err error) {
	t.section("2. Believe: an agent keeps what %s wrote in %s.", author(p.Decision), commit(p.Decision))
	args := []string{"promote", p.raw, "--to", "belief", "-m", p.Decision.Words(mostFirst)}
	before := t.out.Len()
	if p.file = t.fileHere(p.Files); p.file != "" {
		if p.belief, err = t.step(append(args, "--file", p.file)...); err == nil {
			return nil
		}
		t.out.Truncate(before) // a file that no memory can name
		p.file = ""
	}
	p.belief, err = t.step(args...)
	return err
}

// author is who wrote a message, in a few words.
func author(s decisions.Said) string { return line(s.Author, 24) }

func commit(s decisions.Said) string { return "commit " + s.Hash[:min(7, len(s.Hash))] }

// trace shows what the belief rests on.
func (t *tour) trace(p *plot) error {
	if p.file == "" {
		t.section("3. Trace: the exact words, who said them, and when.")
		return t.show("trace", p.belief, "--direction", "backward")
	}
	t.section("3. Trace: the exact words, who said them, when, and the state of the code.")
	if err := t.show("trace", p.belief, "--direction", "backward"); err != nil {
		return err
	}
	return t.show("check", p.belief)
}

// turn adds the second source: the commit that takes the decision back, or another that
// touches the same file.
func (t *tour) turn(p *plot) (err error) {
	p.words = p.Decision.Words(mostFirst)
	if p.Second != nil && p.How != decisions.Near {
		p.words = p.Second.Words(mostSecond)
		did := map[decisions.How]string{
			decisions.Reverts:  "reverts",
			decisions.Replaces: "replaces",
			decisions.Fixes:    "fixes",
		}
		t.section("4. Doubt: %s %s it in %s. The agent revises.", author(*p.Second), did[p.How], commit(*p.Second))
		p.other, err = t.step("revise", p.belief, "-m", p.words, "--from", p.second)
		return err
	}
	t.section("4. Doubt: no later commit takes it back, so suppose that the message is wrong.")
	if p.Second != nil {
		t.say("A second belief describes what two commits did to %s.", p.Files[0])
		p.words = p.Decision.Subject + "; " + p.Second.Subject
		p.other, err = t.step("consolidate", p.raw, p.second, "-m", p.words)
	}
	return err
}

// fall sets the first source aside, and shows what falls with it.
func (t *tour) fall(p *plot) error {
	t.say("A person sets the first source aside (here the tour, with its own keys).")
	reason := "suppose it is wrong"
	if p.Second != nil && p.How != decisions.Near {
		reason = "see " + commit(*p.Second)
	}
	return t.asPerson("quarantine", p.raw, "--reason", reason)
}

func (t *tour) asPerson(args ...string) error {
	t.person = true
	defer func() { t.person = false }()
	return t.show(args...)
}

// given shows what an agent gets meanwhile, and undoes it.
func (t *tour) given(p *plot) error {
	t.section("5. Recall: what an agent gets now. Then undo it.")
	queries := p.Decision.Queries()
	query := queries[0]
	if p.other != "" {
		q, _, err := t.finds(p.other, 1, append(queries, p.Second.Queries()...))
		if err != nil {
			return err
		}
		query = or(q, query)
	}
	if err := t.show("recall", query, "--limit", "3"); err != nil {
		return err
	}
	return t.asPerson("release", p.raw)
}

// section is a heading with a line before it.
func (t *tour) section(format string, args ...any) {
	fmt.Fprintln(&t.out)
	t.say(format, args...)
}

// close says what to do next.
func (t *tour) close() {
	if t.kept == "" {
		fmt.Fprintln(&t.out, "Nothing was kept. To keep the store and its keys: stemma tour --keep DIR")
	} else {
		fmt.Fprintf(&t.out, "The store, keys and files are in %s. To remove them, delete it.\n", clean(t.kept))
	}
	fmt.Fprint(&t.out, "Next: stemma init claude-code (or another agent), or stemma remember 'WORDS'\n"+
		"Docs: https://github.com/stemma-memory/stemma/blob/main/docs/README.md\n")
}
