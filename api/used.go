package api

// UsedRequest names memories that the caller relied on.
type UsedRequest struct {
	Refs []string `json:"refs"`
}

// UsedReply says how often each was accessed by now.
type UsedReply struct {
	// Memories says how often each was accessed. It is counted in this store alone.
	Memories []UsedMemory `json:"memories"`
}

// UsedMemory is how often a memory was accessed.
type UsedMemory struct {
	Ref           string `json:"ref"`
	TimesAccessed int    `json:"times_accessed"` // its creation is the first
}
