// Package hub joins stores: it serves the spaces of one database to many accounts over HTTP,
// and shows each account only its own part. The requests of a peer are defined in package
// peer; this package decides who is asking, and what of the database they may see.
package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// Options say what a hub is.
type Options struct {
	Store store.Hub
	Key   *keys.Key // signs what its logs are, and cosigns those of others
	Name  string    // for which tokens are good
	Log   *slog.Logger
	Now   func() time.Time // nil is the clock

	Metrics string // the token that /metrics is shown for; "" is nobody's
	Version string // of the program, for the metrics
	Traces  *tracing.Tracer
	Sends   metrics.Options // where metrics are sent besides

	Rate  float64       // requests a second of one account; 0 is 50
	Most  int           // requests at once; 0 is 64
	Token time.Duration // how long who joined renews a token, and how long one without a key is good; 0 is a year

	Person  time.Duration // how long a person's token is good until it is renewed; 0 is a day
	Service time.Duration // and one of a service account; 0 is an hour

	Web *http.Client // asks the OpenID provider; nil trusts the system's authorities
}

// A Server is a hub. It is safe for concurrent use.
type Server struct {
	o        Options
	secret   [32]byte // of challenges: what only who has the key can make
	limit    *access.Limiter
	doors    *access.Limiter // for those who are not known yet
	room     chan struct{}
	lobby    chan struct{} // where it is found out who asks
	mu       sync.Mutex
	serving  map[string]*peer.Hub // by what it sees
	order    []string
	inside   map[string]int         // requests under way, by account
	under    map[string]store.Quota // what pushes that are under way may bring, by space and account
	admits   sync.Mutex             // one push is counted in at a time
	ended    chan struct{}          // closed when a push that was counted in ends, if somebody asked
	counts   counts
	archived archived
	owners   owners
	begins   sync.Mutex // one space begins, or message comes, at a time: how many there are is counted before
	uses     uses
	signIn   signIn
}

// mostServing is how many spaces are kept in memory.
const mostServing = 256

// New makes a hub.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Rate == 0 {
		o.Rate = 50
	}
	if o.Most == 0 {
		o.Most = 64
	}
	if o.Token == 0 {
		o.Token = 365 * 24 * time.Hour
	}
	if o.Person == 0 {
		o.Person = 24 * time.Hour
	}
	if o.Service == 0 {
		o.Service = time.Hour
	}
	if o.Name == "" {
		return nil, errors.New("a hub needs a name")
	}
	// Several processes of one hub make and take the same challenges.
	made, err := o.Key.Sign("application/vnd.stemma.hub-secret.v1", []byte(o.Name))
	if err != nil {
		return nil, err
	}
	const burst, lobbies = 4, 4
	return &Server{
		o: o, counts: counts{began: o.Now()}, secret: sha256.Sum256(made), room: make(chan struct{}, o.Most),
		lobby: make(
			chan struct{}, lobbies*o.Most,
		), serving: make(map[string]*peer.Hub), under: make(map[string]store.Quota), inside: make(map[string]int),
		limit: access.NewLimiter(access.Limit{Rate: o.Rate, Burst: int(o.Rate) * burst, Now: o.Now}),
		doors: newDoors(o.Now), signIn: signIn{verifier: signin.Verifier{Web: o.Web, Now: o.Now}},
	}, nil
}

// health says whether the database answers, and nothing else.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := s.o.Store.Alive(ctx); err != nil {
		s.o.Log.Warn("not healthy", "error", err.Error())
		w.Header().Set("Retry-After", "1")
		access.Refuse(w, http.StatusServiceUnavailable, "unavailable", "the database does not answer")
		return
	}
	healthy(w)
}

// livePath answers as long as the process does, also while the database is away: a restart would not bring it back.
const livePath = "/livez"

func healthy(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{\"status\":\"ok\"}\n")) // who hung up does not read
}

// An account is a caller and their rights.
type account struct {
	store.Account
	token  store.Token
	roles  map[string]peer.Role
	owners map[string]string // of the spaces that were handed over
}

// owner returns the account that owns a space.
func (a *account) owner(space string) string { return cmp.Or(a.owners[space], store.OwnerOf(space)) }

// role returns what an account may do in a space. It keeps its own, but a service account has none to write into: its
// records stand in the spaces of its maker, and only its key records here. Who handed over the space that has their
// keys still writes there.
func (a *account) role(space string) peer.Role {
	switch handed := a.owners[space]; {
	case handed == a.DID:
		return peer.Arbiter
	case handed != "" && space == a.DID+"/"+engine.DefaultSpace && !a.roles[space].May(peer.Writer):
		return peer.Writer
	case handed == "" && store.OwnerOf(space) == a.DID:
		if a.Service() {
			return peer.Reader
		}
		return peer.Keeper
	}
	return a.roles[space]
}

// errDenied is the same for a space that is not there and for one that is not the
// caller's: it names none.
var errDenied = fmt.Errorf("%w: the space does not exist, or you may not do that in it", peer.ErrDenied)

// hub returns what serves within a sight. What it has read of it it keeps.
func (s *Server) hub(ctx context.Context, in store.Sight) (*peer.Hub, error) {
	v, err := s.o.Store.Within(ctx, in)
	if err != nil {
		return nil, err
	}
	totals, err := v.Spaces(ctx) // a space that has begun since is another sight
	if err != nil {
		return nil, err
	}
	name := ""
	if at, ok := v.(interface{ Shard() string }); ok { // accounts move
		name = at.Shard() + "\n"
	}
	for _, part := range [][]string{in.Reads, in.Writes, in.Keys} {
		for _, n := range part {
			name += n + "\n"
		}
		name += "\n"
	}
	for _, t := range totals {
		name += t.Name + "\n"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.serving[name]; h != nil {
		return h, nil
	}
	if len(s.order) >= mostServing {
		delete(s.serving, s.order[0])
		s.order = s.order[1:]
	}
	h := peer.NewHub(v, s.o.Key, s.o.Now)
	s.serving[name], s.order = h, append(s.order, name)
	return h, nil
}
