package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

func (a *app) hubOidcCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "oidc", Short: "Let people sign in with OpenID Connect", Args: cobra.NoArgs, Long: `Examples:
  stemma hub oidc set --issuer https://login.example.org --client-id stemma
  stemma hub oidc show
  stemma hub oidc off

People then join with 'stemma remote add NAME URL --sign-in' and need no invitation.
A running hub uses changed settings within a minute`}
	show := a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return hub.SignInOf(ctx, h)
	}, a.showOidc)
	c.RunE = show
	c.AddCommand(a.hubOidcSetCmd(dir),
		&cobra.Command{Use: "show", Short: "Show the OpenID provider", Args: cobra.NoArgs, RunE: show,
			Long: "Examples:\n  stemma hub oidc show --json\n\nShow the OpenID provider"},
		&cobra.Command{Use: "off", Short: "End sign-in with OpenID Connect", Args: cobra.NoArgs,
			Long: "Examples:\n  stemma hub oidc off\n\nAccounts and tokens stay: 'stemma hub account end' ends them",
			RunE: a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
				return signin.Settings{}, hub.SetSignIn(ctx, h, nil)
			}, a.showOidc)})
	return c
}

func (a *app) hubOidcSetCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "set", Short: "Set the OpenID provider", Args: cobra.NoArgs, Long: `Examples:
  stemma hub oidc set --issuer https://login.example.org --client-id stemma
  stemma hub oidc set --issuer https://accounts.google.com --client-id ID \
    --client-secret @secret.txt --domain example.org

Register stemma as a native application that redirects to http://127.0.0.1 on any
port. A provider with PKCE needs no secret. One that wants a secret is asked by the
hub. The secret stays there. Replaces all earlier settings`}
	var set signin.Settings
	f := c.Flags()
	f.StringVar(&set.Issuer, "issuer", "", "address of the provider, as in its discovery document")
	f.StringVar(&set.ClientID, "client-id", "", "ID of the application at the provider")
	secret := f.String("client-secret", "", "@FILE with the secret of the native application, if the provider needs one")
	f.StringArrayVar(&set.Domains, "domain", nil,
		"domain of verified email addresses to let in; repeatable (default: everyone at the provider)")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		if set.Issuer == "" || set.ClientID == "" {
			return nil, api.Invalid("hub oidc set: needs --issuer and --client-id")
		}
		if *secret != "" {
			if !strings.HasPrefix(*secret, "@") {
				return nil, api.Invalid("--client-secret: must be @FILE, so that the secret is in no list of processes")
			}
			text, err := a.oneLine("--client-secret", strings.TrimPrefix(*secret, "@"))
			if err != nil {
				return nil, err
			}
			set.ClientSecret = text
		}
		if err := set.Check(); err != nil {
			return nil, api.Invalid("hub oidc set: %s", err)
		}
		return set, hub.SetSignIn(ctx, h, &set)
	}, a.showOidc)
	return c
}

func (a *app) showOidc(v any) {
	set := v.(signin.Settings)
	if set.Issuer == "" {
		a.hint("people do not sign in at this hub; to let them: stemma hub oidc set")
		return
	}
	fmt.Fprintf(a.env.Stdout, "issuer %s\nclient %s\n", clean(set.Issuer), clean(set.ClientID))
	if set.ClientSecret != "" {
		fmt.Fprintln(a.env.Stdout, "with a client secret")
	}
	fmt.Fprintf(a.env.Stdout, "lets in %s\n", or(clean(strings.Join(set.Domains, ", ")), "everyone at the provider"))
}

// hubSignIn joins a hub with an ID token of its OpenID provider, and keeps the token that the hub gives.
func (a *app) hubSignIn(ctx context.Context, t hubToken, label string) error {
	var of error // of the engine or the provider
	c, err := a.hubKnocks(t, crowd, client.Binding{})
	if err != nil {
		return hubProblem(err)
	}
	defer c.Close()
	web, err := t.browser()
	if err != nil {
		return err
	}
	_, err = a.joinsHub(ctx, t, crowd, func(ch client.Challenge, machine string) (client.Join, error) {
		var out client.Join
		out, of = a.signedIn(ctx, web, ch, machine, label, func(ctx context.Context, code signin.Code) (string, error) {
			got, err := c.Exchange(ctx, client.Exchange{Challenge: ch.Challenge, Code: code})
			return got.IDToken, hubProblem(err)
		})
		return out, of
	})
	if of != nil {
		return of
	}
	return hubProblem(err)
}

// browser returns what asks the OpenID provider. A person who has a certificate authority for the
// hub may have it for the provider too.
func (t hubToken) browser() (*http.Client, error) {
	if t.CA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(t.CA)
	if err != nil {
		return nil, api.Invalid("--ca: %s", oneText(err))
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	roots.AppendCertsFromPEM(text) // hubKnocks refuses a file without a certificate
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, Proxy: http.ProxyFromEnvironment,
	}}, nil
}

func (a *app) signedIn(
	ctx context.Context, web *http.Client, ch client.Challenge, machine, label string,
	exchange func(context.Context, signin.Code) (string, error),
) (client.Join, error) {
	none := client.Join{}
	if ch.SignIn == nil {
		return none, api.Invalid("people do not sign in at the hub %s: use --invitation CODE", clean(ch.Hub))
	}
	e, err := a.open(ctx)
	if err != nil {
		return none, err
	}
	me, err := e.SignJoin(ctx, ch.Hub, ch.Challenge, "", machine) // a person's own, before anything is asked
	if err != nil {
		return none, err
	}
	nonce := peer.SignInNonce(ch.Hub, ch.Challenge, me.Account, machine)
	id, err := signin.Ask(ctx, web, *ch.SignIn, nonce, func(address string) {
		fmt.Fprintf(a.env.Stderr, "to sign in, open this address in a browser on this machine:\n%s\n", clean(address))
	}, exchange)
	if errors.Is(err, signin.ErrRefused) {
		return none, api.Invalid("%s", oneText(err))
	} else if err != nil {
		return none, hubAway{errors.New(oneText(err))}
	}
	j, err := e.SignJoin(ctx, ch.Hub, ch.Challenge, id, machine)
	if err != nil {
		return none, err
	}
	out := joinOf(j, ch, label)
	out.IDToken = id
	return out, nil
}
