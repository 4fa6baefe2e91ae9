package main

import (
	"database/sql"
	"errors"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite"
)

// damage FILE SQL changes a store behind stemma's back.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}
