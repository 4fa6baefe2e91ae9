package api

// DefaultSpace is the name of the shelf used when none is named.
const DefaultSpace = "main"

// AllSpaces as Config.Space reads every shelf of a store.
const AllSpaces = "*"
