// Package importer reads forums of other sites from files and writes them into
// the store: it knows their formats, cleans their texts, and finds logins for
// their members.
package importer
