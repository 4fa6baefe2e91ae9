package recall

// A fit says what a result has to do with the question.
type fit int

// The fits, the best first.
const (
	fitBears   fit = iota // it bears on the question by its words
	fitPerhaps            // meaning found it
	fitWeak               // it only shares words with the question
	fitNone               // it shares none, and words know better
)
