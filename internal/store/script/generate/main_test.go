package main

import (
	"bytes"
	"os"
	"testing"

	"agora/internal/test/must"
)

// The committed file matches the scripts.
func TestGeneratedFileIsCurrent(t *testing.T) {
	want, got := must.Do(generate("../.."))(t), must.Do(os.ReadFile("../call.generated.go"))(t)
	if !bytes.Equal(got, want) {
		t.Error("call.generated.go does not match the scripts; run go generate")
	}
}
