package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Waits is how long Ask waits for the person. The hub takes the ID token for longer.
const Waits = 5 * time.Minute

// A Code is what a provider gave a person's browser, with what proves that it is used by who asked for it.
type Code struct {
	Code     string `json:"code"`
	Verifier string `json:"code_verifier"`
	Redirect string `json:"redirect_uri"`
}

// form is what the provider is sent for an ID token.
func (c Code) form(clientID string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {c.Code}, "redirect_uri": {c.Redirect}, "client_id": {clientID},
		"code_verifier": {c.Verifier},
	}
}

// Ask has a person sign in, and returns the ID token, which the hub verifies. show is given the address to open in a
// browser on this machine, which then leads back to a port of 127.0.0.1. Where the offer says that the hub exchanges
// the code, exchange asks it to.
func Ask(ctx context.Context, web *http.Client, o Offer, nonce string, show func(address string),
	exchange func(context.Context, Code) (string, error)) (string, error) {
	if err := (Settings{Offer: o}).Check(); err != nil {
		return "", fmt.Errorf("%w: %w", ErrProvider, err)
	}
	p, err := discover(ctx, web, o.Issuer)
	if err != nil {
		return "", err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the browser: %w", err)
	}
	back := "http://" + l.Addr().String() + callback
	state, verifier := word(), word()
	sum := sha256.Sum256([]byte(verifier))
	address, err := url.Parse(p.Authorization)
	if err != nil {
		_ = l.Close()
		return "", fmt.Errorf("%w: %w", ErrProvider, err)
	}
	q := address.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": o.ClientID, "redirect_uri": back, "scope": "openid email profile",
		"state": state, "nonce": nonce, "code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]),
		"code_challenge_method": "S256",
	} {
		q.Set(name, value)
	}
	address.RawQuery = q.Encode()
	code, err := await(ctx, l, state, func() { show(address.String()) })
	if err != nil {
		return "", err
	}
	got := Code{code, verifier, back}
	if o.Exchange && exchange != nil {
		return exchange(ctx, got)
	}
	return redeem(ctx, web, p.Token, got.form(o.ClientID))
}

// Exchange gives the provider a code and the secret for the ID token.
func (s Settings) Exchange(ctx context.Context, web *http.Client, c Code) (string, error) {
	back, err := url.Parse(c.Redirect)
	if err != nil || back.Scheme != "http" || back.Hostname() != "127.0.0.1" || back.Path != callback || c.Code == "" ||
		c.Verifier == "" {
		return "", fmt.Errorf("%w: that is no code of a sign-in on a person's machine", ErrRefused)
	}
	p, err := discover(ctx, web, s.Issuer)
	if err != nil {
		return "", err
	}
	form := c.form(s.ClientID)
	form.Set("client_secret", s.ClientSecret)
	return redeem(ctx, web, p.Token, form)
}

const callback = "/callback"

func word() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// await returns the code that the browser brings. A request with another state is refused, and we go on waiting.
func await(ctx context.Context, l net.Listener, state string, show func()) (string, error) {
	type result struct {
		code string
		err  error
	}
	came := make(chan result, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+callback, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Connection", "close")
		if subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintln(w, "This answer belongs to another sign-in.")
			return
		}
		got := result{code: q.Get("code")}
		text := "You are signed in. Close this page and go back to the terminal."
		if got.code == "" {
			got.err = fmt.Errorf("%w: %.200q", ErrRefused, q.Get("error")+" "+q.Get("error_description"))
			text = "You are not signed in. The terminal says why."
		}
		_, _ = fmt.Fprintln(w, text)
		select {
		case came <- got:
		default: // the browser asked twice
		}
	})
	const patience = 10 * time.Second
	server := &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	go func() { _ = server.Serve(l) }()
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(end) != nil { // it sends the page first
			_ = server.Close()
		}
	}()
	show()
	timer := time.NewTimer(Waits)
	defer timer.Stop()
	select {
	case got := <-came:
		return got.code, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	case <-timer.C:
		return "", fmt.Errorf("%w: nobody signed in within %s", ErrRefused, Waits)
	}
}

// redeem gives the provider the code for the ID token.
func redeem(ctx context.Context, web *http.Client, address string, form url.Values) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrProvider, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, raw, err := ask(web, req)
	if err != nil {
		return "", err
	}
	var got struct {
		Token  string `json:"id_token"`
		Error  string `json:"error"`
		Detail string `json:"error_description"`
	}
	if json.Unmarshal(raw, &got) != nil || status == http.StatusOK && got.Token == "" {
		return "", fmt.Errorf("%w: its answer has no ID token", ErrProvider)
	}
	if status != http.StatusOK {
		return "", fmt.Errorf("%w: %.200q", ErrRefused, strings.TrimSpace(got.Error+" "+got.Detail))
	}
	return got.Token, nil
}
