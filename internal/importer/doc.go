// Package importer reads forums of other sites from files and writes them to the store. It parses
// their formats, cleans their texts, and chooses logins for their members.
package importer
