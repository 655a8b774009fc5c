// Package graph has the types of the schema, and the code generated from it.
package graph

// Album is a HASH, album:<id>, with title and artist.
type Album struct {
	ID, Title, ArtistID string
}

// Artist is a HASH, artist:<id>, with name.
type Artist struct {
	ID, Name string
}

// Track is an element of the LIST tracks:<album>.
type Track struct {
	Title string
}
