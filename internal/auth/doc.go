// Package auth proves who somebody is (password hashes, session tokens) and tells
// on whose behalf a request runs. It keeps nothing; the store does.
package auth
