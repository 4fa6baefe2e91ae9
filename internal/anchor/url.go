package anchor

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

const (
	maxHeaders   = 64 << 10
	maxRedirects = 5
	patience     = 10 * time.Second // for all of a fetch, redirects included
	agent        = "stemma (anchor check)"
)

// errTooBig says that a page was not read to its end.
var errTooBig = fmt.Errorf("%w: a page over %d MiB is refused", ErrInvalid, maxPage>>20)

// A page is what a server gave.
type page struct {
	body  []byte
	media string
	final *url.URL
}

// URL fetches a page and anchors to its exact bytes. It asks the network whatever
// o.Online says. Only https on port 443 of public addresses is asked, without
// cookies, passwords or a proxy; a page has at most 2 MiB and ten seconds.
func URL(ctx context.Context, rawURL string, of memory.Ref, o Options) (*memory.Anchor, error) {
	u, err := address(rawURL)
	if err != nil {
		return nil, err
	}
	p, err := fetch(ctx, u, o.net)
	if err != nil {
		return nil, err
	}
	if len(p.body) == 0 {
		return nil, invalid("%s is empty", u)
	}
	a := &memory.Anchor{Of: of, Type: typeURL, Reference: u.String(), SHA256: digest(p.body),
		MediaType: p.media, Size: int64(len(p.body))}
	if final := p.final.String(); final != a.Reference {
		a.Final = final
	}
	if _, err := sound(a); err != nil {
		return nil, err
	}
	if err := keepSnapshot(o.Cache, p.body); err != nil {
		return nil, err
	}
	return a, nil
}

func checkURL(ctx context.Context, a *memory.Anchor, o Options, f *Finding) {
	u, err := address(a.Reference)
	if err != nil {
		f.say(Unverifiable, "%v", err)
		return
	}
	if !o.Online {
		f.say(Unreachable, "not asked to use the network")
		return
	}
	f.Offline = false
	p, err := fetch(ctx, u, o.net)
	switch {
	case errors.Is(err, errTooBig):
		f.say(Changed, "%v", err)
		return
	case errors.Is(err, ErrNotFound):
		f.say(Gone, "%v", err)
		return
	case errors.Is(err, ErrInvalid):
		f.say(Unverifiable, "%v", err)
		return
	case err != nil:
		f.say(Unreachable, "%v", err)
		return
	}
	f.Class = hostClass(p.final)
	f.Bound = bytes.Contains(p.body, []byte(a.Of.ID.String()))
	switch {
	case a.SHA256 == "":
		f.say(Unverifiable, "the anchor does not say what was there")
	case !same(a, p.body):
		f.say(Changed, "the page has other bytes now")
	default:
		f.say(Verified, "the page has the same bytes")
	}
}

// fetch gets a page under the rules of this package. A page that the server says
// is not there gives ErrNotFound, one that is refused ErrInvalid.
func fetch(ctx context.Context, u *url.URL, out *network) (page, error) {
	if out == nil {
		out = &network{patience: patience}
		out.dial = dialer(patience, nil).DialContext
	}
	ctx, cancel := context.WithTimeout(ctx, out.patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return page{}, invalid("%v", err)
	}
	req.Header.Set("User-Agent", agent)
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := client(out).Do(req)
	if err != nil {
		return page{}, fmt.Errorf("anchor: %w", err)
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusGone:
		return page{}, notFound("%s: the server answers %d", u, code)
	case code != http.StatusOK:
		return page{}, fmt.Errorf("anchor: %s: the server answers %d", u, code)
	case resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity":
		return page{}, fmt.Errorf("anchor: %s: the server sends it compressed", u)
	case resp.ContentLength > maxPage:
		return page{}, errTooBig
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxPage+1))
	if err == nil { // a server that sees us give up may end the page as if it were whole
		err = ctx.Err()
	}
	if err != nil {
		return page{}, fmt.Errorf("anchor: %s: %w", u, err)
	}
	if len(body) > maxPage {
		return page{}, errTooBig
	}
	final := *resp.Request.URL
	final.Fragment, final.RawFragment = "", ""
	return page{body, mediaType(resp.Header.Get("Content-Type")), &final}, nil
}

// client makes one for one fetch, which shares nothing with any other.
func client(out *network) *http.Client {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DialContext: out.dial, DisableKeepAlives: true, DisableCompression: true,
			MaxResponseHeaderBytes: maxHeaders, Protocols: &protocols,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: out.roots},
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return invalid("more than %d redirects", maxRedirects)
			}
			req.Header.Del("Referer")
			_, err := address(req.URL.String())
			return err
		},
	}
}
