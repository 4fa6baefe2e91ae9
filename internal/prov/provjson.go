package prov

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// prefixes of the names in a PROV document. Behind key: stands what follows
// did:key: in the did, so that the name spells the did.
var prefixes = map[string]string{
	"stemma":   "https://stemma-memory.github.io/ns#",
	"record":   "https://stemma-memory.github.io/record/",
	"activity": "https://stemma-memory.github.io/activity/",
	"key":      keyPrefix,
}

// node is one entity, activity, agent or relation: attributes by name.
type node = map[string]any

// document is PROV-JSON: for each type of thing, what there is by identifier.
type document struct {
	out  map[string]map[string]any
	seen map[string]bool // relations that are there already
}

// PROVJSON returns a trace as PROV-JSON, the W3C member submission: records are
// entities, keys agents, and each derivation, or run that made several records, an
// activity. The same graph gives the same bytes, whatever the order of its
// records.
func PROVJSON(g Graph) ([]byte, error) {
	records, err := g.sorted()
	if err != nil {
		return nil, err
	}
	d := document{out: map[string]map[string]any{"prefix": {}}, seen: make(map[string]bool)}
	for prefix, uri := range prefixes {
		d.out["prefix"][prefix] = uri
	}
	for i := range records {
		d.add(&records[i], g.Words)
	}
	return encode(d.out)
}

func (d *document) put(section, id string, n node) {
	if d.out[section] == nil {
		d.out[section] = make(map[string]any)
	}
	d.out[section][id] = n
}

// relate adds a relation under an identifier of its own, unless it is there.
func (d *document) relate(section string, n node) {
	same := fmt.Sprint(section, n)
	if d.seen[same] {
		return
	}
	d.seen[same] = true
	d.put(section, fmt.Sprintf("_:%s%d", section, len(d.out[section])+1), n)
}

// name makes a value that is a qualified name, not a string.
func name(qualified string) node { return node{"$": qualified, "type": "prov:QUALIFIED_NAME"} }

func entityID(ref memory.Ref) string { return "record:" + string(ref.Kind) + "/" + ref.ID.String() }

func agentID(did string) string { return "key:" + strings.TrimPrefix(did, keyPrefix) }

// activityID names what made r: its run, if it says one, which may have made
// others too, or else the making of r alone.
func activityID(r *Record) string {
	if r.Run == "" {
		return "activity:" + r.Ref.ID.String()
	}
	h := sha256.New()
	for _, part := range []string{r.Author, string(r.Via), r.Run} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "activity:" + hex.EncodeToString(h.Sum(nil))
}

func (d *document) add(r *Record, words bool) {
	entity := node{"prov:type": name("stemma:" + string(r.Ref.Kind)), "stemma:digest": "sha256:" + r.Ref.ID.String()}
	d.put("entity", entityID(r.Ref), entity)
	if r.Missing {
		entity["stemma:missing"] = true
	}
	if r.bare() {
		return
	}
	optional := func(attribute, value string) {
		if value != "" {
			entity[attribute] = value
		}
	}
	optional("stemma:origin", string(r.Origin))
	optional("stemma:signature", base64.StdEncoding.EncodeToString(r.Signature))
	optional("stemma:says", r.Says)
	if r.Origin == memory.OriginImport {
		optional("stemma:agent", r.Agent)
	}
	if words {
		optional("prov:label", r.label())
	}
	d.addAgents(r)
	d.addActivity(r, words)
	for _, ref := range r.About {
		if !ref.IsZero() {
			d.relate(
				"wasInfluencedBy",
				node{"prov:influencee": entityID(r.Ref), "prov:influencer": entityID(ref), "prov:type": name("stemma:speaksOf")},
			)
		}
	}
}

func (d *document) addAgents(r *Record) {
	name := r.Agent
	if r.Origin == memory.OriginImport {
		name = "" // it names who is said to have written it, not who imported it
	}
	d.agent(r.Author, name)
	d.relate("wasAttributedTo", node{"prov:entity": entityID(r.Ref), "prov:agent": agentID(r.Author)})
	if r.delegated() {
		d.agent(r.Owner, "")
		d.relate("actedOnBehalfOf", node{"prov:delegate": agentID(r.Author), "prov:responsible": agentID(r.Owner)})
	}
}

// agent adds a key, with all names under which it wrote.
func (d *document) agent(did, display string) {
	id := agentID(did)
	n, ok := d.out["agent"][id].(node)
	if !ok {
		n = node{"prov:type": name("stemma:key")}
		d.put("agent", id, n)
	}
	if display == "" {
		return
	}
	names, _ := n["stemma:name"].([]string)
	if !slices.Contains(names, display) {
		names = append(names, display)
		slices.Sort(names)
		n["stemma:name"] = names
	}
}

func (d *document) addActivity(r *Record, words bool) {
	activity := activityID(r)
	n := node{}
	if r.Via != "" {
		n["prov:type"] = name("stemma:" + string(r.Via))
	}
	if words && r.Run != "" {
		n["stemma:run"] = r.Run
	}
	d.put("activity", activity, n)
	made := node{"prov:entity": entityID(r.Ref), "prov:activity": activity}
	if !r.At.IsZero() {
		made["prov:time"] = r.At.String()
	}
	d.relate("wasGeneratedBy", made)
	d.relate("wasAssociatedWith", node{"prov:activity": activity, "prov:agent": agentID(r.Author)})
	for ref, replaced := range r.cited() {
		d.relate("used", node{"prov:activity": activity, "prov:entity": entityID(ref)})
		derived := node{"prov:generatedEntity": entityID(r.Ref), "prov:usedEntity": entityID(ref), "prov:activity": activity}
		switch {
		case replaced:
			derived["prov:type"] = name("prov:Revision")
		case ref.Kind == memory.KindRaw:
			derived["prov:type"] = name("prov:PrimarySource")
		}
		d.relate("wasDerivedFrom", derived)
	}
}
