package pack

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// object is the form for programs: one compact line of JSON.
type object struct{}

func (object) open(h heading) string {
	var b strings.Builder
	b.WriteByte('{')
	if !h.nameless {
		b.WriteString(`"query":` + quote(h.query) + `,`)
	}
	if h.level != "" {
		b.WriteString(`"level":` + quote(string(h.level)) + `,`)
	}
	b.WriteString(`"budget":` + strconv.Itoa(h.budget) + `,"used":` + strconv.Itoa(h.used))
	if !h.nameless {
		b.WriteString(`,"estimator":"` + Estimator + `"`)
	}
	if h.zone != "" && !h.nameless {
		b.WriteString(`,"zone":` + quote(h.zone))
	}
	if h.notice != "" {
		b.WriteString(`,"notice":` + quote(h.notice))
	}
	if h.waits != "" {
		b.WriteString(`,"waits":` + quote(h.waits))
	}
	if h.gathered != "" && !h.nameless {
		b.WriteString(`,"gathered":` + quote(h.gathered))
	}
	b.WriteString(`,"sections":[`)
	return b.String()
}

func (object) close() string { return "}\n" }

func (object) section(s *Section, next bool) string {
	return comma(next) + `{"name":` + quote(s.Name) + `,"entries":[`
}

func (object) end() string { return "]}" }

// item is an entry in JSON.
type item struct {
	Ref   string `json:"ref,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Type  string `json:"type,omitempty"`
	Tier  string `json:"tier,omitempty"`
	State string `json:"state,omitempty"`
	Text  string `json:"text"`
	// who said it, of captured words and of quotes
	Speaker string   `json:"speaker,omitempty"`
	Cut     bool     `json:"cut,omitempty"`
	Words   int      `json:"words,omitempty"` // that it has in full, where it is cut
	Path    string   `json:"path,omitempty"`
	Why     string   `json:"why,omitempty"`
	Marks   []string `json:"marks,omitempty"`
	Store   string   `json:"store,omitempty"`
	At      string   `json:"at,omitempty"`
	By      string   `json:"by,omitempty"`
	Agent   bool     `json:"verified_by_agent,omitempty"`
	Place   string   `json:"place,omitempty"` // verified or observed, where the section holds both
	Said    bool     `json:"as_said,omitempty"`
	Ext     bool     `json:"external,omitempty"`

	Before []part `json:"before,omitempty"` // what was said before it in the conversation, in order
	After  []part `json:"after,omitempty"`  // and after it

	*Status
}

// part is another turn of the conversation of an entry.
type part struct {
	Ref   string   `json:"ref"`
	By    string   `json:"by,omitempty"`
	Text  string   `json:"text"`
	Cut   bool     `json:"cut,omitempty"`
	Words int      `json:"words,omitempty"`
	Gap   bool     `json:"gap,omitempty"` // something stands between it and the one before
	Marks []string `json:"marks,omitempty"`
}

func parts(all []said) (out []part) {
	for _, w := range all {
		out = append(out, part{w.turn.Ref, w.turn.By, w.text, w.cut, w.countCut(), w.skip, w.turn.Marks})
	}
	return out
}

// countCut is how many words there are where some were cut, 0 elsewhere.
func (w *said) countCut() int {
	if !w.cut {
		return 0
	}
	return w.of
}

// Status describes how far an entry can be trusted. Every entry has it unless the budget hardly holds one.
type Status struct {
	Origin     string `json:"origin"`
	Review     string `json:"review"`
	Level      string `json:"level"`
	Actionable bool   `json:"actionable"`
	Disputed   bool   `json:"disputed"`
}

func (object) entry(_ *Section, e *Entry, all []said, next bool) string {
	at := main(all)
	it := itemOf(e, &all[at])
	if !e.bare {
		it.Before, it.After = parts(all[:at]), parts(all[at+1:])
	}
	return comma(next) + encode(it)
}

func (object) shell(_ *Section, e *Entry) string {
	return "," + encode(itemOf(e, &said{turn: &Turn{}}))
}

func (object) turn(w *said) string { return encode(parts([]said{*w})[0]) + "," }

// itemOf is an entry with one of its turns.
func itemOf(e *Entry, w *said) item {
	var how *Status
	if !e.bare {
		how = &Status{e.Origin, e.Review, e.Level, e.Actionable, e.Disputed}
	}
	it := item{
		Ref: w.turn.Ref, Kind: e.Kind, Type: e.Type, Tier: e.Tier, State: e.State, Text: w.text, Speaker: w.turn.By,
		Cut: w.cut, Words: w.countCut(), Path: e.Path, Why: e.Why, Marks: e.Marks, Store: e.Store, At: e.At, By: e.By,
		Agent: e.Agent, Place: e.Place, Said: e.Said, Ext: e.External, Status: how,
	}
	for _, m := range w.turn.Marks {
		if !slices.Contains(it.Marks, m) {
			it.Marks = append(slices.Clip(it.Marks), m)
		}
	}
	if !e.bare {
		it.At = cmp.Or(w.turn.At, e.At)
	}
	return it
}

// missed says nothing: the omissions hold it.
func (object) missed(*Section, int, int) string { return "" }

func (object) left(list []Omission, terse int) string {
	switch {
	case len(list) == 0:
		list = []Omission{}
	case terse >= inOne:
		list = []Omission{{Reason: "any", Count: total(list)}}
	case terse == byReason:
		list = byReasons(list)
	}
	return `],"omitted":` + encode(list)
}

func comma(next bool) string {
	if next {
		return ","
	}
	return ""
}

func quote(s string) string { return encode(s) }

// encode returns the JSON of a value that always has one. Signs of HTML are escaped, so that no tag stands
// in it either.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("pack: " + err.Error()) // only strings, numbers and truths are encoded
	}
	return string(b)
}
