package audit_test

import (
	"context"
	"fmt"
	"os"

	"github.com/stemma-memory/stemma/audit"
)

// A program that checks a file which somebody sent.
func Example() {
	f, err := os.Open("testdata/bundle.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	r, err := audit.Bundle(context.Background(), f, audit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range r.Offenders {
		fmt.Printf("line %d: %s: %s\n", o.Line, o.Status, o.Why)
	}
	for _, root := range r.Roots {
		fmt.Printf("%s: is that %s?\n", root.Fingerprint, root.Name)
	}
	fmt.Println(r.Statements, "statements, exit", r.Exit())
	// Output:
	// SHA256:fe85JkIjo8VPe+XqXJGH5Mau1EMFdK1OdKvJUFicyA8: is that Ada?
	// SHA256:zbv/nU7iZdO0fB0DalMI70dP6/yFD8sctXvvW4+OokY: is that Bob?
	// 11 statements, exit 0
}
