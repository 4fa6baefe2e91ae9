package anchor

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"time"
)

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

// say sets what a check found.
func (f *Finding) say(s Status, format string, args ...any) {
	f.Status, f.Why = s, fmt.Sprintf(format, args...)
}

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

// network is what tests put in the place of the outside.
type network struct {
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	roots    *x509.CertPool
	patience time.Duration
}
