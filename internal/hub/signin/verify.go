package signin

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of a verification.
const (
	mostToken = 64 << 10
	leeway    = time.Minute      // between the provider's clock and ours
	again     = 10 * time.Second // the provider is asked for its keys at most that often
	fresh     = time.Hour        // and keys are read again after this, so that one that was withdrawn ends
)

// A Verifier verifies ID tokens. It keeps the provider's keys, and is safe for concurrent use.
type Verifier struct {
	Web *http.Client     // nil is the system's authorities
	Now func() time.Time // nil is the clock

	asking sync.Mutex // one request asks the provider at a time
	asked  time.Time  // when we last did
	err    error      // of that

	mu   sync.Mutex
	of   string // the issuer of the keys
	keys []jwk
	read time.Time // when the keys were read
}

// Person is who signed in.
type Person struct {
	Subject string // issuer and subject: no issuer contains #
	Email   string // "" unless the provider verified it
}

type claims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience audience `json:"aud"`
	Party    string   `json:"azp"`
	Nonce    string   `json:"nonce"`
	Expires  *float64 `json:"exp"`
	Issued   *float64 `json:"iat"`
	Before   *float64 `json:"nbf"`
	Email    string   `json:"email"`
	Verified flag     `json:"email_verified"`
}

type audience []string

// UnmarshalJSON reads one name or a list.
func (a *audience) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(a))
}

type flag bool

// UnmarshalJSON reads true, also as a text, as some providers send it. All else is false.
func (f *flag) UnmarshalJSON(raw []byte) error {
	*f = string(raw) == "true" || string(raw) == `"true"`
	return nil
}

// Verify returns who an ID token is about. The error is ErrToken with its reason, or ErrProvider.
func (v *Verifier) Verify(ctx context.Context, s Settings, token, nonce string) (Person, error) {
	none := Person{}
	refuse := func(format string, args ...any) (Person, error) {
		return none, fmt.Errorf("%w: %s", ErrToken, fmt.Sprintf(format, args...))
	}
	parts := strings.Split(token, ".")
	if len(token) > mostToken || len(parts) != 3 {
		return refuse("it is not a signed token of at most %d bytes", mostToken)
	}
	var head struct {
		Alg      string   `json:"alg"`
		ID       string   `json:"kid"`
		Critical []string `json:"crit"`
	}
	var c claims
	sig, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err = errors.Join(err, part(parts[0], &head), part(parts[1], &c)); err != nil {
		return refuse("it cannot be read")
	}
	if head.Alg != "RS256" && head.Alg != "ES256" || len(head.Critical) > 0 {
		return refuse("its signature must be RS256 or ES256, got %.20q", head.Alg)
	}
	if c.Issuer != s.Issuer {
		return refuse("it is from another issuer")
	}
	good, err := v.signed(ctx, s.Issuer, head.Alg, head.ID, []byte(parts[0]+"."+parts[1]), sig)
	if err != nil {
		return none, err
	}
	if !good {
		return refuse("no key of %s made its signature", s.Issuer)
	}
	now := v.now()
	switch {
	case !slices.Contains(c.Audience, s.ClientID),
		len(c.Audience) > 1 && c.Party != s.ClientID, c.Party != "" && c.Party != s.ClientID:
		return refuse("it is for another application")
	case noTime(c.Expires), noTime(c.Issued), c.Before != nil && noTime(c.Before):
		return refuse("it has no time of issue and no end")
	case !now.Before(at(*c.Expires).Add(leeway)):
		return refuse("it has expired, or a clock is wrong: the hub's time is %s", now.UTC().Format(time.RFC3339))
	case at(*c.Issued).After(now.Add(leeway)), c.Before != nil && at(*c.Before).After(now.Add(leeway)):
		return refuse("it is from the future, or a clock is wrong: the hub's time is %s", now.UTC().Format(time.RFC3339))
	case nonce == "" || subtle.ConstantTimeCompare([]byte(c.Nonce), []byte(nonce)) != 1:
		return refuse("it was made for another sign-in")
	case c.Subject == "" || len(c.Subject) > mostWord || strings.ContainsFunc(c.Subject, unprintable):
		return refuse("it names no subject")
	}
	p := Person{Subject: s.Issuer + "#" + c.Subject}
	_, domain, at := strings.Cut(c.Email, "@")
	if bool(c.Verified) && at && domain != "" && !strings.Contains(domain, "@") && len(c.Email) <= mostWord &&
		!strings.ContainsFunc(c.Email, unprintable) {
		p.Email = c.Email
	}
	if len(s.Domains) > 0 && (p.Email == "" || !slices.Contains(s.Domains, strings.ToLower(domain))) {
		return refuse("the hub lets in people with a verified email address of %s", strings.Join(s.Domains, ", "))
	}
	return p, nil
}

func unprintable(r rune) bool { return r < ' ' || r == 0x7f || r == '�' }

func part(text string, into any) error {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// at reads a time of a token.
func at(seconds float64) time.Time { return time.Unix(int64(seconds), 0) }

// noTime reports whether a token has no time, or one that no clock shows.
func noTime(seconds *float64) bool {
	const most = 1 << 40
	return seconds == nil || *seconds <= 0 || *seconds >= most
}

func (v *Verifier) now() time.Time {
	if v.Now == nil {
		return time.Now()
	}
	return v.Now()
}

// signed reports whether a key of the issuer made a signature. Where none did, the keys are read again: the provider
// may have changed them. A provider that is away hinders nobody whose key is known.
func (v *Verifier) signed(ctx context.Context, issuer, alg, id string, text, sig []byte) (bool, error) {
	if v.known(issuer, alg, id, text, sig) {
		return true, nil
	}
	v.asking.Lock()
	defer v.asking.Unlock()
	if v.known(issuer, alg, id, text, sig) { // another request read the keys meanwhile
		return true, nil
	}
	if age := v.now().Sub(v.asked); v.of == issuer && age >= 0 && age < again {
		return false, v.err
	}
	var set struct {
		Keys []jwk `json:"keys"`
	}
	p, err := discover(ctx, v.Web, issuer)
	if err == nil {
		err = get(ctx, v.Web, p.Keys, &set)
	}
	if ctx.Err() != nil { // who asked hung up: that says nothing of the provider
		return false, ctx.Err()
	}
	now := v.now()
	v.asked, v.err = now, err
	v.mu.Lock()
	if err == nil {
		v.of, v.keys, v.read = issuer, set.Keys[:min(len(set.Keys), mostKeys)], now
	} else if v.of != issuer {
		v.of, v.keys = issuer, nil
	}
	v.mu.Unlock()
	return err == nil && v.known(issuer, alg, id, text, sig), err
}

const mostKeys = 100

// known reports whether a key that was read lately made a signature.
func (v *Verifier) known(issuer, alg, id string, text, sig []byte) bool {
	v.mu.Lock()
	keys := v.keys
	if v.of != issuer || v.now().Sub(v.read) >= fresh {
		keys = nil
	}
	v.mu.Unlock()
	return slices.ContainsFunc(keys, func(k jwk) bool { return k.fits(alg, id) && k.verifies(text, sig) })
}
