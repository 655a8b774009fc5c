package fsck

import (
	"bytes"
	"io"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/archive"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// exported returns the export of a site.
func exported(t *testing.T, s *store.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(archive.Export(t.Context(), s, &b, archive.ExportOptions{}))(t)
	return b.Bytes()
}

// A site with one of everything, work in progress included, is the same once it is exported and imported: it has the
// same export, its pending work is still pending, and nothing else is found.
func TestImportedSiteIsSound(t *testing.T) {
	x := newCheckSite(t)
	there := redistest.Start(t)
	now := time.Now()
	x.server.Freeze(now)
	there.Freeze(now)
	file := exported(t, x.Store)
	before := x.check(false)

	must.Do(archive.Import(t.Context(), store.Over(there.Client(t)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, archive.ImportOptions{}))(t)
	x.server = there
	x.Store = x.process()
	x.rdb = there.Client(t)
	if again := exported(t, x.Store); !bytes.Equal(again, file) {
		t.Errorf("the export of the imported site has %d bytes; want the %d of the first, unchanged", len(again),
			len(file))
	}
	after := x.check(false)
	if after.Found > 0 || after.Pending != before.Pending || after.Topics != before.Topics ||
		after.Comments != before.Comments || after.Users != before.Users {
		t.Errorf("the check of the imported site = %+v; want that of the first, %+v", after, before)
	}
	x.clock.Advance(forum.PendingLife)
	if _, err := x.FlushDespite(t.Context()); err != nil {
		t.Errorf("the pending work of the imported site: %v", err)
	}
	if report := x.check(false); report.Found > 0 || report.Pending > 0 {
		t.Errorf("once the work is done, the check = %+v; want nothing", report)
	}
}
