package main

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/breadth/example/redis/graph"
)

//go:generate go run agora/breadth/generate

// resolver resolves the schema from Redis.
type resolver struct{ client redis.UniversalClient }

// Query implements graph.ResolverRoot.
func (r *resolver) Query() graph.QueryResolver { return query{r} }

// Album implements graph.ResolverRoot.
func (r *resolver) Album() graph.AlbumResolver { return album{r} }

// Artist implements graph.ResolverRoot.
func (r *resolver) Artist() graph.ArtistResolver { return artist{r} }

// Track implements graph.ResolverRoot.
func (r *resolver) Track() graph.TrackResolver { return track{r} }

type (
	query  struct{ *resolver }
	album  struct{ *resolver }
	artist struct{ *resolver }
	track  struct{ *resolver }
)

// Newest takes two round trips: what the albums are depends on their ids.
func (r query) Newest(ctx context.Context, first int) ([]*graph.Album, error) {
	lists, err := each(ctx, r.resolver, []string{"albums"}, func(p redis.Pipeliner, key string) *redis.StringSliceCmd {
		return p.ZRevRange(ctx, key, 0, int64(first)-1)
	})
	if err != nil {
		return nil, err
	}
	ids := lists[0].Val()
	rows, err := each(ctx, r.resolver, ids, func(p redis.Pipeliner, id string) *redis.MapStringStringCmd {
		return p.HGetAll(ctx, "album:"+id)
	})
	if err != nil {
		return nil, err
	}
	albums := make([]*graph.Album, len(ids))
	for i, row := range rows {
		albums[i] = &graph.Album{ID: ids[i], Title: row.Val()["title"], ArtistID: row.Val()["artist"]}
	}
	return albums, nil
}

func (r album) Listeners(ctx context.Context, of []*graph.Album) ([]int, error) {
	return listeners(ctx, r.resolver, of, func(a *graph.Album) string { return "album:" + a.ID })
}

func (r album) Artist(ctx context.Context, of []*graph.Album) ([]*graph.Artist, error) {
	rows, err := each(ctx, r.resolver, of, func(p redis.Pipeliner, a *graph.Album) *redis.StringCmd {
		return p.HGet(ctx, "artist:"+a.ArtistID, "name")
	})
	artists := make([]*graph.Artist, len(of))
	for i, row := range rows {
		artists[i] = &graph.Artist{ID: of[i].ArtistID, Name: row.Val()}
	}
	return artists, err
}

func (r album) Tracks(ctx context.Context, of []*graph.Album) ([][]*graph.Track, error) {
	rows, err := each(ctx, r.resolver, of, func(p redis.Pipeliner, a *graph.Album) *redis.StringSliceCmd {
		return p.LRange(ctx, "tracks:"+a.ID, 0, -1)
	})
	tracks := make([][]*graph.Track, len(of))
	for i, row := range rows {
		for _, title := range row.Val() {
			tracks[i] = append(tracks[i], &graph.Track{Title: title})
		}
	}
	return tracks, err
}

func (r artist) Followers(ctx context.Context, of []*graph.Artist) ([]int, error) {
	rows, err := each(ctx, r.resolver, of, func(p redis.Pipeliner, a *graph.Artist) *redis.IntCmd {
		return p.SCard(ctx, "followers:"+a.ID)
	})
	counts := make([]int, len(of))
	for i, row := range rows {
		counts[i] = int(row.Val())
	}
	return counts, err
}

func (r track) Listeners(ctx context.Context, of []*graph.Track) ([]int, error) {
	return listeners(ctx, r.resolver, of, func(t *graph.Track) string { return "track:" + t.Title })
}

// listeners returns how many different listeners each object has had.
func listeners[T any](ctx context.Context, r *resolver, of []T, key func(T) string) ([]int, error) {
	rows, err := each(ctx, r, of, func(p redis.Pipeliner, o T) *redis.IntCmd {
		return p.PFCount(ctx, "listeners:"+key(o))
	})
	counts := make([]int, len(of))
	for i, row := range rows {
		counts[i] = int(row.Val())
	}
	return counts, err
}
