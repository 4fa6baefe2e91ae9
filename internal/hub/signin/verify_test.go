package signin_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/hub/signin/signintest"
)

func begin(t *testing.T) (*signintest.Provider, *signin.Verifier, signin.Settings) {
	t.Helper()
	p := signintest.New()
	t.Cleanup(p.Close)
	v := &signin.Verifier{Web: p.Client(), Now: func() time.Time { return p.Now() }}
	return p, v, signin.Settings{Offer: signin.Offer{Issuer: p.URL, ClientID: signintest.Client}}
}

func TestVerifyTakesRS256AndES256(t *testing.T) {
	for _, alg := range []string{"RS256", "ES256"} {
		p, v, s := begin(t)
		p.Alg = alg
		who, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n")
		if err != nil || who.Subject != p.URL+"#ann-1" || who.Email != "ann@example.org" {
			t.Errorf("%s gives %+v, %v", alg, who, err)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	p, v, s := begin(t)
	in := func(d time.Duration) int64 { return p.Now().Add(d).Unix() }
	type change = func(head, body signintest.Claims)
	body := func(name string, value any) change {
		return func(_, b signintest.Claims) { b[name] = value }
	}
	for what, tt := range map[string]struct {
		change change
		want   string
	}{
		"alg none":              {func(h, _ signintest.Claims) { h["alg"] = "none" }, "RS256 or ES256"},
		"alg HS256":             {func(h, _ signintest.Claims) { h["alg"] = "HS256" }, "RS256 or ES256"},
		"the other algorithm":   {func(h, _ signintest.Claims) { h["alg"] = "ES256" }, "no key"},
		"a wrong kid":           {func(h, _ signintest.Claims) { h["kid"] = "other" }, "no key"},
		"a critical header":     {func(h, _ signintest.Claims) { h["crit"] = []string{"b64"} }, "RS256 or ES256"},
		"another issuer":        {body("iss", "https://other.example"), "another issuer"},
		"another audience":      {body("aud", "other"), "another application"},
		"no audience":           {body("aud", nil), "another application"},
		"two audiences":         {body("aud", []string{"other", signintest.Client}), "another application"},
		"another party":         {body("azp", "other"), "another application"},
		"another nonce":         {body("nonce", "m"), "another sign-in"},
		"no nonce":              {body("nonce", ""), "another sign-in"},
		"expired":               {body("exp", in(-2*time.Minute)), "expired"},
		"no end":                {body("exp", nil), "no time of issue"},
		"an end in no time":     {body("exp", 1e300), "no time of issue"},
		"an end as a word":      {body("exp", "tomorrow"), "cannot be read"},
		"from the future":       {body("iat", in(2*time.Minute)), "future"},
		"not yet good":          {body("nbf", in(2*time.Minute)), "future"},
		"no subject":            {body("sub", ""), "no subject"},
		"a subject of controls": {body("sub", "a\x1b[2J"), "no subject"},
		"a long subject":        {body("sub", strings.Repeat("a", 501)), "no subject"},
	} {
		if who, err := v.Verify(t.Context(), s, p.Sign("n", tt.change), "n"); !errors.Is(err, signin.ErrToken) ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s gives %+v, %v, want %q", what, who, err, tt.want)
		}
	}
	good := p.Sign("n", nil)
	parts := strings.Split(good, ".")
	text := p.Sign("n", func(h, _ signintest.Claims) { h["alg"] = "HS256" })
	text = text[:strings.LastIndex(text, ".")]
	der, err := x509.MarshalPKIXPublicKey(p.RSA())
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	mac.Write([]byte(text))
	other := strings.Split(p.Sign("n", body("sub", "eve")), ".")
	for what, token := range map[string]string{
		"nothing": "", "no signature": parts[0] + "." + parts[1] + ".", "two parts": parts[0] + "." + parts[1],
		"another's body":            parts[0] + "." + other[1] + "." + parts[2],
		"an HMAC of the public key": text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
		"too much":                  good + strings.Repeat("A", 64<<10),
	} {
		if who, err := v.Verify(t.Context(), s, token, "n"); !errors.Is(err, signin.ErrToken) {
			t.Errorf("%s gives %+v, %v, want ErrToken", what, who, err)
		}
	}
	if _, err := v.Verify(t.Context(), s, p.Sign("", nil), ""); !errors.Is(err, signin.ErrToken) {
		t.Errorf("a token without a nonce gives %v, want ErrToken", err)
	}
}

func TestVerifyWithDomains(t *testing.T) {
	p, v, s := begin(t)
	s.Domains = []string{"example.org"}
	for _, tt := range []struct {
		email    string
		verified any
		good     bool
	}{
		{"ann@example.org", true, true}, {"ann@EXAMPLE.org", "true", true}, {"ann@example.org", false, false},
		{"ann@example.org", nil, false}, {"ann@example.org.evil.example", true, false}, {"ann@sub.example.org", true, false},
		{"ann@evil.example@example.org", true, false}, {"example.org", true, false}, {"", true, false},
	} {
		who, err := v.Verify(t.Context(), s, p.Sign("n", func(_, b signintest.Claims) {
			b["email"], b["email_verified"] = tt.email, tt.verified
		}), "n")
		if (err == nil) != tt.good || tt.good && who.Email != tt.email {
			t.Errorf("%s, verified %v: %+v, %v", tt.email, tt.verified, who, err)
		}
	}
	s.Domains, p.Verified = nil, false
	if who, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n"); err != nil || who.Email != "" {
		t.Errorf("an address that is not verified: %+v, %v, want no address", who, err)
	}
}

// The clocks of hub and provider may differ by less than a minute.
func TestVerifyWithAnotherClock(t *testing.T) {
	p, v, s := begin(t)
	for _, tt := range []struct {
		away time.Duration
		good bool
	}{
		{-50 * time.Second, true}, {-70 * time.Second, false},
		{time.Hour + 50*time.Second, true}, {time.Hour + 70*time.Second, false},
	} {
		v.Now = func() time.Time { return p.Now().Add(tt.away) }
		if _, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n"); (err == nil) != tt.good {
			t.Errorf("a hub whose clock is %v ahead: %v", tt.away, err)
		} else if err != nil && !strings.Contains(err.Error(), "the hub's time is") {
			t.Errorf("the refusal tells no time: %v", err)
		}
	}
}

// A provider that is away hinders nobody whose key is known; one that changes its keys is asked again, but not for each
// token.
func TestVerifyWhenTheProviderIsAwayOrChangesItsKeys(t *testing.T) {
	p, v, s := begin(t)
	now := time.Now()
	p.Now = func() time.Time { return now }
	verify := func() error { _, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n"); return err }
	p.Away = true
	if err := verify(); !errors.Is(err, signin.ErrProvider) {
		t.Errorf("a provider that is away gives %v, want ErrProvider", err)
	}
	p.Away = false
	if err := verify(); !errors.Is(err, signin.ErrProvider) {
		t.Errorf("at once again gives %v: the provider is not asked so often", err)
	}
	now = now.Add(11 * time.Second)
	if err := verify(); err != nil {
		t.Fatal(err)
	}
	p.Away = true
	if err := verify(); err != nil {
		t.Errorf("with known keys: %v", err)
	}
	p.Away = false
	p.Rotate("second")
	now = now.Add(11 * time.Second)
	for range 5 {
		if err := verify(); err != nil {
			t.Errorf("with changed keys: %v", err)
		}
	}
	for range 20 {
		_, _ = v.Verify(t.Context(), s, p.Sign("n", func(h, _ signintest.Claims) { h["kid"] = "guess" }), "n")
	}
	if p.Asked != 2 {
		t.Errorf("the provider was asked for its keys %d times, want 2", p.Asked)
	}
	p.Away = true
	now = now.Add(61 * time.Minute)
	if err := verify(); !errors.Is(err, signin.ErrProvider) {
		t.Errorf("an hour later, with the provider away: %v, want ErrProvider", err)
	}
}

func TestVerifyRefusesDiscovery(t *testing.T) {
	for what, doc := range map[string]map[string]any{
		"huge":               {"more": strings.Repeat("a", 2<<20)},
		"of another issuer":  {"issuer": "https://other.example"},
		"with plain text":    {"jwks_uri": "http://other.example/keys"},
		"without keys":       {"jwks_uri": nil},
		"of another type":    {"jwks_uri": 7},
		"with another place": {"jwks_uri": "file:///etc/passwd"},
	} {
		p, v, s := begin(t)
		p.Document = doc
		if _, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n"); !errors.Is(err, signin.ErrProvider) {
			t.Errorf("a document %s gives %v, want ErrProvider", what, err)
		}
	}
	p, v, s := begin(t)
	v.Web = nil // whose authorities do not know the certificate
	if _, err := v.Verify(t.Context(), s, p.Sign("n", nil), "n"); !errors.Is(err, signin.ErrProvider) {
		t.Errorf("an unknown certificate gives %v, want ErrProvider", err)
	}
}

func TestSettingsCheck(t *testing.T) {
	for _, tt := range []struct {
		issuer, client, domain string
		good                   bool
	}{
		{"https://login.example.org", "x", "example.org", true}, {"http://127.0.0.1:8080/realm", "x", "example.org", true},
		{"http://login.example.org", "x", "example.org", false}, {"login.example.org", "x", "example.org", false},
		{"https://u:p@login.example.org", "x", "a.b", false}, {"https://login.example.org#x", "x", "a.b", false},
		{"https://login.example.org", "", "a.b", false}, {"https://login.example.org", "x", "@a.b", false},
		{"https://login.example.org", "x", "A.b", false}, {"https://login.example.org?x=1", "x", "a.b", false},
	} {
		s := signin.Settings{Offer: signin.Offer{Issuer: tt.issuer, ClientID: tt.client}, Domains: []string{tt.domain}}
		if err := s.Check(); (err == nil) != tt.good {
			t.Errorf("%+v gives %v", tt, err)
		}
	}
}
