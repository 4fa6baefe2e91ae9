// Package peer lets stores exchange their records: the messages, the methods of a hub, and the
// merging of two histories. The protocol is an Exchange, which performs no I/O: it emits steps
// and receives their results, so that a test can lose, repeat, reorder and cut off every step.
package peer

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/memory"
)

// Version is the version of the protocol spoken here. A peer of another version
// answers Hello with ErrVersion.
const Version = 1

// Bounds on one message. A larger one is refused.
const (
	MostIDs   = 4096     // in one request or reply
	MostLines = 2000     // in one push or fetch
	MostBytes = 16 << 20 // of the lines of one push or fetch, about
)

// earlierLines is MostLines of a peer that does not say it in its welcome.
const earlierLines = 1000

// A Role says what somebody may do in a space. Each may do what those before may.
type Role string

// The roles.
const (
	Reader  Role = "reader"  // pull
	Writer  Role = "writer"  // push
	Keeper  Role = "keeper"  // invite others and set their roles
	Arbiter Role = "arbiter" // and decide between them
)

// roles in order; a role that is not known may do nothing.
var roles = map[Role]int{Reader: 1, Writer: 2, Keeper: 3, Arbiter: 4}

// May reports whether r may do what need may.
func (r Role) May(need Role) bool { return roles[r] > 0 && roles[r] >= roles[need] }

// A Remote is what a peer (a hub, another store, a folder) offers to one authenticated caller.
// Every method can be repeated with the same request without doing anything twice. Errors are
// those of this package; any other means that the peer could not be reached, and a retry later
// may help.
//
// Nothing that a Remote returns is trusted without proof, and neither does it trust its
// caller.
type Remote interface {
	// Hello begins: who is there, and what the caller may see.
	Hello(ctx context.Context, in Hello) (Welcome, error)
	// Offer says which of some records the peer does not have. It stores nothing.
	Offer(ctx context.Context, in Offer) (Wanted, error)
	// Push stores records that verify, all together, and returns what became of each.
	// Acknowledged records survive a crash of the peer.
	Push(ctx context.Context, in Push) (Acks, error)
	// Log returns a page of the peer's log of a space: its records in order, and the head of
	// the whole log. Positions have no gaps, and a position never changes its record.
	Log(ctx context.Context, in LogRequest) (LogPage, error)
	// Fetch returns records of the space's log, or about a key that wrote there. Records that
	// are not held or were purged are absent.
	Fetch(ctx context.Context, in Fetch) (Lines, error)
	// Keys names the key records held about those who wrote in a space.
	Keys(ctx context.Context, in KeysRequest) (KeyList, error)
	// Cosign signs that it has seen the caller's own log grow. A log that did not
	// grow from what the peer saw last is refused with ErrRewritten.
	Cosign(ctx context.Context, in CosignRequest) (Cosigned, error)
	// Prove shows that the peer's log of a space grew from one size to another.
	Prove(ctx context.Context, in ProveRequest) (Proof, error)
}

// A Hello is the caller's first word.
type Hello struct {
	Version int    `json:"version"`
	Store   string `json:"store"`           // the name of the caller's store
	Parts   bool   `json:"parts,omitempty"` // the caller knows Welcome.Away: earlier releases do not
}

// A Welcome says who the peer is and what the caller may see there. It is all that
// an idle sync asks for.
type Welcome struct {
	Version int      `json:"version"`
	Name    string   `json:"name"` // of the peer's store; does not change while its logs are the same
	Key     string   `json:"key"`  // did:key that signs its checkpoints
	Spaces  []Shared `json:"spaces"`
	// Any says that the caller may begin spaces that are not named; the role there is
	// Writer.
	Any bool `json:"any,omitempty"`
	// Begin is an owner whose spaces the caller may begin; the role there is Keeper.
	Begin string `json:"begin,omitempty"`
	// Lines is how many records the peer takes in one push or fetch; 0 is 1,000.
	Lines int `json:"lines,omitempty"`
	// Not are spaces with the name of that owner which are another's now, and of which the caller is no member.
	Not []string `json:"not,omitempty"`
	// Away are spaces that the peer cannot serve now. Nothing is said of what is in them.
	Away []Unserved `json:"away,omitempty"`
}

// Unserved is a space that the peer cannot serve now, and why. Where the peer cannot say which spaces an owner has,
// there is one more whose Space is OWNER/.
type Unserved struct {
	Space string `json:"space"`
	Why   string `json:"why"`
}

// away returns why the peer cannot serve a space now.
func (w *Welcome) away(space string) (why string, is bool) {
	owner, _, _ := strings.Cut(space, "/")
	for _, a := range w.Away {
		if a.Space == space || a.Space == owner+"/" {
			return a.Why, true
		}
	}
	return "", false
}

// Shared is one space as the caller may use it.
type Shared struct {
	Space string `json:"space"`
	Role  Role   `json:"role"`
	Head
	Keys string `json:"keys,omitempty"` // DigestIDs of what Keys names
	// What of the caller's own log was cosigned last: its size and root.
	Cosigned     int64  `json:"cosigned,omitempty"`
	CosignedRoot string `json:"cosigned_root,omitempty"`
}

// A Head is what a log is.
type Head struct {
	Size int64  `json:"size"`
	Root string `json:"root,omitempty"` // base64
	Note string `json:"note,omitempty"` // the signed checkpoint that says so
}

// An Offer names records that the caller could push.
type Offer struct {
	Space string      `json:"space"`
	IDs   []memory.ID `json:"ids"`
}

// Wanted names those of an offer that are not held.
type Wanted struct {
	IDs []memory.ID `json:"ids"`
}

// A Line is a record as exports write it: a DSSE envelope.
type Line = json.RawMessage

// A Push carries records of a space, and the key records that their authors need, each before
// the first record that needs it.
type Push struct {
	Space string `json:"space"`
	Lines []Line `json:"lines"`
}

// Acks say what became of each line of a push: every line is in one list.
type Acks struct {
	Stored  []memory.ID `json:"stored,omitempty"`  // new, and durable
	Held    []memory.ID `json:"held,omitempty"`    // were there before
	Refused []Refusal   `json:"refused,omitempty"` // the others were stored
	Added   int         `json:"-"`                 // how many were new, for whoever serves
}

// A Refusal says why a record was not taken.
type Refusal struct {
	ID   memory.ID `json:"id,omitzero"` // zero where the line could not be read
	Line int       `json:"line"`        // its place in the request, from 0
	Why  string    `json:"why"`
	// Again says that it may be taken once something else has come: its author's keys.
	Again bool `json:"again,omitempty"`
}

// A Filter selects records by their content. Its zero value selects all. Key records are
// always selected.
type Filter struct {
	Kinds []memory.Kind `json:"kinds,omitempty"` // none is all
	Tags  []string      `json:"tags,omitempty"`  // any of them; none is all
	NoRaw bool          `json:"no_raw,omitempty"`
}

// A LogRequest asks for a page of a log.
type LogRequest struct {
	Space  string `json:"space"`
	After  int64  `json:"after"`
	Limit  int    `json:"limit"`
	Held   int64  `json:"held,omitempty"` // the size of the checkpoint the caller holds
	Filter Filter `json:"filter"`
	Lines  bool   `json:"lines,omitempty"` // the caller lacks most of them: give the records too
}

// A LogPage is a page of a log. It always has all ids of the page: with those before, they
// give the root, and the proofs show that the log of the head continues it.
type LogPage struct {
	Entries []Entry  `json:"entries"`
	Lines   []Line   `json:"lines,omitempty"` // as many of the records as a reply may hold
	Head    Head     `json:"head"`
	Page    []string `json:"page,omitempty"` // consistency from the end of the page to the head
	Held    []string `json:"held,omitempty"` // consistency from the caller's checkpoint to the head

	read []envelope.Reading // the lines, verified, if the caller was idle meanwhile
}

// readings returns the records of the page, verified.
func (p *LogPage) readings() []envelope.Reading {
	if p.read == nil {
		p.read = envelope.ReadAll(p.Lines)
	}
	return p.read
}

// An Entry is one position of a log.
type Entry struct {
	Ref  memory.Ref `json:"ref"`
	Skip Skip       `json:"skip,omitempty"`
}

// A Skip says why a record is not to be fetched.
type Skip string

// Why a record is not to be fetched.
const (
	Filtered Skip = "filtered" // the caller's filter does not choose it
	Gone     Skip = "purged"   // its bytes are not there any more
)

// A Fetch asks for records.
type Fetch struct {
	Space string      `json:"space"`
	IDs   []memory.ID `json:"ids"`
}

// Lines are records, in the order in which they were asked for.
type Lines struct {
	Lines []Line `json:"lines"`
	// More says that the reply ended before the request did, because it was long enough; it
	// answers the first ids.
	More bool `json:"more,omitempty"`
}

// A KeysRequest asks for the key records of a space.
type KeysRequest struct {
	Space string `json:"space"`
}

// A KeyList names key records.
type KeyList struct {
	IDs []memory.ID `json:"ids"`
}

// A CosignRequest shows what the caller's own log of a space is.
type CosignRequest struct {
	Space string   `json:"space"`
	Note  string   `json:"note"`          // the caller's signed checkpoint; its origin names his store
	Key   string   `json:"key"`           // did:key that signed it
	Old   int64    `json:"old,omitempty"` // the size that was cosigned last, 0 for none
	Proof []string `json:"proof,omitempty"`
	// Restart says that a person knows that the log did not grow from there, and wants
	// to go on. What was cosigned before stays on record.
	Restart bool `json:"restart,omitempty"`
}

// Cosigned is the caller's checkpoint with the peer's signature.
type Cosigned struct {
	Note string `json:"note"`
}

// A ProveRequest asks for a proof that a log grew.
type ProveRequest struct {
	Space string `json:"space"`
	Old   int64  `json:"old"`
	Size  int64  `json:"size"`
}

// A Proof is hashes as in RFC 6962, in base64.
type Proof struct {
	Hashes []string `json:"hashes"`
}

func setOf(ids []memory.ID) map[memory.ID]bool {
	out := make(map[memory.ID]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out
}

// home is 1 for a space that is the usual place of a key record.
func home(space string) int {
	if strings.HasSuffix(space, "/main") {
		return 1
	}
	return 0
}
