// Package session runs statements on SQLite and PostgreSQL. It says how a file or a server is connected to,
// how the two databases differ, for whom a statement runs on one that many share, and what errors mean.
package session
