package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Running says where a server runs. It is a file in the server's directory, one
// for each store.
type Running struct {
	URL     string    `json:"url"`
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

// Page is the address of the page on which a person can decide about a record, or
// with "" about all that waits.
func (r Running) Page(ref string) string {
	if ref == "" {
		return r.URL + "/review"
	}
	return r.URL + "/memory/" + ref
}

// runningFile names the file of a store. What names the store may hold a
// password, and does not stand in it.
func runningFile(dir, store string) string {
	if !strings.Contains(store, "://") && store != "mem" {
		store = strings.TrimPrefix(store, "sqlite:")
		if abs, err := filepath.Abs(store); err == nil {
			store = abs
		}
		if real, err := filepath.EvalSymlinks(filepath.Dir(store)); err == nil {
			store = filepath.Join(real, filepath.Base(store))
		}
	}
	const enough = 8
	sum := sha256.Sum256([]byte(store))
	return filepath.Join(dir, "running-"+hex.EncodeToString(sum[:enough])+".json")
}

// Announce says that a server runs for a store, until what it gives is called.
func Announce(dir, store string, r Running) (end func(), err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	path := runningFile(dir, store)
	f, err := os.CreateTemp(dir, ".running-*") // made 0600
	if err != nil {
		return nil, fmt.Errorf("say where the server runs: %w", err)
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return nil, fmt.Errorf("say where the server runs: %w", err)
	}
	return func() {
		if now, ok := announced(path); ok && now.PID == r.PID && now.URL == r.URL {
			_ = os.Remove(path) // who reads it looks whether somebody is there
		}
	}, nil
}

func announced(path string) (Running, bool) {
	var r Running
	text, err := os.ReadFile(path)
	return r, err == nil && json.Unmarshal(text, &r) == nil && r.URL != ""
}

// Find returns the server that runs for a store. Whether it is one of this user is
// proved by it, before anybody shows it a token: another account could listen
// where ours did before.
func Find(dir, store string) (Running, bool) {
	r, ok := announced(runningFile(dir, store))
	if !ok {
		return r, false
	}
	agent, err := readToken(filepath.Join(dir, agentFile), agentPrefix)
	return r, err == nil && Genuine(r.URL, agent) == nil
}

// Has returns the tokens of a directory where they were made; it makes none.
func Has(dir string) (Tokens, bool, error) {
	agent, err := readToken(filepath.Join(dir, agentFile), agentPrefix)
	if errors.Is(err, fs.ErrNotExist) {
		return Tokens{}, false, nil
	}
	if err != nil {
		return Tokens{}, false, err
	}
	owner, err := readToken(filepath.Join(dir, ownerFile), ownerPrefix)
	return Tokens{agent, owner}, err == nil, err
}

// The header in which a server is asked to prove that it has the agents' token,
// and the path where it is.
const (
	ChallengeHeader = "Stemma-Challenge"
	HealthPath      = "/healthz"
)

// Health is what a server says of itself to everybody.
type Health struct {
	Status string `json:"status"`
	Proof  string `json:"proof,omitempty"`
}

// proof is over the port too: a proof of one server is none for who hands it on
// from another port.
func proof(token, port, challenge string) string {
	mac := hmac.New(sha256.New, []byte(token))
	fmt.Fprintf(mac, "stemma server\x00%s\x00%s", port, challenge)
	return hex.EncodeToString(mac.Sum(nil))
}

// Health answers whether the server serves, and proves that it is the one it is
// taken for. Everybody may ask.
func (g *Guard) Health() http.Handler {
	return g.Door(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", http.MethodGet)
			Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", HealthPath+" is asked with GET")
			return
		}
		reply := Health{Status: "ok"}
		if challenge := r.Header.Get(ChallengeHeader); challenge != "" && sayable(challenge) {
			reply.Proof = proof(g.tokens.Agent, g.port, challenge)
		}
		text, _ := json.Marshal(reply) // two strings
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(append(text, '\n')) // who hung up does not read
	}))
}

// Genuine asks a server on this machine to prove that it has the agents' token.
func Genuine(base, agentToken string) error {
	const within = 2 * time.Second
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(base, "/")+HealthPath, nil)
	if err != nil {
		return err
	}
	challenge := randomText()
	r.Header.Set(ChallengeHeader, challenge)
	client := http.Client{Timeout: within, Transport: &http.Transport{DisableKeepAlives: true}, // and no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	const most = 4 << 10
	var health Health
	if err := json.NewDecoder(io.LimitReader(got.Body, most)).Decode(&health); err != nil ||
		!same(health.Proof, proof(agentToken, u.Port(), challenge)) {
		return fmt.Errorf("the server at %s is not yours: no token was sent to it", u.Host)
	}
	return nil
}

// Direct returns an address with 127.0.0.1 for the name localhost. The name may lead to ::1, where another account can
// listen and pass on what the server at 127.0.0.1 proves.
func Direct(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Hostname() != "localhost" {
		return base
	}
	u.Host = strings.Replace(u.Host, "localhost", "127.0.0.1", 1)
	return u.String()
}

// Loopback reports whether a host, with or without a port, is this machine alone.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
