package signin_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/hub/signin"
)

// The whole way: the browser is led to the provider and back, and the ID token is good for this nonce alone.
func TestAskGetsAToken(t *testing.T) {
	p, v, s := begin(t)
	p.Secret, s.ClientSecret = "hush", "hush"
	exchange := func(ctx context.Context, c signin.Code) (string, error) { return s.Exchange(ctx, p.Client(), c) }
	token, err := signin.Ask(t.Context(), p.Client(), s.Public(), "n", func(address string) {
		if code, err := p.Browse(address); err != nil || code != 200 {
			t.Errorf("the browser gets %d, %v", code, err)
		}
	}, exchange)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(t.Context(), s, token, "n"); err != nil {
		t.Error(err)
	}
	if _, err := v.Verify(t.Context(), s, token, "other"); !errors.Is(err, signin.ErrToken) {
		t.Errorf("with another nonce: %v, want ErrToken", err)
	}
}

// back returns where an address leads the browser back to.
func back(t *testing.T, address string) (string, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("redirect_uri"), u.Query().Get("state")
}

// An answer with another state is refused and ends nothing: the right one comes after it.
func TestAskRefusesAnotherState(t *testing.T) {
	p, _, s := begin(t)
	if _, err := signin.Ask(t.Context(), p.Client(), s.Offer, "n", func(address string) {
		to, _ := back(t, address)
		for _, q := range []string{"?code=stolen&state=guess", "?code=stolen", "?error=denied&state="} {
			if code, err := p.Browse(to + q); err != nil || code != 400 {
				t.Errorf("%s gives %d, %v, want 400", q, code, err)
			}
		}
		if code, err := p.Browse(address); err != nil || code != 200 {
			t.Errorf("the browser gets %d, %v", code, err)
		}
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestAskFails(t *testing.T) {
	p, _, s := begin(t)
	visit := func(query string) func(string) {
		return func(address string) {
			to, state := back(t, address)
			_, _ = p.Browse(to + "?" + query + "&state=" + url.QueryEscape(state))
		}
	}
	if _, err := signin.Ask(t.Context(), p.Client(), s.Offer, "n", visit("error=access_denied"), nil); !errors.Is(err,
		signin.ErrRefused) || !strings.Contains(err.Error(), "access_denied") {
		t.Errorf("a refusal gives %v, want ErrRefused with its reason", err)
	}
	if _, err := signin.Ask(t.Context(), p.Client(), s.Offer, "n", visit("code=guess"), nil); !errors.Is(err,
		signin.ErrRefused) {
		t.Errorf("a code that is not the provider's gives %v, want ErrRefused", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := signin.Ask(ctx, p.Client(), s.Offer, "n", func(string) { cancel() }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt gives %v, want context.Canceled", err)
	}
	p.Away = true
	if _, err := signin.Ask(t.Context(), p.Client(), s.Offer, "n", nil, nil); !errors.Is(err, signin.ErrProvider) {
		t.Errorf("a provider that is away gives %v, want ErrProvider", err)
	}
}
