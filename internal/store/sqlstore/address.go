package sqlstore

import (
	"net/url"
	"strings"
)

// poolSize bounds the connections of a process, as in the addresses that pgx's own pool
// takes.
const poolSize = "pool_max_conns"

// IsPostgres reports whether a store's name is the address of a server.
func IsPostgres(spec string) bool {
	return strings.HasPrefix(spec, "postgres://") || strings.HasPrefix(spec, "postgresql://")
}

// OnServer reports whether spec names a database on a server, which its owner migrates, not
// the program that opens it.
func OnServer(spec string) bool {
	return strings.HasPrefix(spec, "postgres://") || strings.HasPrefix(spec, "postgresql://")
}

// Address is how a store on a server is named where others may read it: without a
// password. It is "" for an address that cannot be read.
func Address(spec string) string {
	u, err := url.Parse(spec)
	if err != nil {
		return ""
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for _, name := range []string{"password", "sslpassword", "passfile", poolSize} {
		q.Del(name)
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String()
}
