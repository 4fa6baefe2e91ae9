package llm

import "time"

// Bounds are how long, how often and at what cost a Generator is asked. The zero value means the defaults. This is
// where calls are tried again: a Generator asks its model once. Its error can have a method
// RetryAfter() time.Duration, which says how long to wait.
type Bounds struct {
	Timeout  time.Duration // of one try; 0 means 10 s
	Tries    int           // of one call, where the model was unavailable; 0 means 2
	AtOnce   int           // calls under way, including those whose caller has given up; 0 means 2
	Failures int           // calls in a row that fail before none are made; 0 means 5
	Pause    time.Duration // without calls after those, then one is tried; 0 means 60 s
	Budget   int           // tokens a day (UTC), asked and answered; 0 means no limit
}
