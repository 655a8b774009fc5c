package posts_test

import (
	"testing"

	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

func TestCrashAtEveryStep(t *testing.T) {
	testlevel.Sequential(t)
	storetest.CrashAtEveryStep(t, storetest.Mutations...)
}
