package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// The errors of a Hub, in addition to those of its store.
var (
	// ErrAbsent says that something does not exist or that the caller may not know of it; the
	// two are never distinguished.
	ErrAbsent = errors.New("it does not exist, or it is not yours")
	// ErrSpent says that an invitation was used, has expired or never was.
	ErrSpent = errors.New("the invitation is not good: it was used, has expired, or never was")
	// ErrSubject says that an OpenID sign-in does not fit the accounts that are there.
	ErrSubject = errors.New("the sign-in is refused")
	// ErrRole says that a database role may see or change more than it should, or less than it must.
	ErrRole = errors.New("the database role has the wrong rights")
)

// An InShard is an error of one of several shards of a hub. The others may well serve.
type InShard struct {
	No  int
	Err error
}

func (e *InShard) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *InShard) Unwrap() error { return e.Err }

// A Role is what a member of a space may do. Each may what those before it may.
type Role string

// The roles.
const (
	Reader  Role = "reader"  // pulls and searches
	Writer  Role = "writer"  // pushes what it signed or gathered
	Keeper  Role = "keeper"  // invites and removes members
	Arbiter Role = "arbiter" // settles disputes; its claims about others' records count by the rules of trust
)

// Owner is the role of who owns a space that was handed over. Signed records alone give it.
const Owner Role = "owner"

// Roles are all roles that are given, the least first.
func Roles() []Role { return []Role{Reader, Writer, Keeper, Arbiter} }

// AtLeast reports whether r may what other may.
func (r Role) AtLeast(other Role) bool {
	have := slices.Index(Roles(), r)
	return have >= 0 && have >= slices.Index(Roles(), other)
}

// An Account is somebody a hub knows, by the key of its owner.
type Account struct {
	DID   string    `json:"account"`
	Name  string    `json:"name"`
	Made  time.Time `json:"made"`
	Ended time.Time `json:"ended,omitzero"` // it may do nothing since

	Maker   string    `json:"maker,omitempty"`   // the account that made this service account; "" is a person's
	Expires time.Time `json:"expires,omitzero"`  // of a service account
	Subject string    `json:"subject,omitempty"` // issuer and subject of who signed in at an OpenID provider
	Email   string    `json:"email,omitempty"`   // as that provider told it
}

// Service reports whether an account is a machine's, made by somebody else.
func (a *Account) Service() bool { return a.Maker != "" }

// Live reports whether an account may ask at a time.
func (a *Account) Live(now time.Time) bool {
	return a.Ended.IsZero() && (a.Expires.IsZero() || now.Before(a.Expires))
}

// A Member is an account's place in a space.
type Member struct {
	Space   string    `json:"space"`
	Account string    `json:"account"`
	Role    Role      `json:"role"`
	Made    time.Time `json:"made"`
}

// A Secret is the SHA-256 of a token or of an invitation's code. Only the recipient has the
// words themselves.
type Secret [32]byte

// A Token is what an account proves itself with. The id is public.
type Token struct {
	ID       string    `json:"id"`
	Secret   Secret    `json:"-"`
	Account  string    `json:"account"`
	Audience string    `json:"audience"` // the hub it was given for
	Label    string    `json:"label"`
	Made     time.Time `json:"made"`
	Expires  time.Time `json:"expires,omitzero"`
	Revoked  time.Time `json:"revoked,omitzero"`

	Key     string    `json:"key,omitempty"`     // did:key that proves each request; "" of earlier releases
	Ends    time.Time `json:"ends,omitzero"`     // until then it is renewed; zero is without end
	Used    time.Time `json:"used,omitzero"`     // last, to the minute
	Address string    `json:"address,omitempty"` // from where
}

// Good reports whether a token still opens a hub at a time.
func (t *Token) Good(audience string, now time.Time) bool {
	return t.Audience == audience && t.Revoked.IsZero() && (t.Expires.IsZero() || now.Before(t.Expires))
}

// Renewable reports whether a token that is bound to a key can be renewed at a time.
func (t *Token) Renewable(audience string, now time.Time) bool {
	return t.Audience == audience && t.Key != "" && t.Revoked.IsZero() && (t.Ends.IsZero() || now.Before(t.Ends))
}

// Over returns when a token ends for good; zero is never.
func (t *Token) Over() time.Time {
	if t.Key == "" {
		return t.Expires
	}
	return t.Ends
}

// An Invitation lets one account in, once. With no space it makes an account
// that has its own spaces only.
type Invitation struct {
	Secret  Secret    `json:"-"`
	ID      string    `json:"id"`
	Space   string    `json:"space,omitempty"`
	Role    Role      `json:"role,omitempty"`
	By      string    `json:"by"` // the account that invited; "" is who runs the hub
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
}

// A Quota bounds what a space or an account may store; 0 is no bound. For the other limits of
// an account, 0 is the hub's default and a negative number is no bound.
type Quota struct {
	Of      string `json:"of"` // a space or an account
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`

	Spaces       int64 `json:"spaces,omitempty"`       // that bear its key
	Messages     int64 `json:"letters,omitempty"`      // of it that wait to be fetched
	MessageBytes int64 `json:"letter_bytes,omitempty"` // in them

	Archived time.Time `json:"archived,omitzero"` // a space: read only since
}

// A Message is a request to be a witness, or the answer to one, on its way from
// one account to another. Its body is a file of the exchange that both verify.
type Message struct {
	ID      string    `json:"id"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Re      string    `json:"re,omitempty"` // the message that this answers
	Body    []byte    `json:"body,omitempty"`
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
}

// A Sight is how much of a store an account may see: the spaces it may read, those it may
// write, and those of which it sees the key records alone, because their members write where
// it may read.
type Sight struct {
	Reads, Writes, Keys []string
}

// A Pool is what a process uses of its connections to a database.
type Pool struct {
	InUse, Most int
	Waits       int64 // how often one was waited for, since the process began
	Retries     int64 // transactions that were tried again since then
}

// A Hub is a store that many accounts share. It stores the accounts and their rights, and
// shows each account its part of the store.
type Hub interface {
	// Asking returns the context of one request, which asks once where spaces lie.
	Asking(ctx context.Context) context.Context
	// Within returns the store as an account sees it; everything else does not exist there. An
	// account that may write may also read, and may add key records to the spaces whose keys
	// it sees. The store is closed with the Hub.
	Within(ctx context.Context, s Sight) (Store, error)
	// Spread sorts spaces by where they lie. Those of a group can be seen within one Sight.
	Spread(ctx context.Context, spaces []string) ([][]string, error)
	// AddSpace begins a space, if it is not there; Begun reports whether it is.
	AddSpace(ctx context.Context, space string) error
	Begun(ctx context.Context, space string) (bool, error)
	// Totals returns the sizes of the logs of all spaces.
	Totals(ctx context.Context) ([]Space, error)
	// SpacesOf names the spaces of an owner that have begun, in order.
	SpacesOf(ctx context.Context, owner string) ([]string, error)

	Accounts(ctx context.Context) ([]Account, error)
	Account(ctx context.Context, did string) (Account, error)       // ErrAbsent
	EndAccount(ctx context.Context, did string, at time.Time) error // ErrAbsent where it was ended before

	SetMember(ctx context.Context, m Member) error
	RemoveMember(ctx context.Context, space, account string) error // ErrAbsent
	// MoveMember changes a member's role, or removes the member if the new role is empty,
	// provided that the role is still the old one; ErrAbsent otherwise. Invitations by the
	// member that exceed the new role end.
	MoveMember(ctx context.Context, was Member, now Role) error
	// SetOwner keeps who owns a space that was handed over; whoever owned it before is a writer.
	SetOwner(ctx context.Context, m Member) error
	// Owners returns the owners of the spaces that were handed over, by space.
	Owners(ctx context.Context) (map[string]string, error)
	// Members returns those of a space or of an account; "" is any.
	Members(ctx context.Context, space, account string) ([]Member, error)

	Invite(ctx context.Context, i Invitation) error
	// Invitations returns those to a space that can still be used; "" is all of them.
	Invitations(ctx context.Context, space string, now time.Time) ([]Invitation, error)
	// Uninvite ends one of them, by its public id; ErrAbsent.
	Uninvite(ctx context.Context, id, space string, now time.Time) error
	// Join uses an invitation up: in one step it makes the account unless it is
	// there, its place in the space, and its token. ErrSpent where it cannot.
	Join(ctx context.Context, code Secret, a Account, t Token) (Invitation, error)

	// SignIn makes the account of a subject unless it is there, and its token. ErrSubject where the subject has another
	// account that was not ended, or the account another subject, or was ended.
	SignIn(ctx context.Context, a Account, t Token) error
	// Setting returns what SetSetting kept of the whole hub under a name; nil is nothing.
	Setting(ctx context.Context, name string) ([]byte, error)
	SetSetting(ctx context.Context, name string, value []byte) error
	// Settings returns those whose names begin with a word, by the rest of the name.
	Settings(ctx context.Context, begin string) (map[string][]byte, error)
	// Left returns when accounts left a space, or were put out of it. One that came back is among them.
	Left(ctx context.Context, space string) (map[string]time.Time, error)

	AddToken(ctx context.Context, t Token) error
	// Token returns the token of a secret; ErrAbsent.
	Token(ctx context.Context, secret Secret) (Token, error)
	Tokens(ctx context.Context, account string) ([]Token, error)
	// TokenOf returns the token of a public id as it was renewed last; ErrAbsent.
	TokenOf(ctx context.Context, id string) (Token, error)
	// RenewToken gives the token of an id and a key another secret and time; ErrAbsent where it was revoked.
	RenewToken(ctx context.Context, t Token) error
	// BindToken binds a token that has no key to one; ErrAbsent where it has another.
	BindToken(ctx context.Context, id, key string) error
	UseToken(ctx context.Context, id string, at time.Time, address string) error
	RevokeToken(ctx context.Context, id, account string, at time.Time) error // account "" is any; ErrAbsent

	// AddServices makes service accounts and their roles, all or none; ErrSpent where a key has an account.
	AddServices(ctx context.Context, all []Account, places []Member) error
	// JoinService keeps the token of a service account; ErrAbsent where there is none that may ask.
	JoinService(ctx context.Context, t Token) error
	Services(ctx context.Context, maker string) ([]Account, error) // maker "" is any
	// Brought returns what an account stored, by space.
	Brought(ctx context.Context, account string) ([]Quota, error)

	SetQuota(ctx context.Context, q Quota) error // but for Archived
	// Archive makes a space read only, or with no time ends that. Archived names those that are.
	Archive(ctx context.Context, space string, at time.Time) error
	Archived(ctx context.Context) ([]string, error)
	// Quotas returns the bounds of some spaces and accounts; none named is all of them.
	Quotas(ctx context.Context, of ...string) ([]Quota, error)
	// Charge adds to what an account stored in a space; Used returns the sums of a space and
	// of an account.
	Charge(ctx context.Context, space, account string, records, bytes int64) error
	Used(ctx context.Context, space, account string) (ofSpace, ofAccount Quota, err error)

	PutMessage(ctx context.Context, l Message) error
	// Messages returns those to an account that have not expired, without their
	// bodies. Message returns one with its body, or ErrAbsent.
	Messages(ctx context.Context, to string, now time.Time) ([]Message, error)
	Message(ctx context.Context, id, to string, now time.Time) (Message, error)
	DropMessage(ctx context.Context, id, to string) error
	// MessagesFrom counts the waiting messages of m's sender, without m, and
	// their bytes.
	MessagesFrom(ctx context.Context, l Message, now time.Time) (n, size int64, err error)

	// Keyed returns the spaces whose key records belong to what was written in some
	// spaces; AddKeyed says so of one more.
	Keyed(ctx context.Context, spaces ...string) ([]string, error)
	AddKeyed(ctx context.Context, space string, keys ...string) error

	// Alive reports whether the database answers.
	Alive(ctx context.Context) error
	// Pool counts the connections to the database.
	Pool() Pool
	Close() error
}

// OwnerOf returns the owner of a space by its full name.
func OwnerOf(space string) string {
	owner, _, full := strings.Cut(space, "/")
	if !full {
		return ""
	}
	return owner
}
