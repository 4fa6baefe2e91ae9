package main

import (
	"database/sql"

	"github.com/rogpeppe/go-internal/testscript"
)

// storename FILE VAR keeps the name of a store in a variable; storename FILE = NAME
// gives it another, as one who can write the file may.
func storename(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	if args[1] == "=" {
		_, err = db.Exec("UPDATE meta SET value = ? WHERE name = 'store'", args[2])
		ts.Check(err)
		return
	}
	var name string
	ts.Check(db.QueryRow("SELECT value FROM meta WHERE name = 'store'").Scan(&name))
	ts.Setenv(args[1], name)
}

// trigger FILE puts a trigger of a stranger into a store.
func trigger(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec("CREATE TRIGGER helpful AFTER INSERT ON records BEGIN DELETE FROM usage; END")
	ts.Check(err)
}
