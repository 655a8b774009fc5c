// Package must ends a test whose fixture fails.
package must

import (
	"path/filepath"
	"runtime"
)

// T is a test: a testing.TB or a *rapid.T.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Do returns the result of a call, and ends the test if it failed: must.Do(s.Register(ctx, in))(t).
func Do[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		end(t, err)
		return v
	}
}

// OK ends the test if a call failed.
func OK(t T, err error) {
	t.Helper()
	end(t, err)
}

// end names the line of the fixture, because the test's log names that of the test.
func end(t T, err error) {
	t.Helper()
	if err != nil {
		_, file, line, _ := runtime.Caller(2)
		t.Fatalf("%s:%d: %v", filepath.Base(file), line, err)
	}
}
