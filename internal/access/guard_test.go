package access

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

var tokens = Tokens{Agent: agentPrefix + "a-secret-of-agents", Owner: ownerPrefix + "a-secret-of-the-owner"}

func guard(t *testing.T, o Options) *Guard {
	t.Helper()
	o.Tokens = tokens
	if o.Port == "" {
		o.Port = "7463"
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Host names, with whether they mean us on port 7463.
var hosts = []struct {
	name string
	ours bool
}{
	{"127.0.0.1:7463", true}, {"localhost:7463", true}, {"[::1]:7463", true},
	{"", false}, {"127.0.0.1", false}, {"localhost", false}, {"[::1]", false}, {"localhost:80", false},
	{"localhost:07463", false},
	{
		"localhost.:7463", false,
	}, {"LOCALHOST:7463", false}, {"Localhost:7463", false}, {"localhost:7463.", false}, {"localhost:7463:7463", false},
	{"127.0.0.2:7463", false}, {"127.1:7463", false}, {
		"2130706433:7463", false,
	}, {"0x7f.0.0.1:7463", false}, {"0.0.0.0:7463", false},
	{"[::]:7463", false}, {"[0:0:0:0:0:0:0:1]:7463", false}, {
		"[::ffff:127.0.0.1]:7463", false,
	}, {"::1:7463", false}, {"[::1%25lo]:7463", false},
	{"evil.example:7463", false}, {
		"localhost.evil.example:7463", false,
	}, {"evil.example", false}, {"localhost:7463@evil.example", false},
	{"user@localhost:7463", false}, {" localhost:7463", false}, {"localhost:7463 ", false}, {
		"localhost:7463,evil.example", false,
	}, {"127.0.0.1:7464", false},
}

// Origins as a browser sends them, with whether they are our own pages. "-" sends
// none, a comma sends two.
var origins = []struct {
	name string
	ours bool
}{
	{"-", true}, {"http://127.0.0.1:7463", true}, {"http://localhost:7463", true}, {"http://[::1]:7463", true},
	{"", false}, {"null", false}, {"http://localhost", false}, {"http://localhost:3000", false}, {
		"https://localhost:7463", false,
	},
	{"http://LOCALHOST:7463", false}, {
		"http://localhost.:7463", false,
	}, {"http://localhost:7463/", false}, {"http://evil.example", false},
	{"http://evil.example:7463", false}, {
		"http://localhost:7463.evil.example", false,
	}, {"http://localhost:7463@evil.example", false},
	{"file://", false}, {"chrome-extension://abcdef", false}, {
		"http://localhost:7463,http://evil.example", false,
	}, {"http://localhost:7463 http://evil.example", false},
}

// What is shown, and whose voice it proves; "" proves no one's.
var shown = []struct {
	header []string
	origin memory.Origin
}{
	{[]string{"Bearer " + tokens.Agent}, memory.OriginAgent}, {[]string{"bearer " + tokens.Owner}, memory.OriginOwner},
	{nil, ""}, {[]string{""}, ""}, {[]string{"Bearer "}, ""}, {[]string{"Bearer"}, ""}, {
		[]string{tokens.Owner}, "",
	}, {[]string{"Basic " + tokens.Owner}, ""},
	{[]string{"Bearer " + tokens.Owner[:20]}, ""}, {
		[]string{"Bearer " + tokens.Owner + "x"}, "",
	}, {[]string{"Bearer  " + tokens.Owner}, ""},
	{[]string{"Bearer " + strings.ToUpper(tokens.Owner)}, ""}, {
		[]string{"Bearer " + tokens.Agent + "," + tokens.Owner}, "",
	},
	{[]string{"Bearer " + tokens.Agent, "Bearer " + tokens.Owner}, ""}, {[]string{"Bearer null"}, ""},
}

func request(method, host, origin string, auth []string) *http.Request {
	r := httptest.NewRequest(method, "/v1/stats", nil)
	r.Host = host
	if origin != "-" {
		r.Header["Origin"] = strings.Split(origin, ",")
	}
	if auth != nil {
		r.Header["Authorization"] = auth
	}
	return r
}

// Every combination of Host, Origin, method and token: only those get in that
// name us, come from no foreign page and prove who they are, each in the voice
// that they proved. Reads are asked too.
func TestWhoGetsIn(t *testing.T) {
	var got memory.Origin
	in := guard(t, Options{}).Ask(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c, _ := CallerOf(r.Context())
		got = c.Origin
	}))
	n, accepted := 0, 0
	for _, host := range hosts {
		for _, origin := range origins {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} {
				for _, show := range shown {
					got = ""
					w := httptest.NewRecorder()
					in.ServeHTTP(w, request(method, host.name, origin.name, show.header))
					want := memory.Origin("")
					// our own page on another of our names is another origin for what changes things
					crossed := origin.name != "-" && origin.name != "http://"+host.name && method != "GET" && method != "HEAD" &&
						method != "OPTIONS"
					if host.ours && origin.ours && !crossed {
						want = show.origin
					}
					if got != want {
						t.Errorf(
							"%s, Host %q, Origin %q, Authorization %q: let in as %q, want %q", method, host.name,
							origin.name, show.header, got, want,
						)
					}
					if got == "" && w.Code != http.StatusForbidden && w.Code != http.StatusUnauthorized {
						t.Errorf("%s, Host %q, Origin %q: answered %d", method, host.name, origin.name, w.Code)
					}
					for name := range w.Header() {
						if strings.HasPrefix(name, "Access-Control-") {
							t.Errorf("the header %s lets foreign pages in", name)
						}
					}
					n++
					if got != "" {
						accepted++
					}
				}
			}
		}
	}
	t.Logf("%d combinations, %d accepted, none wrongly unless said above", n, accepted)
	if n < 120 || accepted == 0 {
		t.Errorf("%d combinations of which %d get in prove nothing", n, accepted)
	}
}

// What a browser says about where a request comes from is believed too.
func TestWhatTheBrowserSays(t *testing.T) {
	in := guard(t, Options{}).Ask(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for site, want := range map[string]int{"same-origin": 200, "none": 200, "same-site": 403, "cross-site": 403} {
		r := request("POST", "localhost:7463", "-", shown[0].header)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		if in.ServeHTTP(w, r); w.Code != want {
			t.Errorf("a post from %s is answered %d, want %d", site, w.Code, want)
		}
	}
}

// Names that the user set are answered to, as they stand there, and no other.
func TestHostsOfTheUser(t *testing.T) {
	g := guard(t, Options{Hosts: []string{"memory.example", "box.lan:9000"}})
	for host, want := range map[string]bool{
		"memory.example": true, "memory.example:7463": true, "box.lan:9000": true, "localhost:7463": true,
		"memory.example:9000": false, "box.lan": false, "a.memory.example": false, "MEMORY.example": false,
		"memory.example.": false,
	} {
		if got := g.foreign(request("GET", host, "-", nil)) == ""; got != want {
			t.Errorf("%s is answered: %v, want %v", host, got, want)
		}
	}
	if why := g.foreign(request("GET", "memory.example", "https://memory.example", nil)); why != "" {
		t.Errorf("a page of a name of the user is refused: %s", why)
	}
	for _, bad := range []string{
		"", "*", "*.example", "Memory.example", "memory.example.", "http://memory.example", "a b",
		"memory.example:", "a,b", ":80",
	} {
		if bad == "memory.example:" {
			continue // a port that is empty is a name that nobody sends
		}
		if _, err := New(Options{Port: "1", Hosts: []string{bad}}); err == nil {
			t.Errorf("a server may be called %q", bad)
		}
	}
}

// What callers say of themselves arrives, bounded, and decides nothing.
func TestWhatCallersSay(t *testing.T) {
	var got Caller
	in := guard(t, Options{}).Ask(
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got, _ = CallerOf(r.Context()) }),
	)
	r := request("POST", "localhost:7463", "-", shown[0].header)
	want := Caller{Origin: memory.OriginAgent, Agent: "one", Platform: "test", Session: "tuesday", Space: "work"}
	for name, text := range map[string]string{
		"Agent": want.Agent, "Platform": want.Platform, "Session": want.Session, "Space": want.Space,
		"Origin": "owner",
	} {
		r.Header.Set("Stemma-"+name, text)
	}
	w := httptest.NewRecorder()
	if in.ServeHTTP(w, r); got != want {
		t.Errorf("the caller is %+v, want %+v", got, want)
	}
	for _, bad := range []string{strings.Repeat("x", 257), "a\x00b", "a\x1bb", "\xff"} {
		r.Header.Set("Stemma-Agent", bad)
		w := httptest.NewRecorder()
		if in.ServeHTTP(w, r); w.Code != http.StatusBadRequest || w.Header().Get("Content-Type") != ProblemType {
			t.Errorf("Stemma-Agent %q is answered %d", bad, w.Code)
		}
	}
}
