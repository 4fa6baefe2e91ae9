package access

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// How long a code waits to be used, how long a browser stays signed in without
// asking anything, and how many of each there are at most.
const (
	codeLasts    = 2 * time.Minute
	sessionLasts = 12 * time.Hour
	mostCodes    = 16
	mostSessions = 64
)

// Where a browser signs in, and where a code for that is asked for.
const (
	SignInPath  = "/signin"
	CodePath    = "/signin/code"
	SignOutPath = "/signout"
)

// entries are the codes and sessions there are, by their hashes: what is kept in
// memory lets no one in.
type entries struct {
	now func() time.Time

	sync.Mutex
	codes    map[[32]byte]time.Time // until when
	sessions map[[32]byte]time.Time
}

// A Code is the reply to who asks for one.
type Code struct {
	Code    string    `json:"code"`
	Path    string    `json:"path"` // to be opened in a browser
	Expires time.Time `json:"expires"`
}

// Code makes a code with which one browser signs in, once.
func (g *Guard) Code() Code {
	c := Code{Code: randomText(), Expires: g.entries.now().Add(codeLasts)}
	c.Path = SignInPath + "?code=" + c.Code
	g.entries.Lock()
	defer g.entries.Unlock()
	g.entries.codes = g.entries.with(g.entries.codes, mostCodes, c.Code, c.Expires)
	return c
}

// with adds a secret, dropping those that are over and, where there are too many,
// the one that would be over first.
func (e *entries) with(list map[[32]byte]time.Time, most int, secret string, until time.Time) map[[32]byte]time.Time {
	if list == nil {
		list = make(map[[32]byte]time.Time)
	}
	now := e.now()
	for len(list) > 0 {
		var first [32]byte
		for key, at := range list {
			if first == [32]byte{} || at.Before(list[first]) {
				first = key
			}
		}
		if len(list) < most && list[first].After(now) {
			break
		}
		delete(list, first)
	}
	list[sha256.Sum256([]byte(secret))] = until
	return list
}

// spend uses up a code and opens a session for it.
func (e *entries) spend(code string) (session string, ok bool) {
	e.Lock()
	defer e.Unlock()
	key := sha256.Sum256([]byte(code))
	until, known := e.codes[key]
	delete(e.codes, key)
	if !known || !until.After(e.now()) {
		return "", false
	}
	session = randomText()
	e.sessions = e.with(e.sessions, mostSessions, session, e.now().Add(sessionLasts))
	return session, true
}

// open reports whether a session is, and lets it last longer if so.
func (e *entries) open(session string) bool {
	e.Lock()
	defer e.Unlock()
	key := sha256.Sum256([]byte(session))
	until, known := e.sessions[key]
	if !known || !until.After(e.now()) {
		delete(e.sessions, key)
		return false
	}
	e.sessions[key] = e.now().Add(sessionLasts)
	return true
}

func (e *entries) end(session string) {
	e.Lock()
	defer e.Unlock()
	delete(e.sessions, sha256.Sum256([]byte(session)))
}

// signedIn reports whether the request comes with the cookie of a session, from our
// own page. Cookies do not tell ports apart, so a page of another server on this
// machine could send it: a browser says where a request comes from.
func (g *Guard) signedIn(r *http.Request) (session string, ok bool) {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return "", false
	}
	list := r.CookiesNamed(g.cookie)
	if len(list) != 1 || list[0].Value == "" || !g.entries.open(list[0].Value) {
		return "", false
	}
	return list[0].Value, true
}

// pageToken is made of a session, so that it ends with it.
func pageToken(session string) string {
	sum := sha256.Sum256([]byte("stemma page\x00" + session))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// SignIn serves the three paths of signing in and out.
func (g *Guard) SignIn() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+CodePath, g.Ask(http.HandlerFunc(g.giveCode)))
	mux.Handle("GET "+SignInPath, g.Door(http.HandlerFunc(g.letIn)))
	mux.Handle("POST "+SignOutPath, g.Ask(http.HandlerFunc(g.letOut)))
	return mux
}

// giveCode gives a code to a holder of the owner's token. A cookie does not do: it
// was got with a code.
func (g *Guard) giveCode(w http.ResponseWriter, r *http.Request) {
	if c, _ := CallerOf(r.Context()); c.Origin != memory.OriginOwner || r.Header.Get("Authorization") == "" {
		Refuse(w, http.StatusForbidden, KindForbidden, "only a person signs in: run 'stemma ui' at a terminal")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(g.Code()) // who hung up does not read
}

// letIn sets the cookie of a browser, and sends it to the page.
func (g *Guard) letIn(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet { // HEAD looks, and uses nothing up
		return
	}
	session, ok := g.entries.spend(r.URL.Query().Get("code"))
	if !ok && AtBrowser(r) {
		AskPerson(w, "This address was used before, or is too old: it lets one browser in, once.")
		return
	}
	if !ok {
		Refuse(
			w, http.StatusUnauthorized, KindUnauthorized,
			"this code was used before or has expired: run 'stemma ui' for another",
		)
		return
	}
	http.SetCookie(w, g.sessionCookie(session, int(sessionLasts/time.Second)))
	// A redirect would count as sent by whoever led here, and the cookie would stay
	// behind; a page of ours sends it along.
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	_, _ = io.WriteString(
		w,
		`<!doctype html><html lang="en"><title>stemma</title><meta http-equiv="refresh" content="0;url=/"><p><a `+
			`href="/">Go on to your memory</a></p></html>`+"\n",
	)
}

func (g *Guard) letOut(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(g.cookie); err == nil {
		g.entries.end(c.Value)
	}
	http.SetCookie(w, g.sessionCookie("", -1))
	w.WriteHeader(http.StatusNoContent)
}

func (g *Guard) sessionCookie(value string, age int) *http.Cookie {
	return &http.Cookie{
		Name: g.cookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}
