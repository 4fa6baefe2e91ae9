//go:build !race

package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// small is more bytes than a budget of 100 tokens can be, by any vocabulary, in prose and in letters without blanks.
const small = 1000

// budgetOf is 100 tokens, and more for a pack over MCP, where one entry with all its members takes about 100.
func budgetOf(face string) int {
	if face == "context over MCP" {
		return 400
	}
	return 100
}

// A memory of a million bytes is cut around what answers, within the budget, and the answer says how much there is.
func TestAMillionBytesInAHundredTokens(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	// herons is so many bytes of prose with the sentence that answers at three quarters of it
	herons := func(size int) string {
		var b strings.Builder
		for i, told := 0, false; b.Len() < size; i++ {
			fmt.Fprintf(&b, "On day %d the herons stood in the reeds and nothing else was seen. ", i)
			if !told && b.Len() > size/4*3 {
				told = true
				b.WriteString("The otter gate has the code 4711. ")
			}
		}
		return b.String()
	}
	ada.importLines("long", []map[string]any{
		{"id": "1", "text": herons(1_000_000), "speaker": "Ben", "event": "turn"},
		{
			"id": "2", "kind": "note", "type": "decision", "text": "What was seen at the otter gate",
			"description": herons(60_000),
		},
	})
	question := "which code has the otter gate"
	for name, ask := range map[string]func() string{
		"recall":           func() string { return ada.ask("recall", "--budget", "100", question) },
		"context":          func() string { return ada.ask("context", "--budget", "100", question) },
		"recall over MCP":  func() string { return ada.tool("recall", map[string]any{"query": question, "budget": 100}) },
		"context over MCP": func() string { return ada.tool("context", map[string]any{"query": question, "budget": 400}) },
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			got := ask()
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if most := small * budgetOf(name) / 100; len(got) > most {
				t.Errorf("%d bytes in a budget of %d tokens", len(got), budgetOf(name))
			}
			if !holds(got, "The otter gate has the code 4711") {
				t.Errorf("the sentence that answers is not in it: %.600s", got)
			}
			if !strings.Contains(got, "…") {
				t.Errorf("it does not show that something is missing: %.600s", got)
			}
		})
	}
}

// While budget is free, entries are given whole.
func TestABudgetThatIsLargerThanTheStore(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	var texts []string
	for _, thing := range []string{"heron", "otter", "beaver"} {
		var b strings.Builder
		for n := range 60 {
			fmt.Fprintf(&b, "Rule %d of the %s gate counts for the %s alone. ", n, thing, thing)
		}
		text := strings.TrimSpace(b.String())
		ada.types("note", "Rules of the "+thing+" gate", "--type", "decision", "--body", text, "--approve")
		texts = append(texts, text)
	}
	for name, got := range map[string]string{
		"load":             ada.ask("load", "--budget", "50000"),
		"context":          ada.ask("context", "--budget", "50000", "which rules has the gate"),
		"recall":           ada.ask("recall", "--budget", "50000", "which rules has the gate"),
		"recall over MCP":  ada.tool("recall", map[string]any{"query": "which rules has the gate", "budget": 50000}),
		"context over MCP": ada.tool("context", map[string]any{"query": "which rules has the gate", "budget": 50000}),
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range texts {
				if !holds(got, text) {
					t.Errorf("%.40q… is not whole: %.600s", text, got)
				}
			}
		})
	}
}

// Two decisions that contradict each other and are both approved are both given, and each is marked.
func TestTwoApprovedDecisionsContradict(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	for _, port := range []string{"8080", "9090"} {
		answer := ada.types("remember", "We decided that the gateway listens on port "+port+".", "--json")
		ada.types("approve", reference.FindString(answer))
	}
	for name, answer := range map[string]string{
		"recall":          ada.ask("recall", "--json", "which port does the gateway listen on"),
		"recall over MCP": ada.tool("recall", map[string]any{"query": "which port does the gateway listen on"}),
		"search":          ada.ask("search", "--json", "which port does the gateway listen on"),
	} {
		t.Run(name, func(t *testing.T) {
			var of9090, of8080 bool
			for i, e := range entries(t, answer) {
				if strings.HasPrefix(e.Ref, "raw:") {
					continue
				}
				of9090 = of9090 || strings.Contains(e.Text, "9090")
				of8080 = of8080 || strings.Contains(e.Text, "8080")
				if !strings.Contains(strings.Join(append(e.Marks, e.Mark), " "), "contradicts") {
					t.Errorf("result %d, %q, does not say that it is contradicted: %v %q", i+1, e.Text, e.Marks, e.Mark)
				}
			}
			if !of9090 || !of8080 {
				t.Errorf("not both: %s", answer)
			}
		})
	}
	for name, answer := range map[string]string{
		"load": ada.ask("load"), "start": ada.start(), "context": ada.ask("context", "which port does the gateway listen on"),
	} {
		t.Run(name, func(t *testing.T) {
			if !holds(answer, "port 8080") || !holds(answer, "port 9090") || !holds(answer, "contradicts") {
				t.Errorf("not both, or not said that they contradict: %s", answer)
			}
		})
	}
}

// Of a thousand constraints, an answer gives what fits and says how many it leaves out, and why.
func TestAThousandConstraints(t *testing.T) {
	t.Parallel()
	const all = 1000
	ada := newDesk(t, t.TempDir(), "ada")
	var refs []string
	for i := range all {
		text := fmt.Sprintf("Pump %d is never run without water in pipe %d", i, i+1)
		made := ada.tool("add", map[string]any{"kind": "note", "type": "constraint", "text": text})
		refs = append(refs, reference.FindString(made))
	}
	for len(refs) > 0 {
		n := min(200, len(refs))
		ada.types(append([]string{"approve"}, refs[:n]...)...)
		refs = refs[n:]
	}
	rule := regexp.MustCompile(`Pump \d+ is never run without water in pipe \d+`)
	left := regexp.MustCompile(`(\d+) constraints?`)
	for name, answer := range map[string]string{
		"load": ada.ask("load"), "start": ada.start(), "load in 500 tokens": ada.ask("load", "--budget", "500"),
		"context": ada.ask("context", "may the pump run"),
	} {
		t.Run(name, func(t *testing.T) {
			given := len(rule.FindAllString(answer, -1))
			_, omitted, _ := strings.Cut(answer, "left out")
			m := left.FindStringSubmatch(omitted)
			if m == nil {
				t.Fatalf("%d given, and not said how many are left out: …%s", given, answer[max(0, len(answer)-400):])
			}
			if n, _ := strconv.Atoi(m[1]); given == 0 || given+n != all {
				t.Errorf("%d given and %d left out, of %d", given, n, all)
			}
			if !strings.Contains(omitted, "budget") {
				t.Errorf("not said why: %s", omitted)
			}
		})
	}
}

// The first readings of a store, before it has an index of its words, give what was decided.
func TestAStoreWithoutAnIndexYet(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	ada.types("note", "Keep orders in the ledger of Oslo", "--type", "decision", "--approve")
	var lines []map[string]any
	for i := range 5000 {
		lines = append(lines, map[string]any{"text": fmt.Sprintf("Where do we keep orders: keep orders on shelf %d", i)})
	}
	ada.importLines("shelves", lines)
	answers := make([]string, 4)
	var wait sync.WaitGroup
	question := "where do we keep orders"
	for i, args := range [][]string{{"recall", question}, {"context", question}, {"search", question}, {"load"}} {
		wait.Go(func() {
			out, err := ada.command("stemma", args...).Output()
			if err != nil {
				t.Errorf("stemma %q: %v", args, err)
			}
			answers[i] = string(out)
		})
	}
	wait.Wait()
	for i, name := range []string{"recall", "context", "search", "load"} {
		if !holds(answers[i], "Keep orders in the ledger of Oslo") {
			t.Errorf("%s: %.1500s", name, answers[i])
		}
	}
}

// A word of 100,000 letters, in a question or in a memory, takes no more than the budget.
func TestAWordOfAHundredThousandLetters(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	var b strings.Builder
	for n := uint32(1); b.Len() < 100_000; n = n*1664525 + 1013904223 {
		b.WriteByte("abcdefghijklmnopqrstuvwxyz"[n>>24%26])
	}
	word := b.String()
	ada.types("note", "Keep orders in the ledger of Oslo", "--type", "decision", "--approve")
	ada.tool("remember", map[string]any{"text": "The anchor of the ferry has the code 4711. Its key is " + word + "."})
	ada.tool("capture", map[string]any{"text": word})
	ada.tool("capture", map[string]any{"text": "The anchor of the ferry " + word})
	for name, got := range map[string]string{
		"recall":           ada.ask("recall", "--budget", "100", "code of the anchor of the ferry"),
		"context":          ada.ask("context", "--budget", "100", "code of the anchor of the ferry"),
		"recall over MCP":  ada.tool("recall", map[string]any{"query": "code of the anchor of the ferry", "budget": 100}),
		"context over MCP": ada.tool("context", map[string]any{"query": "code of the anchor of the ferry", "budget": 400}),
	} {
		t.Run(name, func(t *testing.T) {
			if most := small * budgetOf(name) / 100; len(got) > most {
				t.Errorf("%d bytes in a budget of %d tokens", len(got), budgetOf(name))
			}
			if !holds(got, "The anchor of the ferry has the code 4711") {
				t.Errorf("the sentence that answers is not in it: %.600s", got)
			}
		})
	}
	for name, ask := range map[string]func() string{
		"asked by recall":          func() string { return ada.ask("recall", "--budget", "100", word) },
		"asked by context":         func() string { return ada.ask("context", "--budget", "100", word) },
		"asked by recall over MCP": func() string { return ada.tool("recall", map[string]any{"query": word, "budget": 100}) },
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			got := ask()
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if len(got) > small {
				t.Errorf("%d bytes in a budget of 100 tokens", len(got))
			}
		})
	}
}

// After three months of work, the start still shows what was decided. With STEMMA_LONG they are three times as full.
func TestTheStartAfterThreeMonths(t *testing.T) {
	t.Parallel()
	ada := newDesk(t, t.TempDir(), "ada")
	var decisions []string
	for i, what := range strings.Fields("wheat barley maize rice millet oats rye spelt sorghum quinoa teff buckwheat") {
		text := fmt.Sprintf("The %s is kept in hall %d of the depot", what, i+3)
		ada.types("note", text, "--type", "decision", "--approve")
		decisions = append(decisions, text)
	}
	kinds := []map[string]any{
		{"kind": "note", "type": "decision"}, {"kind": "belief"}, {"kind": "episode", "outcome_type": "success"},
		{"kind": "note", "type": "known_fix"}, {"kind": "note", "type": "convention"}, {"kind": "note", "type": "insight"},
	}
	memories, captures := 400, 2800
	if os.Getenv("STEMMA_LONG") != "" {
		memories, captures = 3000, 20_000
	}
	for i := range memories {
		args := map[string]any{"text": fmt.Sprintf("Lorry %d unloads its sacks at gate %d in the %dth week", i, i%17, i%13)}
		for name, v := range kinds[i%len(kinds)] {
			args[name] = v
		}
		ada.tool("add", args)
	}
	var lines []map[string]any
	first := time.Now().AddDate(0, -3, 0)
	for i := range captures {
		at := first.Add(time.Duration(i) * 90 * 24 * time.Hour / time.Duration(captures))
		lines = append(lines, map[string]any{
			"text": fmt.Sprintf("The scale shows %d kilos for lorry %d.", i*7%4001, i%memories), "event": "tool_output",
			"session": fmt.Sprint("day ", i*90/captures), "occurred_at": at.UTC().Format(time.RFC3339),
		})
	}
	ada.importLines("scales", lines)
	for name, answer := range map[string]string{
		"load": ada.ask("load"), "start": ada.start(), "load over MCP": ada.tool("load", nil),
		"recall over MCP": ada.tool("recall", map[string]any{"budget": 2000}),
	} {
		t.Run(name, func(t *testing.T) {
			var got int
			for _, d := range decisions {
				if holds(answer, d) {
					got++
				}
			}
			if got != len(decisions) {
				t.Errorf("%d of %d decisions: %.1500s", got, len(decisions), answer)
			}
		})
	}
	for _, d := range decisions {
		what := strings.Fields(d)[1]
		if got := ada.ask("recall", "where is the "+what+" kept"); !holds(got, d) {
			t.Errorf("%s: %s", what, got)
		}
	}
}

// Readings beside a writer neither cry that the log is another one nor lose the constraints.
func TestReadingsBesideAWriter(t *testing.T) {
	readers, each := 4, long("STEMMA_READINGS", 60, 150)
	ada := newDesk(t, t.TempDir(), "ada")
	ada.types("note", "Never log the card number of a customer", "--type", "constraint", "--approve")
	ada.tool("status", nil)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			n := fmt.Sprint(i)
			text := "The " + rare("what", n) + " of the " + rare("whose", n) + " is " + rare("how", n) + "."
			call := map[string]any{"name": "remember", "arguments": map[string]any{"text": text}}
			if _, err := ada.mcp.call("tools/call", call); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	var cried, lost atomic.Int64
	var wait sync.WaitGroup
	for range readers {
		wait.Go(func() {
			for i := range each {
				verb := [][]string{{"load"}, {"load", "--json"}, {"context", "who may log a card number"}}[i%3]
				c := ada.command("stemma", verb...)
				var told strings.Builder
				c.Stderr = &told
				out, err := c.Output()
				if err != nil {
					t.Errorf("stemma %q: %v: %s", verb, err, told.String())
				}
				if strings.Contains(string(out)+told.String(), "not the one") {
					cried.Add(1)
				}
				if !holds(string(out), "Never log the card number") {
					lost.Add(1)
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	<-done
	if cried.Load() != 0 || lost.Load() != 0 {
		t.Errorf("of %d readings, %d call the log another one, and %d lack the constraint",
			readers*each, cried.Load(), lost.Load())
	}
}
