package sentences

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
)

// lang is a set of languages.
type lang uint16

const (
	english lang = 1 << iota
	german
	french
	spanish
	italian
	portuguese
	russian

	everywhere = english | german | french | spanish | italian | portuguese | russian
)

func several(l lang) int { return bits.OnesCount16(uint16(l)) }

// The commonest words of each language, by which it is known. They have a capital only where a sentence begins, so
// behind an abbreviation they say that one does.
var common = [...]struct {
	of    lang
	words string
}{
	{english, `the a an and or but of to in on at by for from with as is are was were be been it its this that
		these those there then they we you he she i my our your his her their if when while what which who how why not
		no yes so do does did has have had will would can could should must may all any each some so up out after
		before since because however also now here please ok go nothing everything let use run see`},
	{german, `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war
		waren wird werden wurde wurden hat haben hatte kann können muss müssen soll sollen darf ich du er sie es wir
		ihr man mit von vom zu zum zur in im an am auf aus bei beim bis für gegen nach ohne seit über um unter vor
		wegen wie wenn weil dass ob als auch noch nur schon so sehr dann danach dort hier jetzt dieser diese dieses
		diesen diesem alle alles jeder jede jedes was wer wo warum wann sich sein seine ja nein bitte heute morgen
		gestern deshalb dafür damit dabei davon außerdem zuerst zuletzt`},
	{french, `le la les l un une des du de d et ou mais ne pas est sont était être a ont avait il elle ils elles on
		nous vous je tu ce cette ces cet qui que quoi dont où dans sur sous avec sans pour par entre chez aux au en se
		sa son ses leur leurs notre nos votre vos comme plus moins très puis ensuite alors donc car si quand après
		avant aussi tout tous toute toutes oui non ici hier demain c j n s y`},
	{spanish, `el la los las un una unos unas de del al y e o pero no es son era fue ser está están hay ha han que
		qué quien cuando donde como cómo por para con sin sobre entre hasta desde en se su sus mi mis tu nos nosotros
		ellos ellas ella él yo usted ustedes este esta estos estas ese esa eso esto muy más menos también ya luego
		después antes si sí todo todos toda todas hoy ayer mañana aquí allí entonces lo le les`},
	{italian, `il lo la i gli le un uno una di del dello della dei degli delle e ed o ma non è sono era erano
		essere ha hanno che chi cui quando dove come per con senza su sul sulla tra fra da dal dalla in nel nella al
		alla si suo sua suoi mio mia nostro questo questa questi queste quello quella molto più meno anche già poi
		dopo prima se sì no tutto tutti tutte oggi ieri domani qui ci noi voi loro lui lei io tu`},
	{portuguese, `o a os as um uma uns umas de do da dos das e ou mas não é são era foi ser está estão há que quem
		quando onde como por para com sem sobre entre até desde em no na nos nas ao à aos se seu sua seus suas meu
		minha nosso este esta estes estas esse essa isso isto muito mais menos também já depois antes sim tudo todos
		toda todas hoje ontem amanhã aqui então eu você vocês nós ele ela eles elas pelo pela lhe`},
	{russian, `и в во не на я он она оно они мы вы ты что с со как а то все всё это этот эта эти того по но из у за
		от о об при для до без под над же ли бы был была было были есть быть нет да так вот если когда где кто чтобы
		потому поэтому после перед уже ещё только там здесь тут теперь сегодня вчера завтра затем потом его её их наш
		наша мой`},
}

// functionWords returns of which languages a common word is.
var functionWords = sync.OnceValue(func() map[string]lang {
	m := make(map[string]lang, 1000)
	for _, c := range common {
		for w := range strings.FieldsSeq(c.words) {
			m[w] |= c.of
		}
	}
	return m
})

// languagesOf returns the language that most of the common words in a text are of, several if they have the same
// number, and everywhere if there is none.
func languagesOf(text string) lang {
	var count [16]int
	most := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 16 {
			continue
		}
		for of := functionWords()[strings.ToLower(w)]; of != 0; of &= of - 1 {
			i := bits.TrailingZeros16(uint16(of))
			count[i]++
			most = max(most, count[i])
		}
	}
	if most == 0 {
		return everywhere
	}
	var langs lang
	for i, n := range count {
		if n == most {
			langs |= 1 << i
		}
	}
	return langs
}

// The months, as dates have them behind an ordinal number. Of other languages than English, since in English a number
// and a dot is no ordinal.
const monthNames = `januar jänner februar märz april mai juni juli august september oktober november dezember
	januari februari mars maj juni juli augusti augustus oktober december tammikuuta helmikuuta maaliskuuta
	huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta marts enero
	febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janvier février avril juin
	juillet août septembre octobre novembre décembre gennaio febbraio aprile maggio giugno luglio settembre ottobre
	dicembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro января февраля марта
	апреля мая июня июля августа сентября октября ноября декабря`

var months = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 150)
	for w := range strings.FieldsSeq(monthNames) {
		m[w] = true
	}
	return m
})
