package evolve

// A Word is one of a text as the rules see it.
type Word struct {
	Text, Low, Key string   // as it stands, in small letters, and one for all its forms
	Class          string   // of a value: number, time, date, weekday, month, version; "" for a word
	Name, Ends     bool     // it names something; a mark behind it ends a part of the sentence
	In             []string // the lists of the file of words in which it stands
}

// A Statement is one thing that a text says: of what, how, and whether its sentence says more.
type Statement struct {
	Subject []Word
	Verb    Word
	All     []Word
	Part    bool
}

// Words returns the words of a text, and its statements.
func Words(text string) ([]Word, []Statement) {
	var said []Statement
	for _, s := range read(Memory{Text: text}) {
		all := wordsOf(s.tokens)
		said = append(said, Statement{all[:s.verb], all[s.verb], all, s.whole != nil})
	}
	return wordsOf(tokenize(text, nil)), said
}

func wordsOf(ts []token) (all []Word) {
	for _, t := range ts {
		all = append(all, Word{t.text, t.word, t.key, t.class, t.name, t.ends != 0, t.in})
	}
	return all
}
