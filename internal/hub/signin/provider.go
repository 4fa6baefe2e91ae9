package signin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// mostDocument bounds what a provider may send at once.
const mostDocument = 1 << 20

// provider is what we use of a discovery document.
type provider struct {
	Issuer        string `json:"issuer"`
	Authorization string `json:"authorization_endpoint"`
	Token         string `json:"token_endpoint"`
	Keys          string `json:"jwks_uri"`
}

// discover reads and checks the discovery document of an issuer.
func discover(ctx context.Context, web *http.Client, issuer string) (provider, error) {
	var p provider
	if err := get(ctx, web, strings.TrimRight(issuer, "/")+"/.well-known/openid-configuration", &p); err != nil {
		return p, err
	}
	if p.Issuer != issuer {
		return p, fmt.Errorf("%w: it says that it is %.200q, and the hub asks for %s", ErrProvider, p.Issuer, issuer)
	}
	for what, text := range map[string]string{
		"authorization_endpoint": p.Authorization, "token_endpoint": p.Token, "jwks_uri": p.Keys,
	} {
		if err := checkAddress(what, text); err != nil {
			return p, fmt.Errorf("%w: %w", ErrProvider, err)
		}
	}
	return p, nil
}

func get(ctx context.Context, web *http.Client, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProvider, err)
	}
	status, raw, err := ask(web, req)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%w: %s answers %d", ErrProvider, address, status)
	}
	if err == nil && json.Unmarshal(raw, into) != nil {
		err = fmt.Errorf("%w: %s answers with another document", ErrProvider, address)
	}
	return err
}

// ask sends a request to a provider, for a short time and a short answer. It follows no redirect: what was checked is
// the address itself.
func ask(web *http.Client, req *http.Request) (status int, raw []byte, err error) {
	const patience = 10 * time.Second
	direct := http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	if web != nil {
		direct.Transport = web.Transport
	}
	req.Header.Set("Accept", "application/json")
	resp, err := direct.Do(req)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrProvider, err)
	}
	defer resp.Body.Close()
	raw, err = io.ReadAll(io.LimitReader(resp.Body, mostDocument+1))
	if err == nil && len(raw) > mostDocument {
		err = fmt.Errorf("more than %d bytes at once", mostDocument)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %s: %w", ErrProvider, req.URL.Redacted(), err)
	}
	return resp.StatusCode, raw, nil
}
