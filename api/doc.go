// Package api has the requests and replies of stemma as plain data. Package stemma does
// the operations in this process; package client asks a server for them, and links
// nothing of the engine.
//
// Most operations have a request of their own, named after them. Six requests serve
// several: RefRequest names one record; LimitRequest, KindRequest, NameRequest and
// OpenRequest ask for lists; Nothing has no members. The zero value of a member is its
// default. Times are texts in RFC 3339. Replies name records by their refs, kind:id in
// full.
//
// A member with the name Progress, where there is one, is for callers in this process: it
// is called while the operation goes on, and does not travel.
package api
