package stemma

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A Memory is a record and its state as replies show it.
type Memory struct {
	Ref          string         `json:"ref"` // in full: kind:id
	Type         string         `json:"type"`
	ID           string         `json:"id"`
	Headline     string         `json:"headline"`
	Content      map[string]any `json:"content,omitempty"` // the body's members, numbers as decimals
	Confidence   float64        `json:"confidence"`        // as it is now
	Asserted     float64        `json:"confidence_asserted"`
	Tier         string         `json:"tier,omitempty"`
	Review       string         `json:"review,omitempty"` // approved only by a person who has a say here
	ReviewedBy   string         `json:"reviewed_by,omitempty"`
	ReviewedAt   string         `json:"reviewed_at,omitempty"` // when it was approved or rejected
	Active       bool           `json:"is_active"`
	Hidden       string         `json:"hidden,omitempty"` // why search and lists leave it out
	SupersededBy string         `json:"superseded_by,omitempty"`
	Supersedes   []string       `json:"supersedes,omitempty"`
	SourceType   string         `json:"source_type"`
	CreatedVia   string         `json:"created_via"`
	DerivedFrom  []string       `json:"derived_from,omitempty"`
	Episodes     []string       `json:"source_episodes,omitempty"` // those among them
	Source       string         `json:"source"`                    // in words: "3 episodes", "direct"
	CreatedAt    string         `json:"created_at"`
	OccurredAt   string         `json:"occurred_at,omitempty"`
	MadeThere    string         `json:"source_created_at,omitempty"` // where it was imported from
	ChangedThere string         `json:"source_updated_at,omitempty"`
	ValidFrom    string         `json:"valid_from,omitempty"`
	ValidUntil   string         `json:"valid_until,omitempty"`
	Author       string         `json:"author"`
	Agent        string         `json:"agent,omitempty"`
	Origin       string         `json:"origin"`
	Trust        *float64       `json:"trust,omitempty"`          // 0 to 1
	Level        string         `json:"level,omitempty"`          // of trust: unverified, attested, anchored, consensus, or rejected
	Actionable   bool           `json:"actionable"`               // an agent may act on it without asking
	WhyNot       string         `json:"not_actionable,omitempty"` // why an agent may not, in a few words
	External     bool           `json:"external,omitempty"`       // its words come from outside
	Tainted      bool           `json:"tainted,omitempty"`        // something external is behind it, and no independent person confirms it
	Disputed     bool           `json:"disputed,omitempty"`       // by a witness who counts, or by its own author
	Doubt        string         `json:"doubt,omitempty"`          // forged, or withheld: something said of it is missing
	Flags        []string       `json:"trust_flags,omitempty"`
	Fallen       []Fallen       `json:"no_longer_counts,omitempty"` // sources that do not stand any more
	Space        string         `json:"space"`
	Session      string         `json:"session,omitempty"`
	Trigger      string         `json:"trigger,omitempty"`
	Tags         []string       `json:"tags,omitempty"`
	About        []string       `json:"about,omitempty"`
	Alias        []string       `json:"alias,omitempty"`
	Protected    bool           `json:"protected,omitempty"`
	LastVerified string         `json:"last_verified,omitempty"`
	Verified     int            `json:"verification_count,omitempty"`
	CodeRefs     []string       `json:"code_refs,omitempty"` // as the memory names them
	Shelf        string         `json:"shelf,omitempty"`     // where two stores are read together

	Course
	Uses        int      `json:"uses,omitempty"`         // of a playbook
	Successes   int      `json:"successes,omitempty"`    // of its uses
	SuccessRate *float64 `json:"success_rate,omitempty"` // once it was used
}

// tierOf is the tier of a memory as it stands with who looks. Where nobody asked how
// it stands, no evidence behind it counts.
func tierOf(it *store.Item) memory.Tier {
	if it.Tier != nil {
		return *it.Tier
	}
	if it.Record == nil {
		return memory.NoTier
	}
	s := it.State
	s.ReachesRaw = false
	return memory.TierOf(it.Record, &s)
}

// Fallen is a source that does not count any more.
type Fallen struct {
	Ref string `json:"ref"`
	Why string `json:"why"` // rejected, quarantined, disputed, …
}

// view shows an item as it stands: see vouch, which puts into its state what counts.
func view(it *store.Item) Memory {
	s := &it.State
	m := Memory{
		Ref: it.Ref.String(), Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Hidden: hidden(s),
		Active: s.Active(), SupersededBy: refOrNone(it.Ref.Kind, s.SupersededBy), Protected: s.Protected,
		LastVerified: s.Verified.String(), Verified: s.Verifications, Review: string(s.Review), ReviewedAt: s.ReviewedAt.String(),
		ReviewedBy: s.ReviewedBy, Doubt: string(it.Doubt),
	}
	r := it.Record
	if r == nil {
		m.Headline = purgedText
		return m
	}
	h := &r.Header
	m.Headline, m.Content = r.Headline(), content(r.Body)
	m.Confidence, m.Asserted = s.Confidence.Float(), h.Confidence.Float()
	m.Tier, m.CodeRefs, m.Shelf = string(tierOf(it)), codeRefs(r), it.Shelf
	m.Supersedes, m.DerivedFrom = refStrings(h.Provenance.Supersedes), refStrings(h.Provenance.From)
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindEpisode {
			m.Episodes = append(m.Episodes, ref.String())
		}
	}
	m.CreatedVia, m.SourceType, m.Source = string(h.Provenance.Via), h.Provenance.Via.SourceType(), sourceWords(r, nil)
	m.CreatedAt, m.ValidFrom, m.ValidUntil = h.At.String(), h.ValidFrom.String(), h.ValidUntil.String()
	m.Author, m.Agent, m.Origin, m.Space = h.Author, h.Agent, string(h.Origin), h.Space
	m.Session, m.Trigger, m.Tags, m.About, m.Alias = h.Session, h.Trigger, h.Tags, h.About, h.Alias
	made, changed := sourceTimes(r)
	m.MadeThere, m.ChangedThere = made.String(), changed.String()
	if raw, ok := r.Body.(*memory.Raw); ok {
		m.OccurredAt = raw.OccurredAt.String()
	}
	m.marked(it)
	return m
}

// marked shows what marks said of a goal, a drive or a playbook.
func (m *Memory) marked(it *store.Item) {
	s := &it.State
	m.Course = courseOf(it)
	if it.Ref.Kind == memory.KindPlaybook {
		m.Uses, m.Successes, m.SuccessRate = s.Uses, s.Successes, successRate(s)
	}
}

// views shows items with how far they can be trusted.
func (e *Engine) views(ctx context.Context, items ...*store.Item) ([]Memory, error) {
	trusted, err := e.vouch(ctx, items, false)
	if err != nil {
		return nil, err
	}
	e.noteShown("list", items, trusted)
	out := make([]Memory, len(items))
	for i, it := range items {
		out[i] = view(it)
		if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
			out[i].vouch(v, it.Record)
		}
		if err := e.served(ctx, it, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// view shows one item with how far it can be trusted.
func (e *Engine) view(ctx context.Context, it *store.Item) (Memory, error) {
	all, err := e.views(ctx, it)
	if err != nil {
		return Memory{}, err
	}
	return all[0], nil
}

func (m *Memory) vouch(v *vouched, r *memory.Record) {
	score := decimalTrust(v.Score)
	m.Trust, m.Level, m.Actionable, m.Flags, m.WhyNot = &score, string(v.Level), v.actionable, v.Flags, v.whyNot()
	m.External, m.Tainted, m.Disputed = v.external, v.tainted, v.disputed
	m.Source = sourceWords(r, v.fallen)
	for _, ref := range r.Header.Provenance.From {
		if why := v.fallen[ref.ID]; why != "" {
			m.Fallen = append(m.Fallen, Fallen{ref.String(), why})
		}
	}
}

// whyNot says in a few words why nobody should act on a memory without asking; ""
// if they may.
func (v *vouched) whyNot() string {
	switch {
	case v.actionable:
		return ""
	case v.doubt == store.Withheld:
		return "it cannot be verified here"
	case v.Level == trust.Rejected:
		return "its signature is wrong"
	case !v.state.Live():
		return "it is " + hidden(&v.state)
	case v.disputed && v.state.Disputes > 0:
		return "disputed"
	case v.over != "":
		return "it " + v.over
	case v.stranger && v.self:
		return "approved by its author alone"
	case v.stranger:
		return "approved by a stranger alone"
	case v.tainted:
		return "external and unconfirmed"
	case len(v.Flags) > 0:
		return strings.ReplaceAll(strings.Join(v.Flags, ", "), "_", " ")
	}
	return "nobody approved it"
}

// decimalTrust shows ten-thousandths.
func decimalTrust(n int) float64 { return float64(n) / trust.One }

// purgedText stands where the words of a purged record were.
const purgedText = "(purged: its bytes are gone for good)"

func refOrNone(k memory.Kind, id memory.ID) string {
	if id.IsZero() {
		return ""
	}
	return memory.Ref{Kind: k, ID: id}.String()
}

// hidden says in a word why search and lists leave a record out; "" if they do
// not.
func hidden(s *memory.State) string {
	switch {
	case s.Purged:
		return "purged"
	case s.Forgotten:
		return "forgotten"
	case s.Quarantined:
		return "quarantined"
	case s.Review == memory.ReviewRejected:
		return "rejected"
	case !s.SupersededBy.IsZero():
		return "superseded"
	case s.Outranked:
		return "outranked"
	}
	return ""
}

// inThousandths are the members of bodies that replies show as decimals.
var inThousandths = map[string]bool{"valence": true, "arousal": true, "intensity": true, "sentiment": true, "to": true, "step": true}

// speaker gives who said the words of a body, "" where it does not say.
func speaker(b memory.Body) string {
	switch b := b.(type) {
	case *memory.Raw:
		return b.Speaker
	case *memory.Note:
		return b.Speaker
	}
	return ""
}

// content gives the members of a body.
func content(b memory.Body) map[string]any {
	raw, err := json.Marshal(b)
	if err != nil {
		return nil // a body that was read can be written
	}
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	decimals(m)
	return m
}

func decimals(m map[string]any) {
	for k, v := range m {
		switch v := v.(type) {
		case float64:
			if inThousandths[k] {
				m[k] = v / float64(memory.Certain)
			}
		case map[string]any:
			decimals(v)
		}
	}
}

// sourceWords says in words where a memory came from: "3 episodes", "1 note",
// "direct", or the channel of a raw. What does not stand any more is counted apart.
func sourceWords(r *memory.Record, fallen map[memory.ID]string) string {
	from := r.Header.Provenance.From
	if raw, ok := r.Body.(*memory.Raw); ok {
		return or(raw.Source, "direct")
	}
	if len(from) == 0 {
		switch r.Header.Provenance.Via {
		case memory.ViaTold:
			return "told"
		case memory.ViaImport:
			return "import"
		default:
			return "direct"
		}
	}
	count := make(map[memory.Kind]int)
	var order []memory.Kind
	for _, ref := range from {
		if fallen[ref.ID] != "" {
			continue
		}
		if count[ref.Kind] == 0 {
			order = append(order, ref.Kind)
		}
		count[ref.Kind]++
	}
	var parts []string
	for _, k := range order {
		parts = append(parts, plural(count[k], string(k)))
	}
	if len(fallen) > 0 {
		parts = append(parts, strconv.Itoa(len(fallen))+" no longer counts")
	}
	return strings.Join(parts, ", ")
}

// plural is "1 episode", "3 episodes", "2 entries" … for the kinds there are.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ShowRequest names one record.
type ShowRequest struct {
	Ref string `json:"ref" jsonschema:"kind:id, or the first digits of the id"`
}

// ShowReply is one record with what hangs on it.
type ShowReply struct {
	Memory
	ProcessedInto []string `json:"processed_into,omitempty"` // of a raw: what it became
	DerivedInto   []string `json:"derived_into,omitempty"`   // what rests on it directly
	Claims        []Claim  `json:"claims,omitempty"`         // what was said of it

	Links []LinkView `json:"links,omitempty"` // how it relates to other memories, as somebody or something found

	Conditions []Condition  `json:"conditions,omitempty"` // of the tiers, met or not
	Code       []CheckedRef `json:"code,omitempty"`       // how the code it names stands
	CodeState  string       `json:"code_state,omitempty"` // verified, needs_review, stale or unknown

	Upstream []TrustUpstream `json:"upstream,omitempty"` // what it rests on that is disputed, quarantined or rejected
}

// A Claim is one thing said of a record.
type Claim struct {
	Ref      string         `json:"ref"`
	Type     string         `json:"type"`
	Headline string         `json:"headline"`
	Author   string         `json:"author"`
	At       string         `json:"at"`
	Content  map[string]any `json:"content,omitempty"`
}

// Show gives one record whole. It counts as an access.
func (e *Engine) Show(ctx context.Context, in ShowRequest) (ShowReply, error) {
	it, err := e.resolve(ctx, in.Ref)
	if err != nil {
		return ShowReply{}, err
	}
	trusted, err := e.vouch(ctx, []*store.Item{it}, false)
	if err != nil {
		return ShowReply{}, err
	}
	e.noteShown("show", []*store.Item{it}, trusted)
	reply := ShowReply{Memory: view(it)}
	if v := trusted[it.Ref.ID]; v != nil && it.Ref.Kind.IsMemory() {
		reply.vouch(v, it.Record)
		reply.Upstream = v.upstream
	}
	if err := e.served(ctx, it, &reply.Memory); err != nil {
		return reply, err
	}
	edges, err := e.store.Edges(ctx, memory.Forward, it.Ref.ID)
	if err != nil {
		return reply, sorted(err)
	}
	var derived, claims []memory.ID
	for _, edge := range edges {
		switch edge.Rel {
		case memory.DerivedFrom:
			derived = append(derived, edge.From)
		case memory.Speaks, memory.LinkSource, memory.LinkTarget:
			claims = append(claims, edge.From)
		}
	}
	items, err := e.store.Get(ctx, append(derived, claims...)...)
	if err != nil {
		return reply, sorted(err)
	}
	for _, d := range items[:len(derived)] {
		if d != nil {
			reply.DerivedInto = append(reply.DerivedInto, d.Ref.String())
		}
	}
	if it.Ref.Kind == memory.KindRaw {
		reply.ProcessedInto = reply.DerivedInto
	}
	for _, c := range items[len(derived):] {
		if c != nil && c.Record != nil {
			reply.Claims = append(reply.Claims, claim(c.Record))
		}
	}
	links := slices.DeleteFunc(present(items[len(derived):]), func(it *store.Item) bool { return it.Ref.Kind != memory.KindLink })
	if reply.Links, err = e.linkViews(ctx, links); err != nil {
		return reply, err
	}
	reply.Conditions = conditions(it)
	if it.Record != nil && it.Record.HasCode() {
		stands, err := e.stand(ctx, []*store.Item{it}, false)
		if err != nil {
			return reply, err
		}
		c := stands[0].shown()
		reply.Code, reply.CodeState = c.Files, c.State
	}
	e.touch(ctx, it.Ref.ID)
	return reply, nil
}

func claim(r *memory.Record) Claim {
	return Claim{
		Ref: r.Ref().String(), Type: string(r.Header.Kind), Headline: r.Headline(), Author: r.Header.Author,
		At: r.Header.At.String(), Content: content(r.Body),
	}
}
