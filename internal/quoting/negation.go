package quoting

import (
	"strings"
	"sync"
)

// The words that turn what stands beside them into its opposite, or say that it is not so. They are few in each
// language, and closed: a language makes no new ones. What else denies ("he only dreamt that") is not known.
const (
	denying = `not no never none nor neither nobody nothing nowhere noone cannot cant dont without unless except hardly
		barely scarcely seldom rarely instead rather unlike contrary false untrue wrong incorrect mistaken mistakenly
		falsely wrongly deny denies denied denying refute refutes refuted disprove disproves disproved contradict
		contradicts contradicted retracted withdrawn revoked myth anymore longer obsolete outdated
		nicht nichts nie niemals niemand niemanden niemandem nirgends nirgendwo kein keine keinen keinem keiner keines
		keinerlei weder ohne außer statt anstatt kaum falsch unwahr irrtümlich fälschlich bestreitet bestritt bestritten
		ne non pas jamais rien personne aucun aucune nul nulle ni sans sauf faux fausse nie démenti guère
		nunca jamás nada nadie ningún ninguno ninguna tampoco sin excepto salvo falso falsa niega negó desmiente
		né nulla niente nessuno nessuna nessun neppure nemmeno neanche senza tranne nega negato smentito sbagliato
		não nao nem ninguém nenhum nenhuma jamais sem exceto errado nega negou
		не нет ни никогда никто никого ничего ничто нигде никак нельзя без кроме неверно неправда неправильно ложь ложно
		niet geen nooit niets niemand zonder onwaar onjuist inte ingen inget inga aldrig utan ikke ingenting aldri
		uten uden intet nigdy nikt żaden żadna bez nieprawda není nikdy nikdo žádný değil yok hiç asla`
	// of writing without spaces, and endings that are no words by themselves
	deniesWithin = `不 没 沒 未 无 無 非 别 勿 ない なく なかっ ません ぬ ず 않 아니 없 못 ไม่ มิ`
)

var denial = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 250)
	for w := range strings.FieldsSeq(denying) {
		m[w] = true
	}
	return m
})

// negates reports whether a word denies: by itself, or with the end or the beginning that its language has for it.
func (w *word) negates() bool {
	t := w.text
	return denial()[t] || strings.HasSuffix(t, "n't") || strings.HasPrefix(t, "n'") || t == "≠" || t == "!" || t == "¬" ||
		strings.HasPrefix(t, "qu'aucun")
}

// deniesInside reports whether a text of a script without spaces, or of Korean, denies.
func deniesInside(text string) string {
	for mark := range strings.FieldsSeq(deniesWithin) {
		if strings.Contains(text, mark) {
			return mark
		}
	}
	return ""
}

// pointing are the words by which a short sentence takes up the one before: "That is not so."
var pointing = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(`that that's this it it's das dies es cela ça c'est ce ceci esto eso es ya questo ciò
		ora isso isto это which thats`) {
		m[w] = true
	}
	return m
})
