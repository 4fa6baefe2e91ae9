package sim

import (
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/llm"
)

type relation struct {
	Relation   string  `json:"relation"`
	Candidate  *int    `json:"candidate"`
	Confidence float64 `json:"confidence"`
	Reason     string  `json:"reason"`
}

// detect compares the part "new" with the others.
func detect(s Generator, q llm.Question) string {
	numbers := places(q.Parts)
	var now said
	var old []said
	var of []int
	for i, p := range q.Parts {
		if strings.EqualFold(p.Name, "new") {
			now = reads(p.Text)
			continue
		}
		old, of = append(old, reads(p.Text)), append(of, numbers[i])
	}
	best := relation{Relation: "none", Confidence: s.sure(q, 90), Reason: "nothing among these is about the same"}
	for _, rule := range []struct {
		relation string
		sure     int
		reason   string
		holds    func(now, old said) bool
	}{
		{"contradict", 92, "it says the opposite of the same", opposite},
		{"update", 94, "it says that something has changed", changed},
		{"extend", 88, "it adds to what was said of the same", added},
		{"derive", 84, "it concludes from several that are about the same", concludes},
	} {
		found, score, n := -1, 0, 0
		for i, o := range old {
			if strings.EqualFold(o.text, now.text) || !rule.holds(now, o) {
				continue
			}
			n++
			if shared := 1 + now.shared(o); shared > score {
				found, score = i, shared
			}
		}
		if found < 0 || rule.relation == "derive" && n < 2 {
			continue
		}
		best = relation{rule.relation, &of[found], s.sure(q, rule.sure), rule.reason}
		break
	}
	return written(best)
}

// opposite: liked and hated, or said and denied.
func opposite(now, old said) bool {
	if !now.of(old) || now.shared(old) == 0 {
		return false
	}
	if now.has(goodWords) && old.has(badWords) || now.has(badWords) && old.has(goodWords) {
		return true
	}
	return !now.has(changeWords) && now.has(noWords) != old.has(noWords) && now.shared(old) > 1 && sameSubject(now, old)
}

// changed: of the same subject and matter, with a word of change, or only the numbers differ.
func changed(now, old said) bool {
	if !now.of(old) || now.subject == "" || old.subject == "" {
		return false
	}
	if now.has(changeWords) && now.matter(old) {
		return true
	}
	return numbersDiffer(now, old)
}

func added(now, old said) bool {
	return now.of(old) && now.has(alsoWords) && (sameSubject(now, old) || now.shared(old) > 0)
}

func concludes(now, old said) bool { return now.of(old) && now.has(usualWords) && now.matter(old) }

func sameSubject(now, old said) bool { return now.subject != "" && now.subject == old.subject }

// numbersDiffer says whether two texts are the same but for their numbers.
func numbersDiffer(now, old said) bool {
	if len(now.words) != len(old.words) || len(now.words) < 3 {
		return false
	}
	differ := false
	for i, w := range now.words {
		if w == old.words[i] {
			continue
		}
		if !hasDigit(w) || !hasDigit(old.words[i]) {
			return false
		}
		differ = true
	}
	return differ
}

func hasDigit(w string) bool { return strings.IndexFunc(w, unicode.IsDigit) >= 0 }
