package store

import (
	"net/url"
	"strings"
)

// PoolSize bounds the connections of a process, as in the addresses that pgx's own pool
// takes.
const PoolSize = "pool_max_conns"

// IsPostgres reports whether spec names a database on a server, which its owner migrates, not
// the program that opens it.
func IsPostgres(spec string) bool {
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
	for _, name := range []string{"password", "sslpassword", "passfile", PoolSize} {
		q.Del(name)
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String()
}
