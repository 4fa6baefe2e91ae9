package report

// A Pack is what an audit found of an answer of recall with its proofs, and of what somebody wrote from it.
type Pack struct {
	Entries []Entry `json:"entries"`
	// Sentences are those of an answer that was given with the pack, with what each quotes.
	Sentences []Sentence `json:"sentences,omitempty"`
	Records   Report     `json:"records"` // the audit of the records that prove the entries
	// Answered says that an answer was given.
	Answered bool `json:"answered,omitempty"`
}

// An Entry is one of a pack, held against the record that it gives.
type Entry struct {
	Ref string `json:"ref"`
	// Status is proven; no_place, where nothing shows that the record is in its log; unproven, where the pack itself
	// says so; or changed, where the words, the span or the decision are not those of the records.
	Status  string   `json:"status"`
	Why     string   `json:"why,omitempty"`
	Words   string   `json:"words,omitempty"` // as the pack gives them; none where they are not the record's
	Span    string   `json:"span,omitempty"`  // which bytes of all that the record says
	At      string   `json:"at,omitempty"`
	Author  string   `json:"author,omitempty"` // did:key that signed
	Owner   string   `json:"owner,omitempty"`  // did:key at the beginning of the history of who stands behind it
	Agent   string   `json:"agent,omitempty"`  // the agent that acted for the owner
	Speaker string   `json:"speaker,omitempty"`
	Place   int64    `json:"place,omitempty"` // in the log of its space, from 1
	Decided *Decided `json:"decided,omitempty"`
	Rests   []string `json:"rests,omitempty"` // the records that it was made of, which a pack need not have
}

// A Sentence is one of an answer. Verdict is quotes, part, differs, negated, asked or none. With the first two it rests
// on words of the pack. None of them says that it is true.
type Sentence struct {
	Line    int     `json:"line"`
	Text    string  `json:"text"`
	Verdict string  `json:"verdict"`
	Rests   bool    `json:"rests"`
	Quotes  []Quote `json:"quotes,omitempty"`
	Adds    string  `json:"adds,omitempty"` // its words that are no quotation
	Why     string  `json:"why,omitempty"`  // the word that denies, and where it stands
}

// A Quote is a stretch of words of a sentence that an entry has too.
type Quote struct {
	Ref     string   `json:"ref"`
	Also    []string `json:"also,omitempty"` // other entries with the same words
	Words   string   `json:"words"`
	LeftOut string   `json:"left_out,omitempty"` // what the record's sentence says beside it
	Says    string   `json:"says,omitempty"`     // how the answer goes on where the record goes on otherwise
	Has     string   `json:"has,omitempty"`      // and how the record does
}

// Exit returns the code with which a program that shows p should end: 1 where a proof fails, 2 where an entry is not
// proven or a sentence rests on no words, as far as words tell.
func (p *Pack) Exit() int {
	unsure := len(p.Entries) == 0 || p.Answered && len(p.Sentences) == 0 ||
		p.Records.Counts[UnknownKey]+p.Records.Counts[Unsupported] > 0
	for s, n := range p.Records.Counts {
		if n > 0 && !s.Fine() && !s.Unsure() {
			return ExitFailed
		}
	}
	for _, l := range p.Records.Logs {
		switch l.Status {
		case LogOK:
		case LogUnchecked:
			unsure = unsure || l.Noted()
		default:
			return ExitFailed
		}
	}
	for i := range p.Entries {
		switch p.Entries[i].Status {
		case "proven":
		case "changed":
			return ExitFailed
		default:
			unsure = true
		}
	}
	for i := range p.Sentences {
		unsure = unsure || !p.Sentences[i].Rests
	}
	if unsure {
		return ExitUnchecked
	}
	return ExitOK
}
