package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

const (
	session    = 30 // records
	vocabulary = 30_000
	people     = 400
	topics     = 60
	leastWords = 8
	mostWords  = 30
	minutes    = 3 // between two turns
)

// A line is what is written of a record.
type line struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind,omitempty"`
	Text       string   `json:"text"`
	Type       string   `json:"type,omitempty"`
	Outcome    string   `json:"outcome,omitempty"`
	Session    string   `json:"session,omitempty"`
	Speaker    string   `json:"speaker,omitempty"`
	Event      string   `json:"event,omitempty"`
	OccurredAt string   `json:"occurred_at,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	About      []string `json:"about,omitempty"`
	Via        string   `json:"via,omitempty"`
	From       []string `json:"from,omitempty"`
}

// A talker says words as often as people do: the n-th most common about 1/n as often as the first.
type talker struct {
	*rand.Rand
	words *rand.Zipf
	names *rand.Zipf

	episodes []string // ids of the newest
}

// Talk writes n records of conversations, one JSON object per line, as `stemma import jsonl` reads
// them. The same number gives the same bytes.
//
// Sessions have 30 records: raws of 8 to 30 words of a vocabulary in which few words are common,
// and at the end of each one memory that was made of some of them: a note, an episode, or a
// belief. A belief of a later session rests on episodes before it.
func Talk(to io.Writer, n int) error {
	t := newTalker(1)
	out := bufio.NewWriter(to)
	lines := json.NewEncoder(out)
	began := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range n {
		if err := lines.Encode(t.line(i, began.Add(time.Duration(i)*minutes*time.Minute))); err != nil {
			return err
		}
	}
	return out.Flush()
}

func newTalker(seed uint64) *talker {
	r := rand.New(rand.NewPCG(seed, session))
	return &talker{Rand: r, words: rand.NewZipf(r, 1.1, 3, vocabulary-1), names: rand.NewZipf(r, 1.2, 5, people-1)}
}

// line returns record i.
func (t *talker) line(i int, at time.Time) line {
	l := line{ID: id(i), Session: fmt.Sprint("talk-", i/session), Text: t.say()}
	if i%session != session-1 {
		l.Event, l.Speaker, l.OccurredAt = "turn", name(t.IntN(people)/10), at.Format(time.RFC3339)
		return l
	}
	l.Tags, l.Via = []string{topic(t.IntN(topics))}, "consolidate"
	l.About = []string{name(int(t.names.Uint64()))}
	for range 1 + t.IntN(3) {
		from := id(i - 1 - t.IntN(session-1))
		if len(l.From) == 0 || l.From[len(l.From)-1] != from {
			l.From = append(l.From, from)
		}
	}
	switch i / session % 4 {
	case 0, 2:
		l.Kind, l.Via, l.Outcome = "episode", "promote", t.say()
		l.From = l.From[:1]
		if t.episodes = append(t.episodes, l.ID); len(t.episodes) > topics {
			t.episodes = t.episodes[1:]
		}
	case 1:
		l.Kind, l.Type = "note", "insight"
	default:
		l.Kind, l.Type = "belief", "fact"
		l.From = []string{t.episodes[t.IntN(len(t.episodes))]}
		if other := t.episodes[t.IntN(len(t.episodes))]; other != l.From[0] {
			l.From = append(l.From, other)
		}
	}
	l.Text = l.About[0] + " " + l.Text
	return l
}

func id(i int) string { return "said-" + strconv.Itoa(i) }

// say returns a sentence.
func (t *talker) say() string { return t.some(leastWords, mostWords) }

// some returns from least to most words.
func (t *talker) some(least, most int) string {
	out := make([]string, least+t.IntN(most-least+1))
	for i := range out {
		out[i] = word(t.words.Uint64())
	}
	return strings.Join(out, " ")
}

// word returns the n-th word: syllables, so that it looks like one.
func word(n uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 7; n > 0; n /= uint64(len(consonants) * len(vowels)) {
		b.WriteByte(consonants[n%uint64(len(consonants))])
		b.WriteByte(vowels[n/uint64(len(consonants))%uint64(len(vowels))])
	}
	return b.String() + "k"
}

// name returns the n-th name of a person.
func name(n int) string {
	w := word(uint64(n) + vocabulary)
	return strings.ToUpper(w[:1]) + w[1:]
}

func topic(n int) string { return word(uint64(n) + 2*vocabulary) }
