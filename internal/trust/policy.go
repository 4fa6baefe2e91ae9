package trust

import "fmt"

// A Policy says what each fact is worth. The zero Policy is Seed.
type Policy struct {
	Name    string
	Version int

	Signature  int // a valid signature
	Witness    int // somebody confirms
	Witnesses  int // more, from ManyVoices on
	Anchor     int // an anchor holds
	Anchors    int // more, from ManyAnchors on
	Reputation int // what a reputation of One adds to a valid signature
	Dispute    int // what each disputing voice takes off

	ManyVoices  int // voices that earn Witnesses
	ManyAnchors int // classes that earn Anchors

	Attested, Anchored, Consensus int // the least score of each level
	ConsensusVoices               int // voices without which there is no consensus
}

// Seed is the policy by default.
func Seed() Policy {
	return Policy{
		Name: "seed", Version: 1,
		Signature: 2000, Witness: 2000, Witnesses: 1000,
		Anchor: 2000, Anchors: 1000, Reputation: 2000, Dispute: 1500,
		ManyVoices: 3, ManyAnchors: 2,
		Attested: 3000, Anchored: 6000, Consensus: 8000,
		ConsensusVoices: 2,
	}
}

// String returns the name and the version: "seed v1".
func (p Policy) String() string { return fmt.Sprintf("%s v%d", p.Name, p.Version) }

// Check returns an error unless p keeps the promises of a score: nothing that
// speaks for a memory lowers it, and nothing against it raises it.
func (p Policy) Check() error {
	for _, w := range []struct {
		name     string
		n, least int
	}{
		{"signature", p.Signature, 0}, {"witness", p.Witness, 0}, {"witnesses", p.Witnesses, 0},
		{"anchor", p.Anchor, 0}, {"anchors", p.Anchors, 0}, {"reputation", p.Reputation, 0}, {"dispute", p.Dispute, 0},
		{"many voices", p.ManyVoices, 1}, {"many anchors", p.ManyAnchors, 1}, {"consensus voices", p.ConsensusVoices, 2},
		{"attested", p.Attested, 0}, {"anchored", p.Anchored, p.Attested}, {"consensus", p.Consensus, p.Anchored},
	} {
		if w.n < w.least || w.n > One {
			return fmt.Errorf("policy %q: %s must be from %d to %d, got %d", p.Name, w.name, w.least, One, w.n)
		}
	}
	return nil
}

// level returns what the evidence allows at a score: voices that confirm and that
// dispute, and classes of anchors.
func (p Policy) level(score, confirms, disputes, anchors int) Level {
	switch {
	case score >= p.Consensus && confirms >= p.ConsensusVoices && anchors >= 1 && disputes == 0:
		return Consensus
	case score >= p.Anchored && anchors >= 1:
		return Anchored
	case score >= p.Attested && (confirms >= 1 || anchors >= 1):
		return Attested
	}
	return Unverified
}

// byRange returns the level that the score alone would have.
func (p Policy) byRange(score int) Level {
	switch {
	case score >= p.Consensus:
		return Consensus
	case score >= p.Anchored:
		return Anchored
	case score >= p.Attested:
		return Attested
	}
	return Unverified
}
