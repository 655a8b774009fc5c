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
)

// everything returns a site on which every mutation was done, and some died on the way.
func everything(t *testing.T) *threadSite {
	w := newThreadSite(t)
	w.Session(w.ann.ID, "digest", forum.SessionLife)
	w.token(w.ann, digestA, forum.ScopeRead)
	w.click(w.ann, "u7", w.topic)
	for _, m := range mutations {
		m.run(w.Store, &moderatedSite{threadSite: w})
	}
	w.Categories.DeleteCategory(t.Context(), nil, w.empty)
	w.FailSignIn("ann", "192.0.2.1")
	w.KnowDevice(w.ann.ID, "192.0.2.1")
	w.Engine.Spend(t.Context(), engine.Rate{What: "proof", Who: "ann", Limit: 1, Per: time.Minute})
	w.importAll(w.Store)
	w.dies(3, func(s *store.Store) { s.Accounts.ChangeEmail(t.Context(), w.ann.ID, "hash of ann", "a@b.c", "a@b.c") })
	w.dies(3, func(s *store.Store) { s.Accounts.Register(t.Context(), account("carl")) })
	w.clock.Advance(forum.PendingLife)
	w.dies(1, func(s *store.Store) { s.Engine.Sweep(t.Context()) })
	return w
}

// Package catalogue has a row for every key that the mutations write.
func TestEveryKeyWrittenHasARow(t *testing.T) {
	for name := range everything(t).keys() {
		if _, ok := catalogue.ReadKey(name); !ok {
			t.Errorf("package catalogue does not know %s", name)
		}
	}
}

// What readers are shown of an object holds neither an internal field, nor a password or an address under another name.
func TestShownHashesHoldNoSecret(t *testing.T) {
	w := everything(t)
	shown, secrets := map[string]map[string]string{}, map[string]bool{}
	for name := range w.keys() {
		if catalogue.HasInternal(name) {
			shown[name] = w.rdb.HGetAll(w.ctx, name).Val()
			internal := w.rdb.HGetAll(w.ctx, key.Internal(name)).Val()
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
