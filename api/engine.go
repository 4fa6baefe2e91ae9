package api

// DefaultSpace is the name of the space used when none is named.
const DefaultSpace = "main"

// AllSpaces as Config.Space reads every space of a store.
const AllSpaces = "*"
