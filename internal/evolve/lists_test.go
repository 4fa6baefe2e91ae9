package evolve

import (
	"strings"
	"testing"
)

// The file of words has lists that the rules ask for, each with words in it, and none that they do not.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for list, words := range map[string]string{
		"article": "the die les una", "now": "now jetzt maintenant ahora",
		"also": "also auch aussi también", "ended": "no longer|nicht mehr|ya no", "more": "mehr plus",
		"not": "not nicht pas no", "instead": "instead of|statt", "but": "but sondern mais sino",
		"be": "is ist est está", "have": "has hat a tiene", "modal": "can kann peut puede",
		"do": "does will", "he": "he sie elle él", "vague": "it das ça esto", "if": "if wenn si",
		"since": "since seit depuis desde", "time.in": "on am", "weekday": "monday montag lundi lunes",
		"month": "may mai juin enero", "number": "three drei trois tres", "numbered": "port version puerto",
		"verb": "live work", "form": "lives wohnt habite vive", "home": "live in|wohnt in|vive en",
		"job": "work at|arbeitet bei", "change": "moved gezogen déménagé cambió", "left": "left dejó",
		"stop": "stopped arrêté", "replace": "replaced ersetzt remplacé", "takes": "took over|takes over",
		"role": "lead chef", "attribute": "landlord", "sole": "report to|written in", "with": "use",
		"today": "drive", "state": "enabled disabled", "at": "at", "to": "to auf", "at.new": "for",
		"romance": "vive", "says": "says", "from": "from von de", "bound": "least", "over": "gone",
		"names": "return", "past": "met", "turn": "red green", "rather": "rather than|plutôt que", "plain": "listen",
		"light": "of", "unit.s": "minute", "unit.b": "mb", "unit.m": "km", "unit.g": "kg",
		"unit.money": "euro", "unit.part": "percent",
		"speaker": "we wir nous", "was": "was war", "within": "whether dass", "corrects": "sorry stattdessen",
		"joins": "and und et y",
	} {
		parts := strings.Fields(words)
		if strings.Contains(words, "|") {
			parts = strings.Split(words, "|")
		}
		for _, w := range parts {
			if !Is(list, w) {
				t.Errorf("%q is not in the list %s", w, list)
			}
		}
		seen[list] = true
	}
	for list := range lists() {
		if seen[list] {
			continue
		}
		t.Errorf("the list %s is not of this table", list)
	}
}
