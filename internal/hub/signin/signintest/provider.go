// Package signintest is an OpenID provider for tests. It signs in whoever asks.
package signintest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"
)

// Client is the ID of the application that the provider knows.
const Client = "stemma-test"

// Claims are those of an ID token, or its header.
type Claims map[string]any

// A Provider serves over TLS. Its fields change under Mu.
type Provider struct {
	*httptest.Server
	Mu       sync.Mutex
	Now      func() time.Time
	Subject  string
	Email    string
	Verified bool
	Alg      string         // RS256 or ES256
	Document map[string]any // replaces members of the discovery document
	Away     bool           // answers nothing
	Asked    int            // how often it was asked for its keys
	Secret   string         // that the application must send; "" is none

	rsa   *rsa.PrivateKey
	ec    *ecdsa.PrivateKey
	id    string // of both keys
	codes map[string]url.Values
}

// New starts a provider. Close ends it.
func New() *Provider {
	p := &Provider{
		Now: time.Now, Subject: "ann-1", Email: "ann@example.org", Verified: true, Alg: "RS256",
		codes: make(map[string]url.Values),
	}
	p.Rotate("first")
	mux := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{
		"/.well-known/openid-configuration": p.discovery, "/keys": p.keys, "/authorize": p.authorize, "/token": p.token,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			p.Mu.Lock()
			defer p.Mu.Unlock()
			if p.Away {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			h(w, r)
		})
	}
	p.Server = httptest.NewTLSServer(mux)
	return p
}

// Rotate replaces the keys by others, with this key ID.
func (p *Provider) Rotate(id string) {
	const size = 2048
	p.rsa, p.ec, p.id = must(rsa.GenerateKey(rand.Reader, size)), must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), id
}

// Sign returns an ID token with a nonce. change may change its header and its claims before they are signed.
func (p *Provider) Sign(nonce string, change func(head, body Claims)) string {
	now := p.Now()
	head := Claims{"alg": p.Alg, "kid": p.id, "typ": "JWT"}
	body := Claims{
		"iss": p.URL, "aud": Client, "sub": p.Subject, "nonce": nonce, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"email": p.Email, "email_verified": p.Verified,
	}
	if change != nil {
		change(head, body)
	}
	text := word(must(json.Marshal(head))) + "." + word(must(json.Marshal(body)))
	sum := sha256.Sum256([]byte(text))
	var sig []byte
	if p.Alg == "ES256" {
		const half = 32
		r, s := must2(ecdsa.Sign(rand.Reader, p.ec, sum[:]))
		sig = append(r.FillBytes(make([]byte, half)), s.FillBytes(make([]byte, half))...)
	} else {
		sig = must(rsa.SignPKCS1v15(nil, p.rsa, crypto.SHA256, sum[:]))
	}
	return text + "." + word(sig)
}

// RSA returns the public key with the modulus as the provider publishes it.
func (p *Provider) RSA() *rsa.PublicKey { return &p.rsa.PublicKey }

// Browse opens an address as a person's browser does, and returns the last status.
func (p *Provider) Browse(address string) (int, error) {
	resp, err := p.Server.Client().Get(address)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	doc := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys",
	}
	for name, value := range p.Document {
		doc[name] = value
	}
	reply(w, doc)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.Asked++
	public := must(p.ec.PublicKey.Bytes())[1:]
	half := len(public) / 2
	e := []byte{byte(p.rsa.E >> 16), byte(p.rsa.E >> 8), byte(p.rsa.E)}
	reply(w, map[string]any{"keys": []Claims{
		{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": p.id, "n": word(p.rsa.N.Bytes()), "e": word(e)},
		{"kty": "EC", "use": "sig", "kid": p.id, "crv": "P-256", "x": word(public[:half]), "y": word(public[half:])},
	}})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || back.Hostname() != "127.0.0.1" || q.Get("client_id") != Client || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	code := word(b)
	p.codes[code] = q
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	code := r.FormValue("code")
	q, known := p.codes[code]
	delete(p.codes, code)
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || word(sum[:]) != q.Get("code_challenge") || r.FormValue("redirect_uri") != q.Get("redirect_uri") ||
		r.FormValue("client_secret") != p.Secret {
		w.WriteHeader(http.StatusBadRequest)
		reply(w, map[string]any{"error": "invalid_grant"})
		return
	}
	reply(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": p.Sign(q.Get("nonce"), nil)})
}

func reply(w http.ResponseWriter, v any) { _, _ = fmt.Fprintf(w, "%s", must(json.Marshal(v))) }

func word(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func must2[T any](a, b T, err error) (T, T) { return must(a, err), b }
