package bearing

import (
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/words"
)

// hollow are words of a question that do not say what it asks for.
var hollow = lazy.Words(`use used uses using have has had get gets got make makes made do does did go goes going
	gone come comes take takes took want wants need needs keep keeps kept hold holds held
	put puts set sets give gives gave know known say said says tell told mean means happen
	happened currently still today actually please many much long often kind sort type thing
	things way name named called main our may must should new old first last right good
	remember recall memory find show look`)

// asking are words with which a question begins.
var asking = lazy.Words(`which what who whose whom where when why how is are was were do does did can could may
	must should shall will would has have had`)

// measured are what "how" asks the measure of.
var measured = lazy.Words(`old heavy long high tall wide deep big large far fast quick expensive hot cold strong often`)

// strangers are function words of other languages.
var strangers = lazy.Words(`der das und ist nicht ein eine mit auf für wird sind bei wer wo wie wann warum welche
	welcher welches el los las que quién dónde cuál una para le les des est qui où quel quelle
	dans avec pas il che chi dove di het een waar wie hoe jest nie gdzie kto och att är inte um uma onde quem qual`)

// general are nouns after "which" that say little of the answer.
var general = lazy.Words(`tool program software system service library framework product app method person company
	place option one part word answer version store state provider supplier vendor partner bank customer team
	project package module address`)

// verbs end what stands between "which" and its verb.
var verbs = lazy.Words(`is are was were be been do does did has have had can could may might must shall should will
	would use uses used need needs run runs work works hold holds listen go goes come comes`)

var (
	articles = lazy.Words(`the a an our my your his her its their`)
	links    = lazy.Words(`of for in on at to with about from by under over behind near between against above below`)
)

// figures stands among like terms for any digit.
const figures = "#"

// alike returns the terms that are as good as a word of a question.
func alike(low string, terms []string) map[string]bool {
	out := make(map[string]bool)
	for _, t := range terms[1:] {
		out[t] = true
	}
	for _, t := range []string{low, terms[0]} {
		for i := range groups() {
			if g := &groups()[i]; g.asks(t) {
				for _, like := range g.terms() {
					out[like] = true
				}
			}
		}
	}
	return out
}

// A group is a line of groupLines. Its terms are made when a question has one of its words: making those of all takes
// longer than most questions take to be read.
type group struct {
	asking []string
	terms  func() []string
}

var groups = sync.OnceValue(func() (out []group) {
	for line := range strings.Lines(groupLines) {
		asking, answering, two := strings.Cut(strings.TrimSpace(line), "|")
		if !two {
			answering = asking
		}
		out = append(out, group{strings.Fields(asking), sync.OnceValue(func() (terms []string) {
			for w := range strings.FieldsSeq(asking + " " + answering) {
				if w == figures {
					terms = append(terms, w)
					continue
				}
				terms = append(terms, words.Terms(w)[0])
			}
			return terms
		})})
	}
	return out
})

// asks says whether a word asks for a group: a word of its, or the term of one. They begin alike.
func (g *group) asks(word string) bool {
	return slices.ContainsFunc(g.asking, func(w string) bool {
		return w[:1] == word[:1] && (w == word || words.Terms(w)[0] == word)
	})
}

// groupLines are words that are as good as each other, or after a bar the words by which a thing is named that is
// asked for: a database, PostgreSQL.
const groupLines = `
start begin open launch
finish end close stop
store save locate live lie
approve allow permit approval permission forbid
build create produce write compile
move relocate migrate
deliver send ship dispatch
own maintain responsible owner maintainer
lead leader head manage manager boss director
live lives reside home move address
marry married engaged wedding husband wife divorced
born birthday birth
child children kid son daughter
parent mother father mum dad
sibling brother sister
buy purchase
error bug fail failure broken crash
deploy release ship rollout deployment
repair fix
doctor dentist physician
speak language
job profession occupation | nurse teacher lawyer dentist carpenter engineer manager cook driver plumber work accountant
work job | office company retired
pet | dog cat parrot bird fish rabbit hamster horse
colour color | red green blue yellow white black grey orange purple pink brown
database | postgresql postgres mysql sqlite mariadb mongodb redis oracle duckdb
language | go python rust java kotlin typescript javascript ruby swift elixir english german french italian spanish
browser | safari chrome firefox edge
package | npm pnpm yarn cargo pip
cost price fee | pay euro dollar rent costs
heavy weight weigh | kilo kg gram ton
long length | metre meter km hour minute day week
high height tall | metre meter cm
wide width | metre meter cm
old age | year born month
size large big | mb gb kb
time zone timezone | utc
weekday day | monday tuesday wednesday thursday friday saturday sunday
number amount count | #
version | #
port | #
floor room | #
deadline due until
temporary temp
password secret credential
test testing tests
doc documentation docs manual
repository repo
config configuration setting
indent indentation | tab space
format | json yaml xml csv parquet avro protobuf
hash hashed | bcrypt argon2id sha
cloud provider hosting | aws gcp azure hetzner
merge merged | squash rebase merge
city town country place | lives live moved in
often frequency | every daily weekly monthly hourly nightly once twice times night day
status state | open closed blocked ready done merged waiting progress broken red green disabled enabled
address greet
limit maximum most quota
leave quit
eat food breakfast lunch dinner
ready wait blocked
wait waiting blocked pending
enable enabled disabled
pay paid payment unpaid invoice
school university
`
