package mind

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Words by which a belief says that something goes well, or badly, and by which it says
// what to do and what not. Only the first two can be borne out by both outcomes.
var (
	goesWell = fieldSet(`work works worked working safe safely reliable reliably stable robust fast effective easy ` +
		`helps helped improves improved
		pays succeeds succeeded success solves prevents passes good fine smooth smoothly`)
	goesBadly = fieldSet(`fail fails failed failing failure failures break breaks broke broken unsafe unreliable ` +
		`unstable fragile slow hurts risky
		dangerous bad flaky crash crashes crashed error errors wrong`)
	forbidWords = fieldSet(`never avoid don't dont`)
	demandWords = fieldSet(`always must should`)
	denyWords   = fieldSet(
		`not no never without avoid avoided instead isn't aren't wasn't weren't doesn't don't didn't won't can't cannot ` +
			`couldn't hasn't haven't hardly rarely`,
	)
)

func fieldSet(s string) map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// A bearing is what a belief foretells.
type bearing int

const (
	foretellsNothing bearing = iota
	foretellsWell
	foretellsBadly
	forbids
	demands
)

// plainWords are the words of a text in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '\'' || r > 0x7f)
	})
}

// bearingOf reads what a belief foretells. What says two things foretells nothing.
func bearingOf(list []string) bearing {
	var well, badly, deny, forbid, demand int
	for i, w := range list {
		switch {
		case forbidWords[w]:
			forbid++
		case demandWords[w]:
			demand++
		}
		if denyWords[w] {
			deny++
		}
		denied := i > 0 && denyWords[list[i-1]] || i > 1 && denyWords[list[i-2]]
		switch {
		case goesWell[w] && !denied, goesBadly[w] && denied:
			well++
		case goesBadly[w], goesWell[w]:
			badly++
		}
	}
	switch {
	case forbid+demand > 0 && well+badly == 0:
		if forbid > 0 && demand == 0 {
			return forbids
		}
		if forbid == 0 && deny == 0 {
			return demands
		}
	case forbid+demand > 0, well > 0 && badly > 0, deny > 1:
	case well > 0:
		return foretellsWell
	case badly > 0:
		return foretellsBadly
	}
	return foretellsNothing
}

// sameMatter is the part of a belief's terms that an episode must share.
const sameMatter = 0.6

// matterOf returns the terms of a text's subject, without evaluative words.
func matterOf(text string) []string {
	var kept []string
	for _, w := range plainWords(text) {
		if !goesWell[w] && !goesBadly[w] && !forbidWords[w] && !demandWords[w] && !denyWords[w] {
			kept = append(kept, w)
		}
	}
	return words.Query(strings.Join(kept, " "))
}

// speaksOf reports whether an episode's text is about the subject of a belief.
func speaksOf(told, belief string) bool {
	of, terms := matterOf(belief), words.Query(told)
	shared := 0
	for _, t := range of {
		if slices.Contains(terms, t) {
			shared++
		} else if t[0] >= '0' && t[0] <= '9' {
			return false // another number is another matter
		}
	}
	return shared > 1 && float64(shared) >= sameMatter*float64(len(of))
}

// moveByRules says what an episode does to a belief, in plain cases; "" is nothing. An
// outcome speaks where it was given as success or failure, a lesson where it says the
// same, or plainly the contrary.
func moveByRules(past extract.Past, ep, belief evolve.Memory) (effect, reason string) {
	found := make(map[string]string)
	if e, r := outcomeMoves(past, belief.Text); e != "" {
		found[e] = r
	}
	for _, lesson := range past.Lessons {
		if saysSame(lesson, belief.Text) {
			found[reinforces] = core.Or(found[reinforces], "its lesson is the same: "+lesson)
			continue
		}
		ep.Text, ep.Kind, ep.Type = lesson, memory.KindBelief, ""
		if r := evolve.Rules(ep, []evolve.Memory{belief}); r != nil && r.Type == memory.Contradict {
			found[challenges] = core.Or(found[challenges], "its lesson is the contrary: "+lesson)
		}
	}
	if len(found) != 1 {
		return "", "" // it says nothing, or both
	}
	for effect, reason := range found {
		return effect, shorten.To(oneLineOf(reason), core.MostReasonBytes)
	}
	return "", ""
}

func oneLineOf(s string) string { return strings.Join(strings.Fields(s), " ") }

func outcomeMoves(past extract.Past, belief string) (effect, reason string) {
	if past.OutcomeType != "success" && past.OutcomeType != "failure" || !speaksOf(past.Text+" "+past.Outcome, belief) {
		return "", ""
	}
	if slices.ContainsFunc(plainWords(past.Text), func(w string) bool { return denyWords[w] }) {
		return "", "" // what was not done bears nothing out
	}
	well := past.OutcomeType == "success"
	went := "it ended in " + past.OutcomeType
	switch b := bearingOf(plainWords(belief)); {
	case b == foretellsWell && well, b == foretellsBadly && !well, b == forbids && !well, b == demands && well:
		return reinforces, went + ", as the belief has it"
	case b == foretellsWell && !well, b == foretellsBadly && well:
		return challenges, went + ", and the belief has it otherwise"
	}
	return "", ""
}

// saysSame reports whether two sentences have the same words that mean something, and
// deny the same.
func saysSame(a, b string) bool {
	x, y := words.Query(a), words.Query(b)
	if len(x) < 2 || len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	denied := func(s string) (n int) {
		for _, w := range plainWords(s) {
			if denyWords[w] {
				n++
			}
		}
		return n
	}
	return denied(a) == denied(b)
}
