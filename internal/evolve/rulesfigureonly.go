package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// sureOfFigure is how sure the rules are of two sentences that differ in nothing but their last figure.
const sureOfFigure = 0.45

// leastAround is how many words stand before such a figure at least.
const leastAround = 4

// otherFigureOnly returns the contradiction of two sentences of a language that the rules do not read: they have the
// same words, and another figure at their end, with no more than its unit after it. What a figure names elsewhere, a
// room or a bill, is another thing.
func otherFigureOnly(old, new string) *Relation {
	if len(old) > mostRead || len(new) > mostRead {
		return nil
	}
	o, n := plainWords(old), plainWords(new)
	if len(o) != len(n) {
		return nil
	}
	at := -1
	for i := range o {
		switch {
		case o[i] == n[i]:
		case at >= 0 || !figureWord(o[i]) || !figureWord(n[i]):
			return nil
		default:
			at = i
		}
	}
	if at < leastAround {
		return nil
	}
	for _, w := range o[at+1:] {
		if !unitWords.Has(w) {
			return nil
		}
	}
	return &Relation{
		Type: memory.Contradict, Confidence: sureOfFigure, Reason: "another number: " + o[at] + " → " + n[at],
	}
}

// plainWords returns the words of a text in lower case, without the marks around them.
func plainWords(text string) []string {
	out := strings.Fields(strings.ToLower(text))
	for i, w := range out {
		out[i] = strings.Trim(w, `.,;:!?"'()„“”«»¡¿`)
	}
	return out
}

// figureWord says whether a word is a figure, with its unit if it has one: 8005, 2,5, 02:30, -18, 25mb.
func figureWord(w string) bool {
	w = strings.TrimPrefix(strings.TrimPrefix(w, "-"), "+")
	end := strings.LastIndexAny(w, "0123456789") + 1
	if end == 0 || strings.Trim(w[:end], "0123456789.,:") != "" {
		return false
	}
	unit := w[end:]
	return unit == "" || unitWords.Has(unit) || lengths()[unit] > 0 || sizes[unit] > 0 || measures[unit].n > 0
}

// unitWords stand after a figure and say of what it is, in a few languages.
var unitWords = lazy.Words(`% € $ £ eur euro euros usd dollar franken chf ms s min h kb mb gb tb kg g km m cm mm l ml °
 °c °f c uhr stunde stunden minute minuten sekunde sekunden tag tage tagen woche wochen monat monate monaten jahr jahre
 jahren grad prozent mal meter kilo liter stück hora horas minuto minutos segundo segundos día días semana semanas mes
 meses año años grados veces metros kilos litros heure heures minutes secondes jour jours semaine semaines mois an ans
 degrés fois mètres litres ore minuti secondi giorno giorni settimane mesi anni gradi volte metri litri`)
