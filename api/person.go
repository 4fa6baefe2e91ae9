package api

// PersonList is what belongs to one person, as a request by name finds it.
type PersonList struct {
	// Digest is of the refs that go: a later request with it acts on exactly these.
	Digest   string         `json:"digest"`
	Entities []PersonName   `json:"entities"` // under which names, and by which records, the person is known
	Records  []PersonRecord `json:"records"`  // in the order of the log
	ByKind   map[string]int `json:"by_kind"`
	Others   int            `json:"others"` // how many of the records speak of others too
	// Unsure has what is found by a word that may not be the name; it goes when that is asked for.
	Unsure []PersonRecord `json:"unsure"`
	// Stays has what names the person and cannot be erased here, with why.
	Stays []PersonRecord `json:"stays"`
	// Repeats has what stays, does not name the person, and repeats six words in a row of what goes, at most 100.
	Repeats     []PersonRecord `json:"repeats"`
	RepeatsMore int            `json:"repeats_more,omitempty"` // how many there are beside these
}

// PersonName is a name of a person.
type PersonName struct {
	Name   string `json:"name"`
	Ref    string `json:"ref,omitempty"`    // the record by which it is known
	Count  int    `json:"count"`            // of the records that it finds
	Shared bool   `json:"shared,omitempty"` // another person has it too, so it alone finds nothing surely
}

// PersonRecord is a record of such a list.
type PersonRecord struct {
	Ref      string   `json:"ref"`
	Headline string   `json:"headline"`
	Why      string   `json:"why"`              // how it was found, or why it stays
	Others   []string `json:"others,omitempty"` // whom else it speaks of, at most five
	Space    string   `json:"space"`
}

// PurgeOutcome says what an act on a list did, and what it could not reach.
type PurgeOutcome struct {
	Erased map[string]int `json:"erased"` // records by kind
	// Before says that the list had been acted on already: the rest is as it was then.
	Before bool `json:"before,omitempty"`
	// Probes are spans of six words and telling words of what went that stand in no kept record. They were looked for
	// in every table and file of the store, before and after. FoundIn is where some were found after.
	Probes      int      `json:"probes"`
	FoundBefore int      `json:"found_before"`
	Found       int      `json:"found"`
	FoundIn     []string `json:"found_in,omitempty"`
	Copies      int      `json:"copies"` // half-made copies of interrupted commands that were deleted
	// Unreached are places that may have the words and that this command does not erase.
	Unreached []PurgeUnreached `json:"unreached"`
	// Certificate is the signed statement of all this, one line, for a file.
	Certificate string `json:"certificate,omitempty"`
}

// PurgeUnreached is a place out of reach.
type PurgeUnreached struct {
	// backup, half, replaced, temporary, store, database, remote, machine or elsewhere; of what stays: decisions, keys,
	// theirs, asked, repeats, unsure
	What  string `json:"what"`
	Where string `json:"where,omitempty"`
	Count int    `json:"count,omitempty"`
	Why   string `json:"why"`
}
