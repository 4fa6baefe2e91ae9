// Package made writes conversations with questions whose answers are known: forms of talk that
// differ in how long turns are, who speaks after whom, and how many turns a question names. They
// are generated, so that every checkout has them; what they measure is the form, not the world.
package made

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/eval"
	"github.com/stemma-memory/stemma/memory"
)

// A Form is a way in which people talk.
type Form string

// The forms.
const (
	Talk        Form = "talk"        // two people by turns, some twenty words each
	Bursts      Form = "bursts"      // short turns, several of one speaker in a row
	Transcripts Form = "transcripts" // a person's fifty words, an assistant's five hundred
)

// Forms are all of them.
var Forms = []Form{Talk, Bursts, Transcripts}

// Conversation writes a conversation of so many sessions. The same seed gives the same words.
func Conversation(form Form, seed uint64, sessions int) eval.Conversation {
	w := writer{
		Rand: rand.New(rand.NewPCG(seed, uint64(len(form)))), form: form, name: fmt.Sprintf("%s-%d", form, seed),
		told: make(map[string][]string), done: make(map[string]bool),
	}
	w.who = w.Perm(len(people))[:2]
	for w.session = range sessions {
		w.write()
	}
	w.gather()
	return eval.Conversation{Name: w.name, Records: w.records, Questions: w.questions}
}

type writer struct {
	*rand.Rand
	form      Form
	name      string
	who       []int // the speakers
	session   int
	turn      int
	records   []api.Foreign
	questions []eval.Question
	told      map[string][]string // the turns that say what somebody did with a thing, by both
	topics    []string            // in the order in which they were first told
	done      map[string]bool     // who did what with a thing: it is asked for once
}

// write writes a session: a topic, some facts, and talk around them.
func (w *writer) write() {
	w.turn = 0
	topic := &topics[w.IntN(len(topics))]
	for range 3 + w.IntN(3) {
		teller := w.IntN(2)
		if w.form == Transcripts {
			teller = 0
		}
		for range w.IntN(3) {
			w.chat(topic)
		}
		w.fact(topic, teller)
	}
}

// fact has somebody tell something, and asks for it.
func (w *writer) fact(topic *topic, teller int) {
	thing := pick(w, topic.things)
	deed := deeds[w.IntN(len(deeds))]
	day, number, colour := pick(w, days), pick(w, numbers), pick(w, colours)
	name := people[w.who[teller]]
	once := name + " " + deed.base + " " + thing
	if w.done[once] {
		return
	}
	w.done[once] = true
	key := name + " " + thing
	if len(w.told[key]) == 0 {
		w.topics = append(w.topics, key)
	}
	var cited []string
	switch w.form {
	case Talk:
		said := fmt.Sprintf("%s I %s the %s %s, %s. %s",
			pick(w, openings), deed.past, thing, day, pick(w, reasons), w.aside(topic, 1))
		cited = append(cited, w.say(teller, said))
		if w.IntN(3) == 0 { // what is told stands in the answer to a question, without its words
			w.say(1-teller, fmt.Sprintf("And how was that, %s? Was it the %s one?", name, colour))
			w.say(teller, "Yes, exactly that one. "+w.aside(topic, 1))
		}
	case Bursts:
		cited = append(cited, w.say(teller, fmt.Sprintf("so I %s the %s", deed.past, thing)))
		cited = append(cited, w.say(teller, fmt.Sprintf("%s, %s", day, pick(w, reasons))))
		for range w.IntN(3) {
			w.say(teller, fmt.Sprintf(pick(w, murmurs), pick(w, topic.things), pick(w, topic.about)))
		}
		w.say(1-teller, pick(w, replies))
	case Transcripts:
		said := fmt.Sprintf("%s By the way, I %s the %s %s, %s. %s Can you tell me what to watch for with a %s?",
			w.aside(topic, 2), deed.past, thing, day, pick(w, reasons), w.aside(topic, 1), pick(w, topic.things))
		cited = append(cited, w.say(0, said))
		w.say(1, w.advice(topic, thing))
	}
	w.told[key] = append(w.told[key], cited...)
	asked := deed.base
	if w.IntN(2) == 0 {
		asked = deed.other
	}
	question := fmt.Sprintf("When did %s %s the %s?", name, asked, thing)
	kind := eval.Temporal
	switch w.IntN(3) {
	case 0:
		question, kind = fmt.Sprintf("Why did %s %s the %s?", name, asked, thing), eval.SingleHop
	case 1:
		counted := w.counted(topic, teller, deed, thing, number)
		cited, kind = []string{counted}, eval.SingleHop
		question = fmt.Sprintf("How many pieces of the %s did %s %s?", thing, name, asked)
		w.told[key] = append(w.told[key], counted)
	}
	w.questions = append(w.questions, eval.Question{Text: question, Kind: kind, Evidence: cited})
}

// counted tells how many.
func (w *writer) counted(topic *topic, teller int, deed deed, thing, number string) string {
	said := fmt.Sprintf("In the end I %s %s parts of the %s.", deed.past, number, thing)
	if w.form == Transcripts {
		said = w.aside(topic, 2) + " " + said + " " + w.aside(topic, 1)
	}
	at := w.say(teller, said)
	if w.form == Transcripts {
		w.say(1, w.advice(topic, thing))
	}
	return at
}

// gather asks for all that somebody did with a thing: questions that name several turns.
func (w *writer) gather() {
	for _, key := range w.topics {
		if cited := w.told[key]; len(cited) > 2 {
			name, thing, _ := strings.Cut(key, " ")
			w.questions = append(w.questions, eval.Question{
				Text: fmt.Sprintf("What has %s done with the %s?", name, thing), Kind: eval.MultiHop, Evidence: cited,
			})
		}
	}
}

// chat is talk about the topic that answers nothing.
func (w *writer) chat(topic *topic) {
	by := w.IntN(2)
	switch w.form {
	case Talk:
		w.say(by, w.aside(topic, 2))
		w.say(1-by, pick(w, replies)+" "+w.aside(topic, 1))
	case Bursts:
		for range 1 + w.IntN(4) {
			w.say(by, fmt.Sprintf(pick(w, murmurs), pick(w, topic.things), pick(w, topic.about)))
		}
	case Transcripts:
		w.say(0, w.aside(topic, 4)+" What do you think of the "+pick(w, topic.things)+"?")
		w.say(1, w.advice(topic, pick(w, topic.things)))
	}
}

func (w *writer) aside(topic *topic, sentences int) string {
	var all []string
	for range sentences {
		all = append(all, fmt.Sprintf(pick(w, asides), pick(w, topic.things), pick(w, topic.about)))
	}
	return strings.Join(all, " ")
}

// advice is a long answer about a thing: it has the words of a question many times, and tells nothing.
func (w *writer) advice(topic *topic, thing string) string {
	const long = 500
	var b strings.Builder
	for n := 0; n < long; {
		of := thing
		if w.IntN(3) > 0 {
			of = pick(w, topic.things)
		}
		s := fmt.Sprintf(pick(w, advices), of, pick(w, topic.about), pick(w, topic.things))
		n += len(strings.Fields(s))
		b.WriteString(s + " ")
	}
	return strings.TrimSpace(b.String())
}

// say adds a turn and returns what it is called.
func (w *writer) say(by int, text string) string {
	w.turn++
	speaker := people[w.who[by]]
	if w.form == Transcripts && by == 1 {
		speaker = "assistant"
	}
	alias := fmt.Sprintf("%s:D%d:%d", w.name, w.session+1, w.turn)
	at := time.Date(2024, time.January, 2, 10, w.turn, 0, 0, time.UTC).AddDate(0, 0, 5*w.session)
	w.records = append(w.records, api.Foreign{
		Alias: []string{alias}, Body: &memory.Raw{Text: text, Speaker: speaker, OccurredAt: memory.At(at)},
		Meta: api.Meta{Session: fmt.Sprintf("%s:%d", w.name, w.session+1)},
	})
	return alias
}

func pick(w *writer, of []string) string { return of[w.IntN(len(of))] }
