package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// Base is where a hub's interface begins.
const Base = "/hub/v1/"

func call[In, Out any](ctx context.Context, c *Client, name string, in In) (out Out, err error) {
	err = c.do(ctx, http.MethodPost, Base+name, in, &out)
	return out, err
}

// Hello starts an exchange. It distinguishes a hub of another version from a server that is
// not a hub.
func (c *Client) Hello(ctx context.Context, in peer.Hello) (peer.Welcome, error) {
	return call[peer.Hello, peer.Welcome](ctx, c, "hello", in)
}

// Offer says which records the hub does not have.
func (c *Client) Offer(ctx context.Context, in peer.Offer) (peer.Wanted, error) {
	return call[peer.Offer, peer.Wanted](ctx, c, "offer", in)
}

// Push stores records.
func (c *Client) Push(ctx context.Context, in peer.Push) (peer.Acks, error) {
	return call[peer.Push, peer.Acks](ctx, c, "push", in)
}

// Log returns a page of a log.
func (c *Client) Log(ctx context.Context, in peer.LogRequest) (peer.LogPage, error) {
	return call[peer.LogRequest, peer.LogPage](ctx, c, "log", in)
}

// Fetch returns records.
func (c *Client) Fetch(ctx context.Context, in peer.Fetch) (peer.Lines, error) {
	return call[peer.Fetch, peer.Lines](ctx, c, "fetch", in)
}

// Keys names the key records of a space.
func (c *Client) Keys(ctx context.Context, in peer.KeysRequest) (peer.KeyList, error) {
	return call[peer.KeysRequest, peer.KeyList](ctx, c, "keys", in)
}

// Cosign has the hub sign that it saw a log grow.
func (c *Client) Cosign(ctx context.Context, in peer.CosignRequest) (peer.Cosigned, error) {
	return call[peer.CosignRequest, peer.Cosigned](ctx, c, "cosign", in)
}

// Prove has the hub show that its log grew.
func (c *Client) Prove(ctx context.Context, in peer.ProveRequest) (peer.Proof, error) {
	return call[peer.ProveRequest, peer.Proof](ctx, c, "prove", in)
}

// Search searches the hub; in and out are the engine's request and reply. It tries once, since
// the caller's own store answers too.
func (c *Client) Search(ctx context.Context, in, out any) error {
	once := *c
	once.o.Patience = -1
	return once.do(ctx, http.MethodPost, Base+"search", in, out)
}

// Challenge is what a hub wants signed by an account that joins.
type Challenge struct {
	Hub       string `json:"hub"` // the name of the hub, for which tokens are good
	Challenge string `json:"challenge"`

	SignIn *signin.Offer `json:"sign_in,omitempty"` // how people sign in; nil is by invitation alone
}

// Join is a request to be let in.
type Join struct {
	Account    string `json:"account"`
	Key        string `json:"key,omitempty"` // that speaks for the account now, if it is another
	Name       string `json:"name"`
	Label      string `json:"label"` // what the token is called, such as the name of a machine
	Invitation string `json:"invitation"`
	Challenge  string `json:"challenge"`
	Sig        []byte `json:"sig"`
	IDToken    string `json:"id_token,omitempty"` // of the hub's OpenID provider, in place of an invitation

	Keys []peer.Line `json:"keys,omitempty"` // records that show how the key follows the account's
}

// Joined is the result of joining. The token is sent only once.
type Joined struct {
	Hub     string     `json:"hub"`
	Account string     `json:"account"`
	Space   string     `json:"space,omitempty"`
	Role    store.Role `json:"role,omitempty"`
	Token   string     `json:"token,omitempty"`
	TokenID string     `json:"token_id"`
	Expires time.Time  `json:"expires,omitzero"`
	Bound   bool       `json:"bound,omitempty"` // to the key that proved the request
	Ends    time.Time  `json:"ends,omitzero"`   // until then it is renewed; zero is without end
}

// Challenge returns the challenge to sign.
func (c *Client) Challenge(ctx context.Context) (Challenge, error) {
	return call[struct{}, Challenge](ctx, c, "challenge", struct{}{})
}

// Exchange asks the hub for the ID token of a sign-in, where the provider wants a secret that only the hub has.
type Exchange struct {
	Challenge string `json:"challenge"`
	signin.Code
}

// Exchanged is the ID token.
type Exchanged struct {
	IDToken string `json:"id_token"`
}

// Exchange gives the hub a code of its OpenID provider for an ID token. A code is good once, so that it asks once.
func (c *Client) Exchange(ctx context.Context, in Exchange) (out Exchanged, err error) {
	once := *c
	once.o.Patience = -1
	return call[Exchange, Exchanged](ctx, &once, "exchange", in)
}

// Join asks to be let in.
func (c *Client) Join(ctx context.Context, in Join) (Joined, error) {
	return call[Join, Joined](ctx, c, "join", in)
}

// Invite makes an invitation.
func (c *Client) Invite(ctx context.Context, in peer.Invite) (peer.Invited, error) {
	return call[peer.Invite, peer.Invited](ctx, c, "invite", in)
}

// Uninvite ends an invitation.
func (c *Client) Uninvite(ctx context.Context, in peer.Uninvite) (peer.Members, error) {
	return call[peer.Uninvite, peer.Members](ctx, c, "uninvite", in)
}

// Members says who is in a space.
func (c *Client) Members(ctx context.Context, in peer.MembersRequest) (peer.Members, error) {
	return call[peer.MembersRequest, peer.Members](ctx, c, "members", in)
}

// SetMember changes a member's role, or removes the member.
func (c *Client) SetMember(ctx context.Context, in peer.Placing) (peer.Members, error) {
	return call[peer.Placing, peer.Members](ctx, c, "member", in)
}

// AddServices makes accounts for machines.
func (c *Client) AddServices(ctx context.Context, in peer.NewServices) (peer.Services, error) {
	return call[peer.NewServices, peer.Services](ctx, c, "service", in)
}

// Services lists them.
func (c *Client) Services(ctx context.Context, in peer.ServicesRequest) (peer.Services, error) {
	return call[peer.ServicesRequest, peer.Services](ctx, c, "services", in)
}

// EndService ends one at once.
func (c *Client) EndService(ctx context.Context, in peer.EndService) (peer.Services, error) {
	return call[peer.EndService, peer.Services](ctx, c, "service-end", in)
}

// Took tells the hub how far the caller's store took its logs. It tries once: the next exchange says it again.
func (c *Client) Took(ctx context.Context, in peer.Taken) (peer.Taken, error) {
	once := *c
	once.o.Patience = -1
	return call[peer.Taken, peer.Taken](ctx, &once, "took", in)
}

// Purged asks which machines of a space took in purges.
func (c *Client) Purged(ctx context.Context, in peer.PurgedRequest) (peer.Purged, error) {
	return call[peer.PurgedRequest, peer.Purged](ctx, c, "purged", in)
}

// Where says how another machine reaches the hub.
func (c *Client) Where() peer.Where {
	return peer.Where{Hub: c.token.b.Hub, Address: c.base.String(), CA: c.o.CA, Insecure: c.o.Insecure}
}

// Send returns the hub a request to be a witness, or an answer to one. Sent twice, it
// is one.
func (c *Client) Send(ctx context.Context, l store.Message) error {
	return c.do(ctx, http.MethodPost, Base+"letters", l, nil)
}

// Inbox returns the messages that wait for the caller, without their bodies.
func (c *Client) Inbox(ctx context.Context) (out peer.Inbox, err error) {
	err = c.do(ctx, http.MethodGet, Base+"letters", nil, &out)
	return out, err
}

// Message returns one message with its body. It stays until it is dropped.
func (c *Client) Message(ctx context.Context, id string) (out store.Message, err error) {
	err = c.do(ctx, http.MethodGet, Base+"letters/"+url.PathEscape(id), nil, &out)
	return out, err
}

// Drop removes one that was read.
func (c *Client) Drop(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, Base+"letters/"+url.PathEscape(id), nil, nil)
}

// Leave revokes the caller's own token.
func (c *Client) Leave(ctx context.Context) error {
	if err := c.do(ctx, http.MethodPost, Base+"leave", struct{}{}, nil); err != nil {
		return fmt.Errorf("leave the hub: %w", err)
	}
	return nil
}
