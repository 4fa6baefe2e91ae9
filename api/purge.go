package api

// PurgeRequest names records whose words must go for good, or a person.
type PurgeRequest struct {
	Refs   []string `json:"refs,omitempty"`
	Reason string   `json:"reason,omitempty" jsonschema:"stored and shown: do not repeat the purged words"`
	DryRun bool     `json:"dry_run,omitempty"`
	Status bool     `json:"status,omitempty" jsonschema:"purge nothing: say where what was purged is erased"`

	Person
	List string `json:"list,omitempty" jsonschema:"the digest of the list that a dry run showed: act on exactly that"`
}

// A Person says whose records are meant.
type Person struct {
	About   string   `json:"about,omitempty" jsonschema:"what speaks of this person: a name, or the ref of a relationship"`
	Speaker string   `json:"speaker,omitempty" jsonschema:"what this person said: a name or a ref; with about, either"`
	Names   []string `json:"names,omitempty" jsonschema:"other names, addresses or numbers of the same person"`
	Also    []string `json:"also,omitempty" jsonschema:"refs of records that belong to the list too"`
	Keep    []string `json:"keep,omitempty" jsonschema:"refs of records that are left out of the list"`
	Unsure  bool     `json:"unsure,omitempty" jsonschema:"with the records that may only look like it"`
}

// Asked reports whether a person is named.
func (p Person) Asked() bool {
	return p.About != "" || p.Speaker != "" || len(p.Names) > 0 || len(p.Also) > 0 || len(p.Keep) > 0 || p.Unsure
}

// PurgeReply is what is gone.
type PurgeReply struct {
	Claim       string     `json:"claim,omitempty"` // ref of the mark that says so, the first of several spaces
	Purged      []string   `json:"purged"`
	Goes        []Affected `json:"goes,omitempty"` // in a dry run: what would go
	RestsOnThem []Affected `json:"rests_on_them"`  // what was derived from them, and may repeat their words

	// Of a person: the list, or what came of acting on it.
	Person  *PersonList   `json:"person,omitempty"`
	Outcome *PurgeOutcome `json:"outcome,omitempty"`

	// With Status: the purges as they are here, and what became of them elsewhere.
	Here    []PurgedRecord `json:"here,omitempty"`
	Remotes []PurgeRemote  `json:"remotes,omitempty"`
	// Pending is the remotes and machines that may still erase it; those that left do not count.
	Pending int `json:"pending,omitempty"`
}

// PurgedRecord is a record whose words were erased in this store.
type PurgedRecord struct {
	Ref   string `json:"ref"`
	Claim string `json:"claim"` // the mark that purges it
	At    string `json:"at"`
	By    string `json:"by"`
	Space string `json:"space"`
}

// PurgeRemote says what became of a purged record at one remote.
type PurgeRemote struct {
	Remote string `json:"remote"`
	Part   string `json:"part,omitempty"` // of a folder: the store that wrote it
	Space  string `json:"space"`
	// erased; words: still there; waiting: the purge has not arrived; archived: it cannot arrive; away: not reached;
	// denied: the remote does not show the space
	State string `json:"state"`
	// Of what the machines of members said. Confirmed is how many erased the words.
	Confirmed int            `json:"confirmed"`
	Machines  int            `json:"machines"`
	Note      string         `json:"note,omitempty"`
	Open      []PurgeMachine `json:"open,omitempty"` // machines that are not confirmed
}

// PurgeMachine is a machine that did not confirm that it erased the words.
type PurgeMachine struct {
	State   string `json:"state"` // pending, unknown, filtered, left
	Account string `json:"account"`
	Name    string `json:"name"`
	Label   string `json:"label,omitempty"`
	Token   string `json:"token,omitempty"`
	Store   string `json:"store,omitempty"`
	Seen    string `json:"seen,omitempty"`
	Said    string `json:"said,omitempty"` // when it said last how far it is
	Left    string `json:"left,omitempty"`
}
