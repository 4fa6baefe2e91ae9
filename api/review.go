package api

// ReviewReply is what waits, the oldest first.
type ReviewReply struct {
	Pending []Pending `json:"pending"`
	More    bool      `json:"more,omitempty"`

	PromptsWaiting Counted `json:"prompts_waiting"`  // prompts of the user that are not memories yet
	PromptsNotKept Counted `json:"prompts_not_kept"` // prompts that were settled as not worth keeping

	// HeldBack is memories that wait because their author had been shown outside words, in groups by where these are from.
	HeldBack []HeldGroup `json:"held_back,omitempty"`

	// how many proposals wait for_agent and for_person, and how many of them were decided and let_go
	Proposals map[string]int `json:"proposals"`
}

// A HeldGroup is memories that wait for a person because of one source of outside words.
type HeldGroup struct {
	Source   string   `json:"source"` // where the words come from, such as the name of a tool
	Count    int      `json:"count"`
	Memories []Memory `json:"memories"`
	// OneByOne is refs of those that are decided one by one: they direct, or would replace what a person approved.
	OneByOne []string `json:"one_by_one,omitempty"`
}

// Pending is a memory that waits for a decision, with what it rests on.
type Pending struct {
	Memory
	Asks           bool        `json:"asks"`                 // a person is asked about it
	Why            string      `json:"why,omitempty"`        // why, where it is not for being an agent's alone
	OneByOne       bool        `json:"one_by_one,omitempty"` // no decision about several covers it
	Conditions     []Condition `json:"conditions"`
	Sources        []Source    `json:"sources,omitempty"`
	RejectedBefore *Rejection  `json:"rejected_before,omitempty"` // a person rejected the same, or a similar one

	// Near are current memories about the same thing, at most three, by words or by meaning: perhaps it says the same
	// as one of them, or replaces it. The first twenty that wait are looked at.
	Near []Source `json:"near,omitempty"`
}

// A Source is what a memory was derived from.
type Source struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Text     string `json:"text,omitempty"`    // all that it says, where the headline is not all
	Speaker  string `json:"speaker,omitempty"` // who said the words
	At       string `json:"at,omitempty"`      // when it was said or happened
}

// DecideRequest decides on memories.
type DecideRequest struct {
	Refs   []string `json:"refs"`
	Reason string   `json:"reason,omitempty"`
	Force  bool     `json:"force,omitempty" jsonschema:"also approve rejected memories"`
}

// DecideReply is the memories after a decision.
type DecideReply struct {
	// ref of the mark, the first where they are of several spaces; none if nothing was left to decide
	Claim    string   `json:"claim,omitempty"`
	Memories []Memory `json:"memories"`
	Hint     string   `json:"hint,omitempty"`

	Witnesses []TrustWitness `json:"witnesses,omitempty"` // those that were decided about
}

// A Condition is one of those a tier asks for.
type Condition struct {
	Name string `json:"name"`
	Met  bool   `json:"met"`
	Says string `json:"says"` // why, or what would meet it
}
