package importer

import (
	"context"

	"agora/internal/store/bulk"
)

// followsBatch is the maximum number of edges written in one call of the store.
const followsBatch = 1000

// addFollows creates the follows, in the order of the file.
func (w *writer) addFollows(ctx context.Context, follows []*Follow) error {
	in := make([]bulk.NewFollow, len(follows))
	for i, f := range follows {
		in[i] = bulk.NewFollow{From: w.people[f.From.ID], To: w.people[f.To.ID]}
	}
	for from := 0; from < len(in); from += followsBatch {
		batch := in[from:min(from+followsBatch, len(in))]
		var created []bool
		err := w.try(ctx, func() (err error) {
			created, err = w.im.Follows(ctx, batch)
			return err
		})
		if err != nil {
			return err
		}
		for _, fresh := range created {
			if fresh {
				w.sum.Follows++
			} else {
				w.sum.KnownFollows++
			}
		}
	}
	return nil
}
