// Package fences has the row-level security of databases that many share: what each table shows to whom. Every
// table forces it, so that its owner is bound too; the role that serves owns nothing and cannot lift it.
package fences

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Who may see a row, as conditions on the settings of the session. Each is a subquery, so that
// it is evaluated once per statement and not per row: a scan of 300,000 rows takes 20 ms, not 140.
// Citus takes no policy with a subquery; there the same is evaluated for each row (see statements).
// If a setting is missing the array is empty, and no row is visible.
const (
	once   = "(SELECT "
	perRow = "("

	arrayOf   = once + "coalesce(string_to_array(nullif(current_setting('"
	asNumbers = "', true), ''), ','), '{}')::bigint[])"
	asNames   = "', true), ''), chr(10)), '{}'))" // none has a control character in it

	seesKeys      = arrayOf + session.SetKeys + asNumbers
	mayRead       = arrayOf + session.SetReads + asNumbers
	mayWrite      = arrayOf + session.SetWrites + asNumbers
	mayReadNamed  = arrayOf + session.SetReadNames + asNames
	mayWriteNamed = arrayOf + session.SetWriteNames + asNames
	isHub         = once + "coalesce(current_setting('" + session.SetHub + "', true), '') = 'on')"
)

// A Fence says who may see and who may change the rows of a table: conditions of
// SQL, "" is no one.
type Fence struct {
	Reads, adds, changes, drops string
	Why                         string // for what has no rows of a space
}

// bySpace restricts a table by an expression for a row's space.
func bySpace(number string) Fence {
	read, write := number+" = ANY ("+mayRead+"::bigint[])", number+" = ANY ("+mayWrite+"::bigint[])"
	return Fence{Reads: read, adds: write, changes: write, drops: write}
}

// byName is bySpace for a table with the name of the space.
func byName() Fence {
	read, write := "space = ANY ("+mayReadNamed+"::text[])", "space = ANY ("+mayWriteNamed+"::text[])"
	return Fence{Reads: read, adds: write, changes: write, drops: write}
}

// signed restricts a table of signed data, which never changes. Of some spaces only the key
// records are visible.
func signed(kept Fence, keys string) Fence {
	kept.Reads += " OR (key >> 40) = ANY (" + seesKeys + "::bigint[]) AND " + keys
	kept.changes = ""
	return kept
}

// undropped is a fence through which nothing is removed.
func undropped(f Fence) Fence { f.drops = ""; return f }

// All has every table. A list of names that rows use by number must be visible in full to
// every writer; what that reveals is described in docs/lab/design/hub.md.
var All = map[string]Fence{
	"spaces": {
		Reads: isHub + " OR no = ANY (" + mayRead + "::bigint[]) OR no = ANY (" + seesKeys + "::bigint[])", adds: isHub,
		changes: "no = ANY (" + mayWrite + "::bigint[])",
	},
	"records":       undropped(signed(bySpace("(key >> 40)"), "kind = "+lists.KeyKind)),
	"payloads":      signed(bySpace("(key >> 40)"), "keyed"),
	"signatures":    signed(bySpace("(key >> 40)"), "keyed"),
	"edges":         bySpace("(src >> 40)"),
	"dangling":      bySpace("(src >> 40)"),
	"aliases":       bySpace("space"),
	"state":         bySpace("(key >> 40)"),
	"usage":         bySpace("(key >> 40)"),
	"vectors":       bySpace("(key >> 40)"),
	"near":          bySpace("(key >> 40)"),
	"segments":      bySpace("space"),
	"segment_parts": bySpace("space"),
	"checkpoints":   byName(),
	"jobs":          byName(),

	"meta": {
		Reads: isHub + " OR name NOT LIKE 'note:%'", drops: isHub, adds: isHub, changes: isHub,
		Why: "the version of the schema and the name of the store",
	},
	"authors": {Reads: "true", adds: "true", Why: "numbers of public keys, given out once for all spaces"},
	"kinds":   {Reads: "true", adds: "true", Why: "names of kinds of records"},
	"models": {
		Reads: "true", adds: "true", changes: "true",
		Why: "names of embedders, with the counter of their vectors",
	},
	"cursors": {Reads: isHub, adds: isHub, changes: isHub, drops: isHub, Why: "places of readers of this machine"},
	"counts":  {Reads: isHub, adds: isHub, changes: isHub, drops: isHub, Why: "counters of this machine"},

	"hub_accounts":    hubs("who is known to the hub"),
	"hub_members":     hubs("who may do what"),
	"hub_tokens":      hubs("what opens the hub"),
	"hub_invitations": hubs("who may come in"),
	"hub_quotas":      hubs("bounds"),
	"hub_brought":     hubs("what counts against bounds"),
	"hub_letters":     hubs("what is on its way between accounts"),
	"hub_keys":        hubs("which keys belong to what was written where"),
	"hub_shards":      hubs("which shards there are"),
	"hub_places":      hubs("where the spaces of an account lie"),
	"hub_copying":     hubs("which key records may not be everywhere yet"),
}

func hubs(why string) Fence {
	return Fence{Reads: isHub, adds: isHub, changes: isHub, drops: isHub, Why: why + ": read before it is known who asks"}
}

// Statements returns the statements that restrict a table and grant a role its part of it. All
// of them can be repeated. Where an engine spreads the tables over nodes, the conditions have no subquery.
func (f Fence) Statements(table, role string, spread bool) []string {
	name := session.Quoted(table)
	all := []string{
		"ALTER TABLE " + name + " ENABLE ROW LEVEL SECURITY",
		"ALTER TABLE " + name + " FORCE ROW LEVEL SECURITY",
		"REVOKE ALL ON " + name + " FROM PUBLIC",
	}
	var may []string
	for _, p := range []struct{ verb, using, check string }{
		{"SELECT", f.Reads, ""}, {"INSERT", "", f.adds}, {"UPDATE", f.changes, f.changes}, {"DELETE", f.drops, ""},
	} {
		policy := "stemma_" + strings.ToLower(p.verb)
		all = append(all, "DROP POLICY IF EXISTS "+policy+" ON "+name)
		if p.using == "" && p.check == "" {
			continue
		}
		text := "CREATE POLICY " + policy + " ON " + name + " FOR " + p.verb + " TO PUBLIC"
		if p.using != "" {
			text += " USING (" + p.using + ")"
		}
		if p.check != "" {
			text += " WITH CHECK (" + p.check + ")"
		}
		all, may = append(all, text), append(may, p.verb)
	}
	if spread {
		for i := range all {
			all[i] = strings.ReplaceAll(all[i], once, perRow)
		}
	}
	return append(all, "GRANT "+strings.Join(may, ", ")+" ON "+name+" TO "+role)
}
