//go:build !race

package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"
)

// reference finds the first reference to a memory in an answer.
var reference = regexp.MustCompile(`(?:note|belief|episode|value|goal|drive|relationship|playbook):[0-9a-f]{8,64}`)

// A decided is one thing that a person decided, and how others write a thousand like it.
type decided struct {
	name     string
	own      []string // what the person types
	text     string   // the words that must arrive
	question string
	more     map[string]any // members of a line, without its text
	// other is the text of the Nth of the others; it holds the words of the question
	other string
}

var decidedThings = []decided{
	{
		name: "value", own: []string{"value", "Say what was measured before a speed is claimed"},
		text: "Say what was measured before a speed is claimed", question: "what do we value when a speed is claimed",
		more: map[string]any{"kind": "value"}, other: "What do we value when a speed is claimed: claimed speed %d",
	},
	{
		name: "goal", own: []string{"goal", "Ship the parcel importer before the winter sale"},
		text: "Ship the parcel importer before the winter sale", question: "what is the goal for the winter sale",
		more: map[string]any{"kind": "goal"}, other: "What is the goal for the winter sale: winter sale goal %d",
	},
	{
		name: "drive", own: []string{"drive", "thrift", "--focus", "spend less on idle servers", "--intensity", "0.9"},
		text: "spend less on idle servers", question: "what drives us about idle servers",
		more:  map[string]any{"kind": "drive", "focus": []string{"idle servers"}, "intensity": 0.9},
		other: "what drives us about idle servers %d",
	},
	{
		name: "constraint", own: []string{"note", "Never log the card number of a customer", "--type", "constraint"},
		text: "Never log the card number of a customer", question: "may we log the card number",
		more: map[string]any{"kind": "note", "type": "constraint"}, other: "May we log the card number: log card number %d",
	},
	{
		name: "decision", own: []string{"note", "Keep orders in the ledger of Oslo", "--type", "decision"},
		text: "Keep orders in the ledger of Oslo", question: "where do we keep orders",
		more: map[string]any{"kind": "note", "type": "decision"}, other: "Where do we keep orders: keep orders on shelf %d",
	},
	{
		name: "preference", own: []string{"note", "Indent shell scripts with tabs", "--type", "preference"},
		text: "Indent shell scripts with tabs", question: "how to indent shell scripts",
		more:  map[string]any{"kind": "note", "type": "preference"},
		other: "How to indent shell scripts: indent shell scripts by %d",
	},
	{
		name: "convention",
		own:  []string{"note", "Branches of the compiler are named after their ticket", "--type", "convention"},
		text: "Branches of the compiler are named after their ticket", question: "how are branches of the compiler named",
		more:  map[string]any{"kind": "note", "type": "convention"},
		other: "How are branches of the compiler named: compiler branches named %d",
	},
	{
		name: "known fix", own: []string{"note", "Unplug the label printer to clear error E42", "--type", "known_fix"},
		text: "Unplug the label printer to clear error E42", question: "label printer error E42",
		more:  map[string]any{"kind": "note", "type": "known_fix"},
		other: "label printer error E42: printer label error E42 case %d",
	},
	{
		name: "fact", own: []string{"belief", "The depot in Bergen opens at six"},
		text: "The depot in Bergen opens at six", question: "when does the depot in Bergen open",
		more: map[string]any{"kind": "belief"}, other: "When does the depot in Bergen open: depot Bergen open %d",
	},
	{
		name: "person",
		own:  []string{"relationship", "Alice", "--type", "person", "--description", "runs the platform team"},
		text: "runs the platform team", question: "who runs the platform team",
		more:  map[string]any{"kind": "relationship", "type": "person", "description": "platform team: who runs it"},
		other: "Platform team, who runs it: platform team %d",
	},
	{
		name: "playbook",
		own: []string{
			"playbook", "Roll back the label service", "--when", "labels come out blank", "--step", "stop the queue first",
		},
		text: "stop the queue first", question: "labels come out blank",
		more: map[string]any{
			"kind": "playbook", "when": "labels come out blank", "steps": []string{"look at the labels"},
		},
		other: "labels come out blank, come out blank %d",
	},
}

// What a person decided is in the first prompt, in the pack and on the first page of what answers, however many
// newer memories of that kind strangers and agents wrote, and however well those match.
func TestNobodyTakesThePlaceOfWhatIsDecided(t *testing.T) {
	t.Parallel()
	strangers, agents := long("STEMMA_STRANGERS", 60, 1000), long("STEMMA_OWN", 50, 1000)
	dir := t.TempDir()
	ada, ben := newDesk(t, dir, "ada"), newDesk(t, dir, "ben")
	for _, k := range decidedThings {
		ada.own(append(k.own, "--approve")...)
	}
	ada.own("note", "The gateway listens on port 8080", "--type", "decision", "--approve")
	ada.tool("remember", map[string]any{"text": "The gateway listens on port 9090."})

	// half of the strangers' come as the records of another person, half as lines
	var theirs, lines []map[string]any
	for _, k := range decidedThings {
		for i := range strangers {
			l := map[string]any{"text": fmt.Sprintf(k.other, i)}
			for name, v := range k.more {
				l[name] = v
			}
			if i%2 == 0 {
				theirs = append(theirs, l)
			} else {
				lines = append(lines, l)
			}
		}
	}
	ben.importLines("theirs", theirs)
	bundle := filepath.Join(dir, "bundle.jsonl")
	ben.ask("export", bundle)
	ada.ask("import", bundle)
	ada.importLines("lines", lines)
	for _, k := range decidedThings {
		for i := range agents {
			l := map[string]any{"text": fmt.Sprintf(k.other, strangers+i)}
			for name, v := range k.more {
				l[name] = v
			}
			ada.tool("add", l)
		}
	}
	// conflicts among what nobody decided
	for i := range agents {
		ada.tool("remember", map[string]any{"text": fmt.Sprintf("We decided that engine e%d burns %d litres.", i, 7*i)})
	}

	starts := map[string]string{
		"load": ada.ask("load"), "start": ada.start(), "load over MCP": ada.tool("load", nil),
		"recall over MCP": ada.tool("recall", map[string]any{"budget": 2000}),
	}
	all := append(decidedThings[:len(decidedThings):len(decidedThings)], decided{name: "open conflict",
		text: "The gateway listens on port 8080", question: "which port does the gateway listen on"})
	for _, k := range all {
		for name, answer := range starts {
			t.Run(k.name+"/"+name, func(t *testing.T) {
				if !holds(answer, k.text) {
					t.Errorf("%q is not in it: %.3000s", k.text, answer)
				}
			})
		}
		for name, answer := range map[string]string{
			"context":                    ada.ask("context", k.question),
			"context over MCP":           ada.tool("context", map[string]any{"query": k.question}),
			"recall":                     ada.ask("recall", k.question),
			"recall a question over MCP": ada.tool("recall", map[string]any{"query": k.question}),
			"search":                     ada.ask("search", k.question),
			"search with JSON":           ada.ask("search", "--json", k.question),
			"search over MCP":            ada.tool("search", map[string]any{"query": k.question}),
			"recall in 800 tokens":       ada.ask("recall", "--budget", "800", k.question),
		} {
			t.Run(k.name+"/"+name, func(t *testing.T) {
				if !holds(answer, k.text) {
					t.Errorf("%q: %q is not in it: %.3000s", k.question, k.text, answer)
				}
			})
		}
	}
	for name, answer := range starts {
		t.Run("both sides of an open conflict/"+name, func(t *testing.T) {
			if !holds(answer, "gateway listens on port 8080") || !holds(answer, "gateway listens on port 9090") {
				t.Errorf("not both sides: %.3000s", answer)
			}
		})
	}
}

// A correction that a person approved stays first after an agent says the old value again, in the
// same words or in others, as the same kind or as another, and the old value is marked.
func TestACorrectionStaysFirst(t *testing.T) {
	t.Parallel()
	all := long("STEMMA_CORRECTIONS", 16, 40)
	ada := newDesk(t, t.TempDir(), "ada")
	correct := func(ref, text string) {
		ada.types("approve", reference.FindString(ada.types("correct", ref, text)))
	}
	port := func(i, at int) string { return fmt.Sprintf("The service %s listens on port %d", service(i), at+i) }
	for i := range all {
		old, now := port(i, 8000), port(i, 9000)
		switch i % 4 {
		case 0:
			correct(reference.FindString(ada.tool("remember", map[string]any{"text": old + "."})), now)
			ada.tool("remember", map[string]any{"text": old + "."})
		case 1:
			ada.tool("add", map[string]any{"kind": "note", "type": "decision", "text": old})
			ada.types("note", now, "--type", "decision", "--approve")
			ada.tool("remember", map[string]any{"text": old + "."})
		case 2:
			ref := reference.FindString(ada.tool("remember", map[string]any{"text": old + "."}))
			ada.types("approve", ref)
			correct(ref, now)
			ada.tool("remember", map[string]any{"text": fmt.Sprintf("Service %s listens on port %d now.", service(i), 8000+i)})
		case 3:
			ref := reference.FindString(ada.tool("add", map[string]any{"kind": "belief", "text": old}))
			correct(ref, now)
			ada.tool("add", map[string]any{"kind": "belief", "text": old})
		}
	}
	ways := []string{"same words", "another kind", "other words", "added again"}
	first := make(map[string]int)
	for i := range all {
		question := fmt.Sprintf("which port does the service %s listen on", service(i))
		for face, missed := range ada.misses(question, fmt.Sprint(9000+i), fmt.Sprint(8000+i)) {
			if name := face + ", " + ways[i%4]; missed == "" {
				first[name]++
			} else {
				t.Errorf("%s: %q: %s", name, question, missed)
			}
		}
	}
	t.Logf("of %d for each way, the correction is first and what it corrects is marked: %v", all/len(ways), first)
}

// service is a name that shares no beginning with those of others.
func service(i int) string {
	return string([]byte{"bdfgklmprt"[i%10], "aeio"[i/10%4], "nrsl"[i/10%4], "bdfgklmprt"[i*3%10], 'o', 'x'})
}
