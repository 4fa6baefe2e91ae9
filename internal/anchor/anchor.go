// Package anchor pins memories to things outside the store (a commit, a page, a
// file, a timestamp) and checks later whether they still stand.
//
// For each type there are two calls, one that makes and one that checks; neither
// knows the store, and neither scores. What is checked was written by strangers:
// pages are fetched from public addresses only, files are read below one
// directory only, git runs guarded, and every read has a bound. The network is
// used by URL, and by Check when Options say online; by nothing else.
package anchor

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// The types of anchor that this package knows something about.
const (
	typePost = "moltbook_post"
	typeGit  = "git_commit"
	typeURL  = "url"
	typeFile = "file"
	typeTime = "rfc3161"
)

// Errors of making match one of these, or are of the system.
var (
	// ErrInvalid says that what was named is no anchor, or one that is refused.
	ErrInvalid = errors.New("invalid anchor")
	// ErrNotFound says that there is no such commit, page or file.
	ErrNotFound = errors.New("not found")
)

// Options say where to look. The zero value finds nothing on disk, keeps no
// snapshots, asks no network and trusts the system's authorities.
type Options struct {
	Dir    string           // where the user stands: a directory in the repository, and the root of files
	Cache  string           // directory for snapshots of pages; "" keeps none
	Roots  *x509.CertPool   // authorities trusted for timestamps; nil is the system's
	Online bool             // may Check use the network?
	Now    func() time.Time // nil is time.Now

	net *network // in tests, what stands for the outside
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// Status is how an anchor compares with the outside.
type Status string

// The statuses. Only Verified counts for anything.
const (
	Verified     Status = "verified"     // what was there is there
	Changed      Status = "changed"      // something else is there, or the proof is damaged
	Gone         Status = "gone"         // it was taken away
	Unreachable  Status = "unreachable"  // could not be asked; says nothing either way
	Stale        Status = "stale"        // verified too long ago; see Aged
	Unverifiable Status = "unverifiable" // nothing here can tell
)

// A Finding is how one check came out.
type Finding struct {
	Status  Status
	Bound   bool      // the thing itself names the memory's digest
	Class   string    // as Class, with what the check learned
	Why     string    // one line for people
	At      time.Time // when it was checked
	Stamped time.Time // rfc3161 and verified: when, by the authority's word
	Offline bool      // the network was not used
}

// Make makes an anchor of any type. The reference is what the type's own
// function takes; of rfc3161 it is the name of the file with the token. Types
// that nothing here can check are taken as they are given.
func Make(ctx context.Context, typ, reference string, of memory.Ref, o Options) (*memory.Anchor, error) {
	switch typ {
	case typeGit:
		return Git(ctx, reference, of, o)
	case typeURL:
		return URL(ctx, reference, of, o)
	case typePost:
		a, err := URL(ctx, reference, of, o)
		if a != nil {
			a.Type = typePost
		}
		return a, err
	case typeFile:
		return File(ctx, reference, of, o)
	case typeTime:
		token, err := readToken(reference)
		if err != nil {
			return nil, err
		}
		return RFC3161(token, of, o)
	}
	return sound(&memory.Anchor{Of: of, Type: typ, Reference: reference})
}

// Check compares an anchor with the outside as it is now. It never fails: what
// cannot be found out is a finding too.
func Check(ctx context.Context, a *memory.Anchor, o Options) Finding {
	f := Finding{Status: Unverifiable, At: o.now(), Offline: true}
	if _, err := sound(a); err != nil {
		f.Why = plain(err.Error())
		return f
	}
	f.Class = Class(a)
	switch a.Type {
	case typeGit:
		checkGit(ctx, a, o, &f)
	case typeURL, typePost:
		checkURL(ctx, a, o, &f)
	case typeFile:
		checkFile(ctx, a, o, &f)
	case typeTime:
		checkToken(a, o, &f)
	default:
		f.Why = "nothing here can check a " + a.Type
	}
	f.Why = plain(f.Why)
	return f
}

// say sets what a check found.
func (f *Finding) say(s Status, format string, args ...any) {
	f.Status, f.Why = s, fmt.Sprintf(format, args...)
}

// sound holds an anchor to the rules of its body.
func sound(a *memory.Anchor) (*memory.Anchor, error) {
	if a == nil {
		return nil, invalid("there is none")
	}
	if err := a.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return a, nil
}

// proof returns the bytes kept in an anchor, and whether they are the ones its
// digest and size speak of. An anchor without proof gives none.
func proof(a *memory.Anchor) ([]byte, bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(a.Proof)
	if err != nil {
		return nil, false
	}
	return b, len(b) == 0 || same(a, b)
}

// same reports whether bytes are those an anchor was made of, as far as it says.
func same(a *memory.Anchor, b []byte) bool {
	return (a.SHA256 == "" || a.SHA256 == digest(b)) && (a.Size == 0 || a.Size == int64(len(b)))
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// failure is an error whose text says only what is wrong.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.kind }

func invalid(format string, args ...any) error {
	return &failure{ErrInvalid, "anchor: " + plain(fmt.Sprintf(format, args...))}
}

func notFound(format string, args ...any) error {
	return &failure{ErrNotFound, "anchor: " + plain(fmt.Sprintf(format, args...))}
}
