// Package scalar has the scalars of the usual server.
package scalar

import (
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// MarshalDateTime writes an instant with three digits of milliseconds, as Agora does.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		io.WriteString(w, t.UTC().Format(`"2006-01-02T15:04:05.000Z"`))
	})
}

// UnmarshalDateTime is the reverse of MarshalDateTime.
func UnmarshalDateTime(v any) (time.Time, error) { return graphql.UnmarshalTime(v) }
