// Package auth proves who somebody is: password hashes and session tokens. It
// keeps nothing; the store does.
package auth
