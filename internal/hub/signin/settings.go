// Package signin signs people in with OpenID Connect: the client asks the provider for an ID token, and the hub
// verifies it. It knows the signatures RS256 and ES256 and no other.
package signin

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// The errors of a sign-in, matched with errors.Is.
var (
	// ErrProvider says that the provider does not answer, or not as an OpenID provider does.
	ErrProvider = errors.New("the OpenID provider cannot be used")
	// ErrToken says that an ID token proves nothing.
	ErrToken = errors.New("the ID token is not valid")
	// ErrRefused says that the provider did not sign the person in.
	ErrRefused = errors.New("the OpenID provider refused the sign-in")
)

// Offer is what a hub tells people who sign in.
type Offer struct {
	Issuer   string `json:"issuer"`
	ClientID string `json:"client_id"`
	// Exchange says that the hub exchanges the code for the ID token: the provider wants a secret, which only the hub has.
	Exchange bool `json:"exchange,omitempty"`
}

// Settings are what a hub keeps of its provider.
type Settings struct {
	Offer
	ClientSecret string `json:"client_secret,omitempty"` // for providers that want one; it stays in the hub

	Domains []string `json:"domains,omitempty"` // of verified email addresses that are let in; none is all people
}

// Public returns what people are told of the settings.
func (s Settings) Public() Offer {
	s.Offer.Exchange = s.ClientSecret != ""
	return s.Offer
}

// Check returns an error unless the settings can be used.
func (s Settings) Check() error {
	if err := checkAddress("the issuer", s.Issuer); err != nil {
		return err
	}
	if s.ClientID == "" || len(s.ClientID) > mostWord || len(s.ClientSecret) > mostWord {
		return fmt.Errorf("the client ID must have 1 to %d bytes, and a secret at most as many", mostWord)
	}
	for _, d := range s.Domains {
		if d == "" || strings.ContainsAny(d, "@ /*,") || d != strings.ToLower(d) {
			return fmt.Errorf("a domain is a name such as example.org, got %q", d)
		}
	}
	return nil
}

const mostWord = 500

// checkAddress refuses what is not encrypted on its way to another machine.
func checkAddress(what, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" && what == "the issuer" || u.Fragment != "" {
		return fmt.Errorf("%s must be an address https://HOST, got %q", what, text)
	}
	ip := net.ParseIP(u.Hostname())
	near := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !near) {
		return fmt.Errorf("%s must be an address https://HOST, got %q", what, text)
	}
	return nil
}
