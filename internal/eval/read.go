package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A Kind is what a question asks for, by the numbers of the data set.
type Kind int

// The kinds of question.
const (
	MultiHop    Kind = iota + 1 // several turns answer it together
	Temporal                    // when something was
	OpenDomain                  // what nobody said, but who knows the world can tell
	SingleHop                   // one turn answers it
	Adversarial                 // asks for what was not so; its turns show that
)

// kinds are all of them, in the order of their numbers.
var kinds = []Kind{MultiHop, Temporal, OpenDomain, SingleHop, Adversarial}

var kindNames = []string{"multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}

func (k Kind) String() string { return kindNames[k-1] }

// A Question is one that names at least one turn that exists.
type Question struct {
	Text     string
	Kind     Kind
	Evidence []string // aliases of the turns that answer it, each once
}

// A Conversation is what to import and what to ask of it.
type Conversation struct {
	Name      string
	Records   []api.Foreign // turns, then the notes that were made of them
	Questions []Question
}

// turns returns the records that are turns.
func (c *Conversation) turns() []api.Foreign {
	return slices.DeleteFunc(
		slices.Clone(c.Records),
		func(f api.Foreign) bool { return memory.KindOf(f.Body) != memory.KindRaw },
	)
}

// An Importer reads the records of a file of conversations, and says how many.
type Importer func(path string) (iter.Seq2[api.Foreign, error], int, error)

// Read reads a file of one conversation, or the published file of all. Questions
// that name no turn that exists are left out.
func Read(path string, importer Importer) ([]Conversation, error) {
	records, _, err := importer(path)
	if err != nil {
		return nil, err
	}
	said := make(map[string][]api.Foreign)
	for f, err := range records {
		if err != nil {
			return nil, err
		}
		name := conversationOf(f)
		said[name] = append(said[name], f)
	}
	asked, err := samples(path)
	if err != nil {
		return nil, api.Invalid("eval locomo %s: %v", path, err)
	}
	var all []Conversation
	for _, s := range asked {
		c := Conversation{Name: s.Name, Records: said[s.Name]}
		if c.Questions, err = s.questions(c.turns()); err != nil {
			return nil, api.Invalid("eval locomo %s: %s: %v", path, s.Name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// conversationOf returns the name that is in a session: locomo:NAME:session_1.
func conversationOf(f api.Foreign) string {
	name := strings.TrimPrefix(f.Meta.Session, prefix)
	if end := strings.LastIndex(name, ":session_"); end >= 0 {
		name = name[:end]
	}
	return name
}

const prefix = "locomo:"

// A sample is what a file says of one conversation beside the conversation.
type sample struct {
	Name      string `json:"sample_id"`
	Questions []struct {
		Text     string   `json:"question"`
		Evidence []string `json:"evidence"`
		Kind     Kind     `json:"category"`
	} `json:"qa"`
}

// samples takes a file of one conversation or of a list of them, and names them
// as an import does.
func samples(path string) ([]sample, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list := make([]sample, 1)
	into := any(&list[0])
	one := !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("["))
	if !one {
		into = &list
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, err
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i := range list {
		switch {
		case list[i].Name != "":
		case one:
			list[i].Name = stem
		default:
			list[i].Name = fmt.Sprintf("%s-%d", stem, i+1)
		}
	}
	return list, nil
}

// questions returns those that can be answered from turns.
func (s *sample) questions(turns []api.Foreign) ([]Question, error) {
	if len(s.Questions) == 0 {
		return nil, fmt.Errorf("has no questions (qa); there is nothing to measure with")
	}
	known := knownTurns(s.Name, turns)
	var out []Question
	for i, q := range s.Questions {
		if !slices.Contains(kinds, q.Kind) {
			return nil, fmt.Errorf("question %d: category: must be from %d to %d, got %d", i+1, MultiHop, Adversarial, q.Kind)
		}
		if strings.TrimSpace(q.Text) == "" {
			return nil, fmt.Errorf("question %d: has no words", i+1)
		}
		if evidence := known.cited(q.Evidence); len(evidence) > 0 {
			out = append(out, Question{Text: q.Text, Kind: q.Kind, Evidence: evidence})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("none of its questions names a turn that exists")
	}
	return out, nil
}
