package evolve

import (
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// changeVerbs say by themselves that something is not any more what it was. They are forms of the past, since
// "switch" and "move" are things too.
var changeVerbs = lazy.Words(`moved relocated transferred migrated switched swapped changed converted ported ` +
	`replaced superseded renamed rebranded upgraded downgraded updated bumped
	raised increased lowered reduced cut doubled tripled halved extended shortened postponed delayed slipped ` +
	`rescheduled shifted cancelled canceled abandoned dropped scrapped ditched
	removed deleted retired decommissioned deprecated discontinued dissolved disbanded merged closed shut reopened ` +
	`opened launched shipped rolled finished completed
	resolved fixed solved repaired quit left joined resigned fired promoted demoted stepped handed inherited sold ` +
	`traded adopted stopped started began resumed divorced separated
	died graduated enrolled recovered healed grew grown rose risen fell fallen enabled disabled reversed revoked ` +
	`lifted overturned repealed became become archived rewrote rewritten
	outsourced consolidated loosened tightened relaxed bought broke phased forward expired ended reverted
	rotated reassigned redesigned rebuilt reorganised reorganized expanded shrank shrunk evolved transitioned swapped ` +
	`transitioned dumped sunset redirected rerouted
	laid hired appointed elected replaced-by landed gone emigrated settled converted unpinned uncapped stepped renewed ` +
	`paid put climbed sank jumped soared plunged dumped ousted vacated uninstalled unsubscribed subscribed deactivated ` +
	`activated terminated renegotiated renovated repainted
	refactored reworked slashed trimmed hiked axed shelved canned delisted purged emptied lapsed torn ripped scaled ` +
	`ramped split unified vanished cleared unblocked unlocked elevated succeeded reset
	unfrozen resold repurchased overhauled dismantled disconnected unplugged cancelled evacuated relinquished ` +
	`dismissed sacked disposed flipped loosened demolished stolen evicted expelled suspended elected exchanged ` +
	`rebooked withdrawn withdrew eased halted simplified automated`)

// changePhrases say it too, in several words. The strong ones need no more than a common matter.
var strongPhrases = phrases(`no longer|any more|anymore|any longer|from now on|as of|used to|these days|nowadays|no ` +
	`more|instead of|is gone|are gone|was gone|are now|is now|has now|have now
	since then|from today|starting next|changed our minds|changed my mind|changed his mind|changed her mind|gave up|` +
	`got rid of|given up|is off|are off|is over|are over|is dead
	was switched off|turned off|turned on|switched off|switched on|shut down|moved out|moved in|is history|are history|` +
	`thing of the past|made way|goodbye to|went live|made the switch|changed jobs|landed a job|went vegan|wrapped up|` +
	`signed off|came home|is home|are home|formerly|previously|in the meantime|finally|meanwhile|succeeded by|` +
	`has since|decided against|decided ` +
	`not|back at|back in|moves to|moves into|are up to|is up to|is down to|are down to|is back|are back|moved to|moved ` +
	`from|moved away|stepped down|took over|rolled back|broke up|split up
	down to|up to now|went up|went down|got married|got divorced|rolled out|phased out|passed away|let go|has become|` +
	`have become|became|new one|in place of|in favour of|in favor of
	threw out|torn down|torn out|ran out|has run out|with effect from|as from|is the new|are the new|is out|takes over|` +
	`taking over|take over|moving to|is moving|are moving|will move|turned into|dropped out|laid off|came back|went ` +
	`back|has moved|have moved
	went remote|went public|went digital|went bankrupt|went freelance|went fully|went completely|went back|went over ` +
	`to|went solo|slips to|switches to|changes to|becomes|upgrades to|migrates to|steps down
	fell to|rose to|climbed to|dropped to|shrank to|grew to|swore off|ever since|is done with|passed on to|on to|hand ` +
	`over|hands over|in its stead|instead now|once was|will be replaced|gets replaced|is being replaced|are being ` +
	`replaced|starting from|starting with
	bought a|got a new|has a new|have a new|got himself|got herself|made team|was made|was named|was appointed|left ` +
	`for|left to|wound down|powered down|taken down|took down|turned down|scaled down|scaled up|spun off|cut back|got ` +
	`better|got worse|is fine again|are fine again|works again|work again
	taken over|handed over|went from|replaced by|replaced with|has since|have since|now uses|now lives|now works|now ` +
	`runs|until recently|for good|effective|going forward|by now|has been since
	pulled forward|pushed back|brought forward|put off|called off|back to|up from|down from|instead|rather than before|` +
	`not yet anymore|retired|now`)

// joined are phrases of two words that stand in clashLines as one.
var joined = strings.NewReplacer(" only child", " only-child", " by hand", " by-hand", " side effects",
	" side-effects", " on time", " on-time", " took place", " took-place", " takes place", " took-place",
	" in bulk", " in-bulk", " one by one", " one-by-one", " one at a time", " one-by-one", " plain text",
	" plaintext", " in memory", " in-memory", " at home", " at-home", " stayed home", " at-home",
	" night owl", " night-owl", " early riser", " early-riser", " early bird", " early-riser", " sold out",
	" sold-out", " side effect", " side-effects", " open source", " open-source", " cash only", " cash-only",
	" of its own", " separate", " of their own", " separate", " per user", " per-user", " read only", " read-only",
	" free of charge", " gratis", " for free", " gratis", " real time", " realtime", " opt out", " opt-out",
	" opt in", " opt-in",
	" not allowed", " forbidden", " no word of", " no", " a word of", " any", " backwards compatible", " compatible",
	" for real", " for-real", " no way to", " impossible to")

// phrases returns phrases by their first words.
func phrases(lines string) func() map[string][][]string {
	return sync.OnceValue(func() map[string][][]string { return phrasesOf(lines) })
}

func phrasesOf(lines string) map[string][][]string {
	all := map[string][][]string{}
	for line := range strings.Lines(lines) {
		for p := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			words := strings.Fields(p)
			all[words[0]] = append(all[words[0]], words)
		}
	}
	return all
}

// matters are the states of which somebody or something has one at a time; words that
// begin, end or have one of a matter speak of the same.
var matters = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(matterLines) {
		name := ""
		for w := range strings.FieldsSeq(line) {
			if name == "" {
				name = w
				continue
			}
			m[w] = name
		}
	}
	return m
})

const matterLines = `
job unemployed jobless work works worked working job joined quit resigned employed employer employee hired fired ` +
	`engineer developer manager teacher teaches nurse cook chef waiter consultant freelance freelancer freelances ` +
	`retired promoted sacked promotion employment salary career intern internship analyst accountant barista lawyer ` +
	`doctor pilot driver courier ceo cto director
home live lives lived living moved moves home flat house apartment address resides relocated rents stays lodges dorm
couple single engaged married divorced dating together wife husband widowed boyfriend girlfriend partner separated ` +
	`fiancé fiancée couple wedding
study studies student studying university college school graduated enrolled kindergarten grade degree undergraduate ` +
	`phd master's thesis
commute bus bike train car cycles drives rides walks tram subway commute commutes e-bike
age old aged turned turns
health ill sick fever flu recovered healthy crutches hospital discharged injured
phone phone mobile iphone pixel android
smoking smokes smoke smoker smoking cigarettes nonsmoker
looks hair beard bald moustache glasses ponytail
pet dog cat puppy kitten
baby pregnant expecting baby birth newborn
diet vegetarian vegan meat pescatarian eats fish
`

// A state is a place in a chain of states that follow one another and do not come back by
// themselves.
type state struct {
	chain, stage int
	word         string
}

// stages are the states by word.
var stages = sync.OnceValues(func() (m map[string][]state, chains int) {
	m = map[string][]state{}
	for line := range strings.Lines(strings.TrimSpace(stageLines)) {
		for stage, s := range strings.Split(line, "|") {
			for w := range strings.FieldsSeq(s) {
				m[w] = append(m[w], state{chains, stage, w})
			}
		}
		chains++
	}
	return m, chains
})

const stageLines = `
single dating | engaged fiancé fiancée | married wed wedding | divorced separated widowed
open unresolved investigating ongoing reported broken | resolved closed fixed solved mitigated repaired
wait waits waiting awaiting review draft pending open wip | merged landed published accepted approved rejected
planned planning plans plan | booked started began cancelled released shipped launched happened held opened ` +
	`delivered published
beta alpha preview prototype flag experimental | shipped launched ga released generally available stable
kindergarten nursery preschool | school | university college | graduated
learning learner lessons | licence license certified fluent passed
pregnant expecting | gave birth newborn baby
alive ill sick hospital | died dead funeral recovered discharged healed
student studies studying undergraduate | graduated graduate degree diploma
applied applying interview interviewing candidate | hired accepted rejected offer
progress todo backlog | done finished completed shipped merged
ordered backordered | delivered arrived received
building construction built | opened finished completed
writing drafting draft | published finished submitted final signed
voting candidate running | elected won
saving | bought
unemployed jobless | job hired employed
leave holiday vacation sick ill away abroad hospital | back returned recovered
half ongoing underway progress unfinished | complete completed done finished ready
blocked stuck down jammed | running restored resumed cleared ready unblocked
unpaid outstanding | paid settled
#red failing failed fails broken | #green passing passes
unsigned | signed
reading | read finished
trial | subscribed bought
nominated shortlisted candidate | won lost elected
scheduled upcoming | took-place happened cancelled
renovation renovated | moved reopened
injured broken | recovered healed walks
training trains preparing prepares | ran finished completed passed won
unreleased unpublished | released published
looking searching hunting | found bought hired signed
`

// exclusives are words of which one excludes the others of its line.
var exclusives = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	n := 0
	for line := range strings.Lines(exclusiveLines) {
		n++
		for w := range strings.FieldsSeq(line) {
			m[w] = n
		}
	}
	return m
})

const exclusiveLines = `red green blue yellow white black grey gray orange purple pink brown violet turquoise beige
diesel electric petrol hybrid
json yaml toml xml csv ini protobuf
linux windows macos freebsd
spring summer autumn winter
single double triple
utc local
tabs spaces
ascending descending
gif png jpeg svg webp
gzip zstd brotli
main master trunk
mit apache gpl bsd
rest grpc graphql soap
tcp udp
odd even
male female
boy girl
oak pine birch beech maple ash walnut cherry
law medicine physics biology chemistry history economics philosophy architecture psychology
nurse teacher plumber electrician carpenter baker butcher dentist lawyer surgeon pilot accountant chef waiter ` +
	`librarian pharmacist journalist firefighter
stone timber brick bricks
iron wood wooden metal plastic glass steel stone concrete
leather cotton silk wool
round square oval
integer float string boolean uuid
optimistic pessimistic
exponential fixed linear
camelcase snake_case kebab-case
first-come random
north south east west
gas oil coal solar
english german french spanish italian dutch polish danish swedish norwegian portuguese
python java rust ruby kotlin swift typescript javascript php perl scala
mysql postgres postgresql sqlite oracle mongodb
aws azure gcp
vim emacs nano
bus tram subway
poodle beagle labrador terrier dachshund
protestant catholic
breakfast dinner
conservative liberal
freehold leasehold
`

// badStates are states that end by things being well again.
var badStates = lazy.Words(
	`blocked broken down closed ill sick out off stopped failing unavailable missing quit gone offline dead paused ` +
		`suspended unstable red injured late delayed`,
)

// settled are passives of the present that tell of a change all the same.
var settled = lazy.Words(
	`retired cancelled canceled abandoned dissolved deprecated discontinued finished completed lifted shut sold fixed ` +
		`resolved scrapped archived dropped decommissioned replaced superseded repaired solved`,
)
