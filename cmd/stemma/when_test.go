package main

import (
	"regexp"
	"strings"
	"testing"
)

// Each result over MCP says when it was said or happened, by its own time, and who said it where that is not the agent.
func TestEveryResultSaysWhenAndWho(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	ada.importLines("turns", []map[string]any{
		{
			"id": "1", "text": "The depot in Bergen opens at six.", "speaker": "Ben", "event": "turn",
			"occurred_at": "2024-03-04T09:00:00Z",
		},
		{"id": "2", "kind": "belief", "text": "The depot in Bergen opens at six", "from": []string{"1"}, "via": "promote"},
		{"id": "3", "kind": "note", "type": "decision", "text": "The depot in Bergen sells no fish", "speaker": "Cleo"},
	})
	ada.types("note", "The depot in Bergen has a blue door", "--type", "decision", "--approve")
	ada.tool("remember", map[string]any{"text": "The depot in Bergen burned down once."})
	day := regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)
	for _, question := range []string{
		"depot in Bergen", "when does the depot in Bergen open", "what did Ben say of the depot in Bergen",
	} {
		answer := ada.tool("recall", map[string]any{"query": question})
		got := objects(t, answer)
		if len(got) == 0 {
			t.Errorf("%q gives nothing", question)
		}
		for _, result := range got {
			if !day.MatchString(result) {
				t.Errorf("%q: no date in %s", question, result)
			}
			if strings.Contains(result, "opens at six") && strings.Contains(result, "raw:") {
				if !strings.Contains(result, "2024-03-04") || !strings.Contains(result, "Ben") {
					t.Errorf("%q: not when or who said it: %s", question, result)
				}
			}
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(ada.ask("recall", "depot in Bergen")), "\n") {
		if strings.Contains(line, `"The depot`) && !day.MatchString(line) {
			t.Errorf("no date in %s", line)
		}
	}
}

// While one result bears on the question, none is given that does not.
func TestNothingWeakBesideWhatAnswers(t *testing.T) {
	ada := newDesk(t, t.TempDir(), "ada")
	var lines []map[string]any
	facts := []string{"is kept dry in hall three", "comes by lorry in the morning", "is weighed twice", "goes to the mill"}
	for _, thing := range []string{"wheat", "barley", "maize", "rice", "millet", "oats", "rye", "spelt"} {
		for _, what := range facts {
			lines = append(lines, map[string]any{"kind": "belief", "text": "The " + thing + " " + what})
		}
	}
	ada.importLines("grain", lines)
	ada.tool("remember", map[string]any{"text": "The ferry to Bergen leaves at noon."})
	for _, question := range []string{
		"when does the ferry to Bergen leave", "does the ferry leave in the morning", "ferry Bergen",
	} {
		got := objects(t, ada.tool("recall", map[string]any{"query": question}))
		if len(got) == 0 || !strings.Contains(got[0], "ferry") {
			t.Errorf("%q has first: %.300v", question, got)
		}
		for _, result := range got {
			if strings.Contains(result, "weak") {
				t.Errorf("%q gives %s", question, result)
			}
		}
	}
}
