// Package access says who may ask a server on this machine, and in whose voice.
//
// A browser can be made to send requests to any port of the machine it runs on,
// and any account of the machine can connect there. So every request says by its
// Host that it means us, by its Origin that no foreign page sent it, and by a
// token or a cookie who asks: reads too.
package access
