package pack

import (
	"encoding/json"
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
	if h.notice != "" {
		b.WriteString(`,"notice":` + quote(h.notice))
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
	Ref   string   `json:"ref,omitempty"`
	Kind  string   `json:"kind,omitempty"`
	Type  string   `json:"type,omitempty"`
	Tier  string   `json:"tier,omitempty"`
	State string   `json:"state,omitempty"`
	Text  string   `json:"text"`
	Cut   bool     `json:"cut,omitempty"`
	Path  string   `json:"path,omitempty"`
	Why   string   `json:"why,omitempty"`
	Marks []string `json:"marks,omitempty"`
	Store string   `json:"shelf,omitempty"`
	At    string   `json:"at,omitempty"`
	By    string   `json:"by,omitempty"`
	Agent bool     `json:"verified_by_agent,omitempty"`
	Place string   `json:"place,omitempty"` // verified or observed, where the section holds both
	Said  bool     `json:"as_said,omitempty"`
	Ext   bool     `json:"external,omitempty"`

	*Status
}

// Status describes how far an entry can be trusted. Every entry has it unless the budget hardly holds one.
type Status struct {
	Origin     string `json:"origin"`
	Review     string `json:"review"`
	Level      string `json:"level"`
	Actionable bool   `json:"actionable"`
	Disputed   bool   `json:"disputed"`
}

func (object) entry(_ *Section, e *Entry, cut, next bool) string {
	var how *Status
	if !e.bare {
		how = &Status{e.Origin, e.Review, e.Level, e.Actionable, e.Disputed}
	}
	return comma(next) + encode(item{Ref: e.Ref, Kind: e.Kind, Type: e.Type, Tier: e.Tier, State: e.State, Text: e.Text,
		Cut: cut, Path: e.Path, Why: e.Why, Marks: e.Marks, Store: e.Store, At: e.At, By: e.By, Agent: e.Agent,
		Place: e.Place, Said: e.Said,
		Ext: e.External, Status: how})
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
