package peer

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// MostServices is how many service accounts one request makes.
const MostServices = 500

// A Servicing is the part of a hub with which a keeper makes accounts for machines.
type Servicing interface {
	AddServices(ctx context.Context, in NewServices) (Services, error)
	// Services lists those that the caller made, and those in a space that the caller keeps.
	Services(ctx context.Context, in ServicesRequest) (Services, error)
	EndService(ctx context.Context, in EndService) (Services, error)
	// Where says how another machine reaches this hub.
	Where() Where
}

// Where is how a machine reaches a hub.
type Where struct {
	Hub, Address string
	CA           string // certificates of the authority that signs the hub's, as PEM; "" is the system's
	Insecure     bool   // plain http to another machine
}

// NewServices asks for service accounts. Their private keys are made where they are asked for: a hub sees none.
type NewServices struct {
	Services []NewService `json:"services"`
	Spaces   []string     `json:"spaces"`
	Role     store.Role   `json:"role"`
	Hours    int          `json:"hours,omitempty"` // until they end; 0 is without end
}

// NewService is one of them.
type NewService struct {
	Account string `json:"account"` // did:key of its own key
	Name    string `json:"name"`
}

// ServicesRequest asks for the service accounts that the caller may see.
type ServicesRequest struct {
	Space string `json:"space,omitempty"` // those in it too, if the caller keeps it
}

// EndService ends a service account at once, by its name or its key.
type EndService struct {
	Service string `json:"service"`
	Space   string `json:"space,omitempty"`
}

// Services is service accounts.
type Services struct {
	Hub      string    `json:"hub"`
	Services []Service `json:"services"`
}

// A Service is the account of a machine: what it may do, from where it came, and what it stored.
type Service struct {
	Account store.Account  `json:"account"`
	Places  []store.Member `json:"places"`
	Tokens  []store.Token  `json:"tokens"`
	Stored  []Stored       `json:"stored"`
}

// Stored is how much an account stored in a space.
type Stored struct {
	Space   string `json:"space"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`
}

// Used returns when and from where a service was used last.
func (s Service) Used() (at time.Time, from string) {
	for _, t := range s.Tokens {
		if t.Used.After(at) {
			at, from = t.Used, t.Address
		}
	}
	return at, from
}

// A ServiceFile is all that a machine needs to join a hub: whoever reads it can act as the service.
type ServiceFile struct {
	Version  int        `json:"stemma_service"`
	Name     string     `json:"name"`
	Hub      string     `json:"hub"` // the name of the hub
	Address  string     `json:"address"`
	CA       string     `json:"ca,omitempty"`       // certificates (PEM) of the authority that signs the hub's
	Insecure bool       `json:"insecure,omitempty"` // plain http to another machine
	Account  string     `json:"account"`            // did:key of the service
	Spaces   []string   `json:"spaces"`
	Role     store.Role `json:"role"`
	Expires  string     `json:"expires,omitempty"`
	Owner    string     `json:"owner_key,omitempty"` // OpenSSH private keys
	Agent    string     `json:"agent_key,omitempty"`
	Identity string     `json:"identity,omitempty"` // key records, a line each
}
