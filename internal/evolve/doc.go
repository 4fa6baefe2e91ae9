// Package evolve finds how a new memory relates to old ones.
package evolve
