package access

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/memory"
)

// Options are what a Guard goes by.
type Options struct {
	Tokens Tokens
	Port   string           // that the server listens on
	Hosts  []string         // names besides those of the machine itself, "name" or "name:port"; none is the default
	Now    func() time.Time // nil is the clock
}

// A Guard decides who may ask. It is safe for concurrent use.
type Guard struct {
	tokens  Tokens
	hosts   []string // as they stand in Host
	origins []string // as they stand in Origin
	cookie  string
	port    string
	second  *http.CrossOriginProtection
	entries entries
}

// New makes a guard.
func New(o Options) (*Guard, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Guard{
		tokens: o.Tokens, cookie: "stemma_" + o.Port, port: o.Port, second: http.NewCrossOriginProtection(),
		entries: entries{now: o.Now},
	}
	for _, host := range []string{"127.0.0.1", "[::1]", "localhost"} {
		g.take("http", host, o.Port)
	}
	for _, host := range o.Hosts {
		if err := CheckHost(host); err != nil {
			return nil, err
		}
		g.take("http", host, o.Port)
		// behind something that speaks TLS the name stands alone
		g.hosts, g.origins = append(g.hosts, host), append(g.origins, "https://"+host, "http://"+host)
	}
	return g, nil
}

// take lets in those who name a host with the port of the server. Browsers leave
// a scheme's own port out.
func (g *Guard) take(scheme, host, port string) {
	if port == "80" {
		g.hosts, g.origins = append(g.hosts, host), append(g.origins, scheme+"://"+host)
	}
	g.hosts, g.origins = append(g.hosts, host+":"+port), append(g.origins, scheme+"://"+host+":"+port)
}

// CheckHost says whether a name can be one that a server answers to.
func CheckHost(host string) error {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	bad := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(".-:[]", r)
	}
	if name == "" || strings.HasSuffix(name, ".") || strings.ContainsFunc(host, bad) {
		return fmt.Errorf(
			"%.100q is no name of a host: write it in lower case, with a port where it has one of its own, and no *",
			host,
		)
	}
	return nil
}

// A Caller is who asks, as the request proved or says it. What it says of itself
// never decides what it may do: that follows from Origin.
type Caller struct {
	Origin   memory.Origin // owner for the owner's token or cookie, agent for the agents' token
	Agent    string        // Stemma-Agent
	Platform string        // Stemma-Platform
	Session  string        // Stemma-Session
	Space    string        // Stemma-Space
	Project  string        // Stemma-Project
	// Page is what a signed-in browser must repeat in PageHeader to change anything; "" is a
	// caller with a token.
	Page string
}

type callerKey struct{}

// CallerOf returns who asks, of a request that a Guard let in.
func CallerOf(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// As is a request of a caller.
func As(r *http.Request, c Caller) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, c))
}

// EventsPath is where events are streamed. A page sends no headers there: its address says what it reads.
const EventsPath = "/v1/events"

// Door lets in those who mean this server and were not sent by a foreign page,
// whoever they are. It is for the few routes that no token is asked for.
func (g *Guard) Door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := g.foreign(r); why != "" {
			Refuse(w, http.StatusForbidden, KindForbidden, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Ask lets in those who also prove who they are, by a token or by the cookie of
// a browser that signed in. CallerOf says who it was.
func (g *Guard) Ask(next http.Handler) http.Handler {
	return g.Door(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := g.Caller(r)
		if !ok {
			w.Header().Set("WWW-Authenticate", `Bearer realm="stemma"`)
			Refuse(w, http.StatusUnauthorized, KindUnauthorized,
				"say who you are: the header 'Authorization: Bearer TOKEN' with the token of this server, or sign in with "+
					"'stemma ui'")
			return
		}
		for name, text := range map[string]string{
			"Stemma-Agent": c.Agent, "Stemma-Platform": c.Platform, "Stemma-Session": c.Session,
			"Stemma-Space": c.Space, "Stemma-Project": c.Project,
		} {
			if !sayable(text) {
				Refuse(w, http.StatusBadRequest, "invalid", name+": must be UTF-8 of at most 256 bytes without control characters")
				return
			}
		}
		next.ServeHTTP(w, As(r, c))
	}))
}

// sayable says what a header may say of a caller.
func sayable(s string) bool {
	const most = 256
	return len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// foreign says why a request is not for us, or from a foreign page; "" is that
// it is neither.
func (g *Guard) foreign(r *http.Request) string {
	if !slices.Contains(g.hosts, r.Host) {
		return fmt.Sprintf("this server does not answer to the name %.100q; the setting serve.hosts adds names", r.Host)
	}
	if from, sent := r.Header["Origin"]; sent && (len(from) != 1 || !slices.Contains(g.origins, from[0])) {
		return "requests from pages of other origins are not answered"
	}
	if err := g.second.Check(r); err != nil {
		return "requests from pages of other origins are not answered"
	}
	return ""
}

// Caller says who asks, if they proved it. It does not look where the request
// came from: Ask does.
func (g *Guard) Caller(r *http.Request) (Caller, bool) {
	c := Caller{
		Agent: r.Header.Get("Stemma-Agent"), Platform: r.Header.Get("Stemma-Platform"),
		Session: r.Header.Get("Stemma-Session"), Space: r.Header.Get("Stemma-Space"),
		Project: r.Header.Get("Stemma-Project"),
	}
	if r.URL.Path == EventsPath && c.Space == "" && c.Project == "" {
		c.Space, c.Project = r.URL.Query().Get("space"), r.URL.Query().Get("project")
	}
	// Who shows a token is judged by it, whatever else they show.
	if shown, any := r.Header["Authorization"]; any {
		if len(shown) != 1 {
			return Caller{}, false
		}
		scheme, token, _ := strings.Cut(shown[0], " ")
		owner, agent := same(token, g.tokens.Owner), same(token, g.tokens.Agent)
		switch {
		case !strings.EqualFold(scheme, "Bearer"):
			return Caller{}, false
		case owner:
			c.Origin = memory.OriginOwner
		case agent:
			c.Origin = memory.OriginAgent
		default:
			return Caller{}, false
		}
		return c, true
	}
	session, ok := g.signedIn(r)
	if !ok {
		return Caller{}, false
	}
	c.Origin, c.Page = memory.OriginOwner, pageToken(session)
	return c, true
}
