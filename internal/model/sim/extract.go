package sim

import (
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
)

type entity struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type memory struct {
	Kind       string   `json:"kind"`
	Type       string   `json:"type"`
	Text       string   `json:"text"`
	About      []string `json:"about"`
	Confidence float64  `json:"confidence"`
	ValidFrom  *string  `json:"valid_from"`
}

const maxSim = 20 // entities or memories of one answer

var (
	tools = set(
		`go golang python typescript javascript rust java kotlin sql postgresql postgres sqlite redis docker kubernetes ` +
			`git github linux kafka grpc react terraform ollama`,
	)
	before = map[string]string{"at": "organisation", "joined": "organisation", "left": "organisation", "in": "place",
		"to":   "place",
		"from": "place", "near": "place", "project": "project", "with": "person", "by": "person", "called": "topic",
		"about": "topic"}
	dated    = lazy.Regexp(`\b(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b`)
	happened = set(
		`yesterday finished failed deployed fixed shipped released met went tried debugged broke crashed happened visited`,
	)
	wishes = set(`want wants plan plans goal aim aims hope hopes intend intends`)
	bonds  = set(
		`manager colleague friend wife husband partner brother sister mother father boss teammate mentor daughter son ` +
			`neighbour`,
	)
)

// extract takes each sentence for one memory and each name for one entity.
func extract(s Generator, q llm.Question) string {
	answer := struct {
		Entities []entity `json:"entities"`
		Memories []memory `json:"memories"`
	}{[]entity{}, []memory{}}
	known := map[string]bool{}
	for _, p := range q.Parts[:min(1, len(q.Parts))] { // what else there is says when it was said
		for _, sentence := range sentences(p.Text) {
			about := []string{}
			for _, e := range names(sentence) {
				about = append(about, e.Name)
				if !known[e.Name] && len(answer.Entities) < maxSim {
					known[e.Name] = true
					answer.Entities = append(answer.Entities, e)
				}
			}
			if len(answer.Memories) == maxSim {
				break
			}
			m := memory{Text: shorten.To(sentence, mostText), About: about, Confidence: s.sure(q, 85)}
			m.Kind, m.Type = kindOf(reads(sentence))
			if date := dated.Get().FindString(sentence); date != "" {
				m.ValidFrom = &date
			}
			answer.Memories = append(answer.Memories, m)
		}
	}
	return written(answer)
}

// kindOf says what kind of memory a sentence is, and of what type.
func kindOf(s said) (kind, typ string) {
	switch {
	case s.has(set("decided decide chose agreed")):
		return "note", "decision"
	case s.has(wishes):
		return "goal", "outcome"
	case s.has(bonds):
		return "relationship", "person"
	case s.has(goodWords) || s.has(badWords):
		return "belief", "preference"
	case s.has(happened):
		return "episode", "event"
	case s.has(musts):
		return "belief", "principle"
	case len(s.words) > 0 && (s.words[0] == "i" && s.has(set("think believe guess"))):
		return "belief", "opinion"
	}
	return "belief", "fact"
}

// names finds the names in a sentence: words with capitals, and what stands before them says of what kind. The
// first word is one only where the second is none of its own kind: "Alice works", not "The deploy".
func names(sentence string) []entity {
	words := strings.Fields(sentence)
	var found []entity
	for i := 0; i < len(words); i++ {
		w := bare(words[i])
		if !capital(w) || emptyWords[strings.ToLower(w)] {
			continue
		}
		first := i
		for i+1 < len(words) && capital(bare(words[i+1])) && !strings.ContainsAny(words[i][len(words[i])-1:], ",;:") {
			i++
			w += " " + bare(words[i])
		}
		kind := "topic"
		switch {
		case tools[strings.ToLower(w)]:
			kind = "tool"
		case first > 0 && before[strings.ToLower(bare(words[first-1]))] != "":
			kind = before[strings.ToLower(bare(words[first-1]))]
		case first == 0:
			if !verbAfter(words[i+1:]) {
				continue
			}
			kind = "person"
		}
		found = append(found, entity{shorten.To(w, mostName), kind})
	}
	return found
}

// verbAfter says whether a sentence goes on as after a name.
func verbAfter(words []string) bool {
	if len(words) == 0 {
		return false
	}
	w := strings.ToLower(bare(words[0]))
	return matters[w] != "" || goodWords[w] || badWords[w] || changeWords[w] || alsoWords[w] || usualWords[w] ||
		happened[w] || wishes[w] ||
		set("is was has knows says said likes can will does should must and")[w]
}

func bare(word string) string {
	w := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	w, _, _ = strings.Cut(w, "'")
	w, _, _ = strings.Cut(w, "’")
	return w
}

func capital(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r)
	}
	return false
}
