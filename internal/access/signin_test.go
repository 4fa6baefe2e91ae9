package access

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A code is given to the owner alone, lets one browser in once, and not for long.
func TestSigningIn(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	g := guard(t, Options{Now: func() time.Time { return now }})
	door := g.SignIn()
	do := func(method, path string, change func(*http.Request)) *http.Response {
		r := httptest.NewRequest(method, path, nil)
		r.Host = "127.0.0.1:7463"
		if change != nil {
			change(r)
		}
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		return w.Result()
	}
	with := func(auth string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+auth) }
	}
	code := func() Code {
		t.Helper()
		r := do("POST", CodePath, with(tokens.Owner))
		var c Code
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.StatusCode != http.StatusCreated {
			t.Fatalf("a code for the owner: %d, %v", r.StatusCode, err)
		}
		return c
	}
	for who, auth := range map[string]string{"an agent": tokens.Agent, "nobody": "", "a stranger": "guess"} {
		if r := do("POST", CodePath, with(auth)); r.StatusCode != http.StatusForbidden &&
			r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s asks for a code and is answered %d", who, r.StatusCode)
		}
	}

	first := code()
	if r := do("HEAD", first.Path, nil); len(r.Cookies()) > 0 {
		t.Error("looking at the address signs in")
	}
	in := do("GET", first.Path, nil)
	if in.StatusCode != http.StatusOK || len(in.Cookies()) != 1 {
		t.Fatalf("signing in is answered %d with %d cookies", in.StatusCode, len(in.Cookies()))
	}
	cookie := in.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" {
		t.Errorf("the cookie is %v; want one for this host alone that no script reads and no other site sends", cookie)
	}
	if again := do("GET", first.Path, nil); again.StatusCode != http.StatusUnauthorized || len(again.Cookies()) > 0 {
		t.Errorf("a code used twice is answered %d", again.StatusCode)
	}
	late := code()
	now = now.Add(codeLasts)
	if r := do("GET", late.Path, nil); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("a code that is too old is answered %d", r.StatusCode)
	}
	if r := do("GET", SignInPath+"?code=", nil); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("no code is answered %d", r.StatusCode)
	}

	signed := func(change func(*http.Request)) bool {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = "127.0.0.1:7463"
		r.AddCookie(cookie)
		if change != nil {
			change(r)
		}
		c, ok := g.Caller(r)
		return ok && c.Origin == "owner"
	}
	if !signed(nil) {
		t.Error("a browser that signed in is not known")
	}
	for name, change := range map[string]func(*http.Request){
		"with a wrong token too":      with("wrong"),
		"from a page of another port": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"from a foreign page":         func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"with two cookies of the name": func(r *http.Request) {
			r.AddCookie(
				&http.Cookie{Name: cookie.Name, Value: "x"},
			)
		},
		"with a cookie that is none of a session": func(r *http.Request) { r.Header.Set("Cookie", cookie.Name+"=x") },
		"with a cookie of another port's server": func(r *http.Request) {
			r.Header.Set(
				"Cookie", "stemma_1="+cookie.Value,
			)
		},
		"with a code in the place of a session id": func(r *http.Request) {
			r.Header.Set(
				"Cookie", cookie.Name+"="+code().Code,
			)
		},
	} {
		if signed(change) {
			t.Errorf("a cookie %s is taken", name)
		}
	}
	if r := do("POST", CodePath, func(r *http.Request) { r.AddCookie(cookie) }); r.StatusCode != http.StatusForbidden {
		t.Errorf("a browser asks for a code for others and is answered %d", r.StatusCode)
	}
	do("POST", SignOutPath, func(r *http.Request) { r.AddCookie(cookie) })
	if signed(nil) {
		t.Error("a browser that signed out is still known")
	}
	cookie = do("GET", code().Path, nil).Cookies()[0]
	now = now.Add(sessionLasts)
	if signed(nil) {
		t.Error("a session lasts for ever")
	}
}

// Codes and sessions are bounded: the oldest go.
func TestEntriesAreBounded(t *testing.T) {
	g := guard(t, Options{})
	first := g.Code()
	for range mostCodes {
		g.Code()
	}
	if n := len(g.entries.codes); n != mostCodes {
		t.Errorf("%d codes are kept, want %d", n, mostCodes)
	}
	if _, ok := g.entries.spend(first.Code); ok {
		t.Error("the oldest code is still good where there are too many")
	}
}
