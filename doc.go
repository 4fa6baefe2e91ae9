// Package stemma is memory for agents that can say where it comes from. An
// Engine captures words, promotes them to memories, consolidates those into
// beliefs, and shows at any later moment the whole tree down to the raw words.
//
// Open returns an Engine on SQLite (the default), PostgreSQL or plain memory. Every
// operation is one method with one request and one reply; the command line and
// the servers are faces of the same methods. Records never change: see package
// memory for what they are, and docs/format.md for how they are signed.
package stemma
