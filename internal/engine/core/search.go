package core

// maxSearch is how many results a search gives at most.
const MaxSearch = 1000
