package evolve

import (
	"strings"
	"sync"
)

// A side is a side of a line of clashLines: what stands on the other one cannot hold as well.
type side struct {
	line  int
	other bool
}

// sides are the sides of words. A word may stand in several lines.
var clashSides = sync.OnceValue(func() map[string][]side {
	m := map[string][]side{}
	n := 0
	for line := range strings.Lines(clashLines) {
		n++
		a, b, _ := strings.Cut(line, "|")
		for w := range strings.FieldsSeq(a) {
			m[w] = append(m[w], side{n, false})
		}
		for w := range strings.FieldsSeq(b) {
			m[w] = append(m[w], side{n, true})
		}
	}
	return m
})

const clashLines = `modifies changes mutates alters modified mutated | untouched unchanged unmodified
scratch | incrementally incremental
reproducible deterministic | differ varies vary
anonymous anonymously | names
whole entire | split half
zero-indexed zero-based | one-indexed one-based
advance beforehand upfront | afterwards arrears
paved tarmac asphalt asphalted | gravel unpaved dirt
scared afraid fears | brave fearless
rented rents rent tenant | owns owned owner
homemade | bought shop-bought
organic | conventional
optimistic | pessimistic
active | inactive idle dormant
busy | free idle
injured hurt | unharmed unhurt
employed | unemployed jobless
native | foreign
pregnant | childless
urban city | rural countryside village
salaried | freelance freelancer self-employed
full-time fulltime | part-time parttime
live | recorded prerecorded
formal | informal casual
interactive | unattended headless
verbose | terse quiet
nested | flat
stacked | spread
bounded | unbounded
signed | unsigned
typed | untyped
cyclic circular | acyclic
ascending | descending
eventual eventually | strong strongly immediately
exactly-once | at-least-once at-most-once
monolith monolithic | microservices microservice
root privileged | unprivileged non-root
abstract | concrete
vendored | downloaded fetched
pinned | floating latest
transparent | opaque
loud | whispers
alive | dead died
thin slim skinny | fat overweight thick
bald | hair ponytail curls
smoker | non-smoker nonsmoker
swimmer | drowns
vegetarian vegan | steak beef pork chicken sausage sausages bacon burger burgers ham lamb schnitzel salami turkey ` +
	`meat fish salmon tuna sushi
vegan | cheese milk egg eggs butter yoghurt yogurt honey cream
teetotal teetotaller sober | wine beer beers whisky whiskey vodka gin cocktail cocktails champagne drunk
only-child | brother brothers sister sisters sibling siblings
early-riser | noon late night-owl oversleeps
night-owl | early dawn sunrise
childless | son daughter children kids child sons daughters
single unmarried bachelor | wife husband married spouse
atheist | church prays religious believer mosque devout
blind | sees
shy introvert introverted | outgoing extrovert extroverted
lazy | hardworking diligent
calm relaxed | nervous tense anxious
generous | stingy mean
patient | impatient
punctual on-time early | late delayed overdue delay
asleep | awake
at-home | drove flew travelled traveled abroad
pure | side-effects impure
stateless | stateful session sessions state
unique | duplicate duplicates duplicated
sequential sequentially serial serially one-by-one individually | parallel concurrent concurrently batch batches ` +
	`batched in-bulk bulk
singlethreaded single-threaded | threads multithreaded multi-threaded
instantly immediately realtime instant streaming | nightly batch batches overnight delayed hourly
eager eagerly | lazy lazily
strict | lenient loose permissive
open-source opensource | proprietary closed-source
read-only readonly immutable frozen | writable mutable editable
append-only | overwritten
encrypted hashed | plaintext cleartext unencrypted readable
deterministic | random randomly nondeterministic arbitrary
random randomly | sequential derived fixed sorted
compiled | interpreted
client-side clientside browser client | server-side serverside server
push pushed | polling polls polled pull pulled
zero-downtime | outage downtime
generated automatic automatically automated | manual manually by-hand handwritten hand-written
in-memory memory ram | disk file
persistent persisted persists durable | lost volatile ephemeral
compatible | breaks breaking incompatible
reversible undone reverted | irreversible permanent final for-real
soft | hard for-real permanently
opt-in | opt-out default
inclusive inclusively | exclusive exclusively
relative | absolute
shared share shares common | separate dedicated
anonymous anonymously | named login registered
gratis free | paid costs fee charge charged cost
included | extra separately
harmless | dangerous harmful toxic poisonous
waterproof watertight | leaks leaking leaky
heated | unheated
empty vacant uninhabited deserted | lives live occupied inhabited full crowded packed
sunny dry | rainy rain rained raining wet
crowded busy packed | empty deserted quiet
intact undamaged | broken damaged cracked
success successful smoothly well great | disaster failure flop failed badly terrible
unanimous unanimously | against dissent
took-place happened held | cancelled canceled
sold-out | available left
present attended attending | absent missing missed
guilty | innocent
real genuine authentic | fake forged
natural | synthetic artificial
vertical vertically | horizontal horizontally
cash cash-only | card cards
lossless | lossy
central centralised centralized | distributed decentralised decentralized
visible shown | hidden invisible hides
pass passes passing green | fail fails failing red
ordered ordering order sorted | unordered unsorted any-order
hopeless | good excellent
good excellent brilliant | hopeless bad terrible awful poor
older | newer younger
indoors inside indoor | outdoors outside outdoor
upstairs | downstairs
synchronous synchronously | asynchronous asynchronously background
blocking | non-blocking nonblocking
public publicly | private confidential secret
nullable | non-null
fluent fluently native | beginner basic
confident certain sure | unsure doubts uncertain
supports supported | unsupported
easy simple trivial | hard difficult complicated complex tricky
boring dull | exciting fascinating thrilling interesting
useful helpful | useless unhelpful pointless
delicious tasty | disgusting awful inedible
comfortable | uncomfortable
ugly | beautiful pretty gorgeous
clever smart brilliant | stupid dumb
reliable dependable stable | flaky unreliable unstable
fast quick | slow sluggish crawls
cheap inexpensive affordable | expensive pricey costly
quiet silent peaceful | loud noisy
friendly polite kind | rude unfriendly hostile
flat level | steep hilly
bright light | dark gloomy
strong | weak
sharp | blunt dull
hot warm boiling | cold freezing icy chilly
modern | outdated old-fashioned
necessary needed required | unnecessary superfluous pointless optional
sufficient enough | insufficient
identical same equal | different differ differs
complete finished full | incomplete unfinished partial
true correct right accurate | false wrong incorrect inaccurate
legal lawful | illegal unlawful
voluntary optional | compulsory mandatory obligatory required
temporary temporarily | permanent permanently
original | copy
wireless | wired cable
electric | petrol diesel
odd | even
everyone everybody | nobody
everything | nothing
everywhere | nowhere
unlimited unbounded infinite | limit limited cap capped maximum quota
trusted | untrusted
tested | untested
safe safely | unsafe dangerous risky races
fails failed crashes crashed | succeeds succeeded survives survived
increases increased grows rises | decreases decreased shrinks falls
fixes fixed solves solved helps cures | help helped
improves improved better | worsens worsened worse
win won wins | lost lose loses
deletes deleted removes removed discards discarded | keeps kept retains retained leaves
hides | visible
accepts accepted approves approved | rejects rejected refuses refused declined
allows allowed permits permitted | forbids forbidden prohibits prohibited bans banned
loves likes enjoys adores prefers | hates dislikes detests loathes
trusts | distrusts
agrees agreed supports favours | disagrees disagreed opposes opposed objects
remembers | forgets forgot
arrives arrived | departs departed left
silent silently | loudly warns logs
returns | panics throws crashes
retries | once
lowercase | uppercase capital capitals
metric | imperial miles feet inches
`

// clashes says whether the two say of one thing what cannot both hold, and by which word.
func (c *comparison) clashes() (string, bool) {
	if c.conditions() || c.rival() || c.narrower() || c.part() || c.equalValue || c.o.tricky() || c.n.tricky() ||
		len(c.o.subject) == 0 {
		return "", false
	}
	if c.subject != same && (c.n.said[c.o.head] == 0 || len(c.shared) < 2) {
		return "", false
	}
	if c.flips() != "" {
		return "", false // of one it is so, of the other not
	}
	for _, u := range c.n.tokens {
		for _, t := range c.o.tokens {
			if !opposed(t, u) || !c.predicated(c.o, t) || !c.predicated(c.n, u) {
				continue
			}
			if c.rest(t, u) >= unlike {
				continue
			}
			return u.text, true
		}
	}
	return "", false
}

// unlike is how much only one of two texts says, from where on two words of theirs do not exclude each other.
const unlike = 4

// rest counts what only one text says beside these two words.
func (c *comparison) rest(t, u token) int {
	a, b := 0, 0
	for _, w := range c.oOnly {
		if w.key != t.key && !verbForms()[w.word] {
			a++
		}
	}
	for _, w := range c.nOnly {
		if w.key != u.key && !verbForms()[w.word] {
			b++
		}
	}
	switch {
	case a > 0 && b > 0 && c.alone():
		return unlike // one is said of tea, the other of flying
	case a > 0 && b > 0:
		return a + b + 1
	}
	return a + b
}

// opposed says whether two words exclude each other as they are used.
func opposed(t, u token) bool {
	if t.denied%2 == 1 || u.denied%2 == 1 {
		return false
	}
	if len(clashSides()[t.word]) == 0 {
		return false
	}
	for _, a := range clashSides()[t.word] {
		for _, b := range clashSides()[u.word] {
			if a.line == b.line && a.other != b.other {
				return true
			}
		}
	}
	return false
}

// predicated says whether a word is said of the subject and does not just name it.
func (c *comparison) predicated(r *reading, t token) bool { return !r.inSubject(t.key) }

// members are things of a kind: who drinks no alcohol drinks no beer.
var members = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(memberLines) {
		f := strings.Fields(line)
		for _, w := range f[1:] {
			m[w] = append(m[w], f[0])
		}
	}
	return m
})

// byKind says whether one text denies a kind of which the other affirms a member.
func (c *comparison) byKind() (string, bool) {
	if c.subject == apart || len(c.shared) == 0 || c.o.denies() && c.n.denies() {
		return "", false
	}
	for _, p := range [][2]*reading{{c.o, c.n}, {c.n, c.o}} {
		if !p[0].denies() || p[0].tricky() {
			continue
		}
		for _, t := range p[1].tokens {
			if !t.content || t.denied > 0 {
				continue
			}
			for _, kind := range members()[t.word] {
				at := p[0].where(stemOf(kind))
				if at < 0 || at+1 < len(p[0].tokens) && p[0].describes(at) {
					continue
				}
				if p[0].tokens[at].denied%2 == 1 || p[0].deniedIn(p[0].tokens[at].clause) {
					return t.text, true
				}
			}
		}
	}
	return "", false
}

// deniedIn says whether anything in a clause is denied.
func (r *reading) deniedIn(clause int) bool {
	for _, t := range r.tokens {
		if t.clause == clause && t.denied%2 == 1 {
			return true
		}
	}
	return false
}

const memberLines = `alcohol wine beer beers whisky whiskey vodka gin rum cocktail cocktails champagne cider ` +
	`prosecco liquor
meat steak beef pork chicken sausage sausages bacon burger burgers ham lamb schnitzel salami turkey duck
fish salmon tuna trout cod herring sushi
dairy milk cheese butter cream yoghurt yogurt
sugar cake cakes sweets chocolate candy
sweets chocolate candy cake cookies
caffeine coffee espresso
coffee espresso cappuccino latte
pets dog cat dogs cats hamster parrot rabbit
pet dog cat hamster parrot rabbit
animals dog cat dogs cats horse horses
children son daughter sons daughters twins toddler baby
kids son daughter sons daughters twins toddler
siblings brother sister brothers sisters
instrument piano guitar violin cello flute drums trumpet saxophone
sport football tennis swimming basketball volleyball climbing rowing boxing
sports football tennis swimming basketball volleyball climbing rowing boxing
allergies allergic allergy
car volkswagen toyota bmw audi volvo tesla ford fiat renault peugeot saab kia
tests testsuite unittests
abroad france spain italy germany england chile japan china america canada australia brazil india vietnam thailand ` +
	`mexico peru kenya norway sweden
europe france spain italy germany england portugal poland austria switzerland sweden norway denmark finland greece ` +
	`paris london berlin madrid rome
asia japan china india vietnam thailand korea indonesia malaysia singapore nepal tokyo beijing
africa kenya egypt morocco nigeria ghana tanzania namibia ethiopia
america usa canada mexico brazil chile peru argentina texas california boston chicago
france paris lyon marseille nice bordeaux toulouse
germany berlin munich hamburg cologne frankfurt leipzig dresden bremen stuttgart
italy rome milan turin naples florence venice bologna
spain madrid barcelona seville valencia bilbao
japan tokyo osaka kyoto sapporo
england london manchester leeds bristol liverpool
usa boston chicago seattle texas california
china beijing shanghai shenzhen
austria vienna graz salzburg linz
switzerland zurich geneva basel bern
database postgres mysql sqlite mongodb redis oracle
javascript react vue typescript
network internet http download downloads
errors error panic panics exception
`
