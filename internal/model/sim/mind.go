package sim

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/llm"
)

type processed struct {
	Kind        string   `json:"kind"`
	Type        string   `json:"type"`
	Text        string   `json:"text"`
	Outcome     *string  `json:"outcome"`
	OutcomeType string   `json:"outcome_type"`
	Lessons     []string `json:"lessons"`
	Valence     *float64 `json:"valence"`
	Arousal     *float64 `json:"arousal"`
	From        []int    `json:"from"`
	Confidence  float64  `json:"confidence"`
}

// process makes one episode of all events, if they tell how something went, and a note of each decision, rule
// and fix. An event that says nothing is cited by nothing.
func process(s Generator, q llm.Question) string {
	memories := []processed{}
	numbers := places(q.Parts)
	episode := processed{
		Kind: "episode", Type: "session", OutcomeType: "unknown", Lessons: []string{}, From: []int{},
		Confidence: s.sure(q, 85),
	}
	failed, ended := false, false
	for i, p := range q.Parts {
		all := sentences(p.Text)
		if len(all) == 0 {
			continue
		}
		r := reads(p.Text)
		fails, ends := r.has(failWords), r.has(goodEnds)
		if fails || ends {
			failed, ended = failed || fails, ends // the last word on it counts
			episode.From = append(episode.From, numbers[i])
			last := shorten.To(all[len(all)-1], mostText)
			episode.Outcome = &last
		}
		if episode.Text == "" {
			episode.Text = shorten.To(all[0], mostText)
			if len(episode.From) == 0 {
				episode.From = append(episode.From, numbers[i])
			}
		}
		for _, sentence := range all {
			words := reads(sentence)
			note := ""
			switch {
			case words.has(set("decided decide chose agreed")):
				note = "decision"
			case words.has(set("never always must")):
				note = "constraint"
				episode.Lessons = append(episode.Lessons, shorten.To(sentence, mostText))
			case words.has(set("lesson learned should")):
				episode.Lessons = append(episode.Lessons, shorten.To(sentence, mostText))
			case words.has(set("fixed fix")) && failed:
				note = "known_fix"
			}
			if note != "" && len(memories) < maxSim {
				memories = append(memories, processed{Kind: "note", Type: note, Text: shorten.To(sentence, mostText),
					OutcomeType: "unknown",
					Lessons:     []string{}, From: []int{numbers[i]}, Confidence: s.sure(q, 80)})
			}
		}
	}
	episode.Lessons = episode.Lessons[:min(len(episode.Lessons), maxSim)]
	if episode.Outcome != nil {
		valence, arousal := .5, .3
		switch {
		case failed && ended:
			episode.OutcomeType, valence, arousal = "success", .4, .5
		case ended:
			episode.OutcomeType = "success"
		default:
			episode.OutcomeType, valence, arousal = "failure", -.5, .6
		}
		episode.Valence, episode.Arousal = &valence, &arousal
		memories = append([]processed{episode}, memories...)
	}
	return written(map[string]any{"memories": memories})
}

type belief struct {
	Text       string  `json:"text"`
	Type       string  `json:"type"`
	From       []int   `json:"from"`
	Confidence float64 `json:"confidence"`
}

// consolidate makes a belief of the episodes that share at least two words that mean something, two of them at
// least. The belief says what the one with the most in common says.
func consolidate(s Generator, q llm.Question) string {
	beliefs := []belief{}
	numbers := places(q.Parts)
	texts := make([]said, len(q.Parts))
	for i, p := range q.Parts {
		texts[i] = reads(p.Text)
	}
	taken := make([]bool, len(texts))
	for i, t := range texts {
		if taken[i] || len(beliefs) == maxSim {
			continue
		}
		group := []int{i}
		for j := i + 1; j < len(texts); j++ {
			if !taken[j] && t.common(texts[j]) > 1 {
				group = append(group, j)
			}
		}
		if len(group) < 2 {
			continue
		}
		b := belief{Type: "fact", Confidence: s.sure(q, min(60+10*len(group), 90))}
		best := -1
		for _, g := range group {
			taken[g] = true
			b.From = append(b.From, numbers[g])
			for _, sentence := range sentences(q.Parts[g].Text) {
				r := reads(sentence)
				common := 0
				for _, other := range group {
					common += r.common(texts[other])
				}
				if r.has(musts) {
					common += 100 // a lesson before what happened
				}
				if common > best {
					best, b.Text, b.Type = common, shorten.To(sentence, mostText), "fact"
					if r.has(musts) {
						b.Type = "principle"
					}
				}
			}
		}
		beliefs = append(beliefs, b)
	}
	return written(map[string]any{"beliefs": beliefs})
}

type move struct {
	Belief int     `json:"belief"`
	Effect string  `json:"effect"`
	Step   float64 `json:"step"`
	Reason string  `json:"reason"`
}

// revise compares the part "episode" with the beliefs.
func revise(_ Generator, q llm.Question) string {
	moves := []move{}
	numbers := places(q.Parts)
	var episode said
	for _, p := range q.Parts {
		if strings.HasPrefix(p.Name, "episode") {
			episode = reads(p.Text)
		}
	}
	for i, p := range q.Parts {
		b := reads(p.Text)
		if strings.HasPrefix(p.Name, "episode") || episode.common(b) < 2 {
			continue
		}
		m := move{numbers[i], "reinforces", .05, "it went as the belief says"}
		switch {
		case episode.has(goodWords) && b.has(badWords) || episode.has(badWords) && b.has(goodWords) ||
			episode.has(noWords) != b.has(noWords):
			m.Effect, m.Step, m.Reason = "challenges", .2, "it went otherwise than the belief says"
		case episode.has(failWords) && !b.has(failWords):
			m.Effect, m.Step, m.Reason = "weakens", .1, "it failed where the belief says nothing of failing"
		}
		moves = append(moves, m)
	}
	return written(map[string]any{"moves": moves})
}

type suggestion struct {
	Kind       string   `json:"kind"`
	Name       string   `json:"name"`
	Text       string   `json:"text"`
	Type       string   `json:"type"`
	Priority   *int     `json:"priority"`
	Intensity  *float64 `json:"intensity"`
	From       []int    `json:"from"`
	Confidence float64  `json:"confidence"`
}

// identity takes what should always be for values, what is wanted for goals, what is liked for drives.
func identity(s Generator, q llm.Question) string {
	suggestions := []suggestion{}
	numbers := places(q.Parts)
	for i, p := range q.Parts {
		b := reads(p.Text)
		if len(b.all) == 0 || len(suggestions) == maxSim {
			continue
		}
		g := suggestion{
			Name: b.named(), Text: shorten.To(strings.TrimSpace(p.Text), mostText), From: []int{numbers[i]},
			Confidence: s.sure(q, 70),
		}
		switch {
		case b.has(musts) || b.has(set("matters important value values")):
			priority := 50
			g.Kind, g.Type, g.Priority = "value", "core", &priority
		case b.has(wishes):
			priority := 50
			g.Kind, g.Type, g.Priority = "goal", "outcome", &priority
		case b.has(goodWords) || b.has(set("curious learning learn")):
			intensity := .5
			g.Kind, g.Type, g.Intensity = "drive", "curiosity", &intensity
		default:
			continue
		}
		suggestions = append(suggestions, g)
	}
	return written(map[string]any{"suggestions": suggestions})
}

// named makes a name of the first words that mean something.
func (s said) named() string {
	var words []string
	for _, w := range s.words {
		if s.all[stem(w)] && !slices.Contains(words, w) && len(words) < 3 {
			words = append(words, w)
		}
	}
	return shorten.To(strings.Join(words, " "), mostName)
}

// feelings are words and what they feel like.
var feelings = []struct {
	label            string
	valence, arousal float64
	words            map[string]bool
}{
	{"joy", .7, .6, set("happy glad great delighted joy love loved enjoyed wonderful excited")},
	{"relief", .5, .3, set("relieved relief finally solved phew")},
	{"pride", .6, .5, set("proud pride")},
	{"calm", .3, .1, set("calm quiet relaxed")},
	{"frustration", -.5, .6, set("frustrated frustrating annoyed annoying stuck again")},
	{"anger", -.7, .8, set("angry furious hate hated")},
	{"sadness", -.6, .3, set("sad unhappy disappointed disappointing lonely")},
	{"fear", -.6, .8, set("afraid worried scared anxious panicked")},
}

// emotion names what a text says was felt; a text that does not say has none.
func emotion(s Generator, q llm.Question) string {
	answer := struct {
		Valence    *float64 `json:"valence"`
		Arousal    *float64 `json:"arousal"`
		Labels     []string `json:"labels"`
		Confidence float64  `json:"confidence"`
	}{Labels: []string{}, Confidence: s.sure(q, 80)}
	var b strings.Builder
	for _, p := range q.Parts {
		b.WriteString(p.Text)
		b.WriteByte('\n')
	}
	text := reads(b.String())
	for _, f := range feelings {
		if !text.has(f.words) {
			continue
		}
		if answer.Valence == nil {
			answer.Valence, answer.Arousal = &f.valence, &f.arousal
		}
		answer.Labels = append(answer.Labels, f.label)
	}
	return written(answer)
}
