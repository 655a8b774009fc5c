package store_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// everything returns a site on which every mutation was done, and some died on the way.
func everything(t *testing.T) *storetest.Thread {
	w := storetest.NewThread(t)
	w.Session(w.Ann.ID, "digest", forum.SessionLife)
	w.Token(w.Ann, storetest.DigestA, forum.ScopeRead)
	w.Click(w.Ann, "u7", w.TopicID)
	for _, m := range storetest.Mutations {
		m.Run(w.Store, &storetest.Moderated{Thread: w})
	}
	w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID)
	w.FailSignIn("ann", "192.0.2.1")
	w.KnowDevice(w.Ann.ID, "192.0.2.1")
	w.Engine.Spend(t.Context(), engine.Rate{What: "proof", Who: "ann", Limit: 1, Per: time.Minute})
	w.ImportAll(w.Store)
	w.Dies(3, func(s *store.Store) { s.Accounts.ChangeEmail(t.Context(), w.Ann.ID, "hash of ann", "a@b.c", "a@b.c") })
	w.Dies(3, func(s *store.Store) { s.Accounts.Register(t.Context(), site.Account("carl")) })
	w.Clock.Advance(forum.PendingLife)
	w.Dies(1, func(s *store.Store) { s.Engine.Sweep(t.Context()) })
	return w
}

// Package catalogue has a row for every key that the mutations write.
func TestEveryKeyWrittenHasARow(t *testing.T) {
	for name := range everything(t).Keys() {
		if _, ok := catalogue.ReadKey(name); !ok {
			t.Errorf("package catalogue does not know %s", name)
		}
	}
}

// What readers are shown of an object holds neither an internal field, nor a password or an address under another name.
func TestShownHashesHoldNoSecret(t *testing.T) {
	w := everything(t)
	shown, secrets := map[string]map[string]string{}, map[string]bool{}
	for name := range w.Keys() {
		if catalogue.HasInternal(name) {
			shown[name] = w.Redis.HGetAll(w.Ctx, name).Val()
			internal := w.Redis.HGetAll(w.Ctx, key.Internal(name)).Val()
			for _, field := range []string{"password", "email", "emailFold", "newEmail", "nonce", "emailNonce"} {
				if v := internal[field]; v != "" {
					secrets[v] = true
				}
			}
		}
	}
	for name, hash := range shown {
		if strays := catalogue.Strays(name, slices.Collect(maps.Keys(hash))); len(strays) > 0 {
			t.Errorf("%s has %v; readers are not to see these", name, strays)
		}
		for field, value := range hash {
			if secrets[value] {
				t.Errorf("%s of %s is a secret", field, name)
			}
		}
	}
	if len(shown) < 10 || len(secrets) < 6 {
		t.Errorf("found %d objects and %d secrets; want all", len(shown), len(secrets))
	}
}
