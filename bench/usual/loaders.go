package usual

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/graph-gophers/dataloader/v7"
	"github.com/redis/go-redis/v9"

	"agora/bench/keys"
	"agora/bench/usual/model"
	"agora/internal/forum"
)

// wait is how long a loader waits for more keys.
const wait = time.Millisecond

// loaders are the loaders of one request.
type loaders struct {
	users      *dataloader.Loader[int64, *model.User]
	topics     *dataloader.Loader[int64, *model.Topic]
	comments   *dataloader.Loader[int64, *model.Comment]
	categories *dataloader.Loader[int64, *model.Category]
	tabs       *dataloader.Loader[int64, []*model.Tab]
	pages      *dataloader.Loader[page, *model.CommentConnection]
}

// page is a page of a topic's comments.
type page struct {
	topic int64
	first int
	after float64 // comment number; 0 is the beginning
}

type loadersKey struct{}

func from(ctx context.Context) *loaders { return ctx.Value(loadersKey{}).(*loaders) }

// withLoaders creates the loaders of each request.
func withLoaders(rdb redis.UniversalClient, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := &loaders{
			users:      objects(rdb, keys.User, userOf),
			topics:     objects(rdb, keys.Topic, topicOf),
			comments:   objects(rdb, keys.Comment, commentOf),
			categories: objects(rdb, keys.Category, categoryOf),
			tabs:       tabs(rdb),
			pages:      pages(rdb),
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), loadersKey{}, l)))
	})
}

// objects returns a loader of hashes.
func objects[T any](
	rdb redis.UniversalClient,
	key func([]byte, int64) []byte,
	decode func(int64, map[string]string) *T,
) *dataloader.Loader[int64, *T] {
	return dataloader.NewBatchedLoader(func(ctx context.Context, ids []int64) []*dataloader.Result[*T] {
		pipe := rdb.Pipeline()
		cmds := make([]*redis.MapStringStringCmd, len(ids))
		for i, id := range ids {
			cmds[i] = pipe.HGetAll(ctx, string(key(nil, id)))
		}
		_, err := pipe.Exec(ctx)
		results := make([]*dataloader.Result[*T], len(ids))
		for i, cmd := range cmds {
			results[i] = &dataloader.Result[*T]{Error: err}
			if err == nil {
				results[i].Data = decode(ids[i], cmd.Val())
			}
		}
		return results
	}, dataloader.WithWait[int64, *T](wait))
}

// tabs returns a loader of the tabs that show a category.
func tabs(rdb redis.UniversalClient) *dataloader.Loader[int64, []*model.Tab] {
	return dataloader.NewBatchedLoader(func(ctx context.Context, ids []int64) []*dataloader.Result[[]*model.Tab] {
		results := make([]*dataloader.Result[[]*model.Tab], len(ids))
		for i, id := range ids {
			results[i] = &dataloader.Result[[]*model.Tab]{}
			results[i].Data, results[i].Error = tabsOf(ctx, rdb, id)
		}
		return results
	}, dataloader.WithWait[int64, []*model.Tab](wait))
}

func tabsOf(ctx context.Context, rdb redis.UniversalClient, category int64) ([]*model.Tab, error) {
	ids, err := rdb.ZRange(ctx, string(keys.CategoryTabs(nil, category)), 0, forum.MaxCategoryTabs-1).Result()
	if err != nil || len(ids) == 0 {
		return []*model.Tab{}, err
	}
	pipe := rdb.Pipeline()
	cmds := make([]*redis.MapStringStringCmd, len(ids))
	for i, id := range ids {
		cmds[i] = pipe.HGetAll(ctx, string(keys.Tab(nil, int64(number(id)))))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	found := []*model.Tab{}
	for _, cmd := range cmds {
		if name := cmd.Val()["name"]; name != "" {
			found = append(found, &model.Tab{Name: name})
		}
	}
	return found, nil
}

// pages returns a loader of pages of comments.
func pages(rdb redis.UniversalClient) *dataloader.Loader[page, *model.CommentConnection] {
	return dataloader.NewBatchedLoader(
		func(ctx context.Context, asked []page) []*dataloader.Result[*model.CommentConnection] {
			pipe := rdb.Pipeline()
			ids, totals := make([]*redis.StringSliceCmd, len(asked)), make([]*redis.IntCmd, len(asked))
			for i, p := range asked {
				key := string(keys.TopicComments(nil, p.topic))
				totals[i] = pipe.ZCard(ctx, key)
				ids[i] = pipe.ZRangeByScore(
					ctx,
					key,
					&redis.ZRangeBy{Min: "(" + strconv.FormatFloat(p.after, 'f', -1, 64), Max: "+inf", Count: int64(p.first)},
				)
			}
			_, err := pipe.Exec(ctx)
			results := make([]*dataloader.Result[*model.CommentConnection], len(asked))
			for i := range asked {
				results[i] = &dataloader.Result[*model.CommentConnection]{Error: err}
				if err == nil {
					results[i].Data = &model.CommentConnection{IDs: numbers(ids[i].Val()), TotalCount: int(totals[i].Val())}
				}
			}
			return results
		},
		dataloader.WithWait[page, *model.CommentConnection](wait),
	)
}

// numberAfter parses the comment number in one of Agora's cursors.
func numberAfter(cursor string) float64 {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 17 {
		return 0
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b[9:]))
}

func numbers(ids []string) []int64 {
	ns := make([]int64, len(ids))
	for i, id := range ids {
		ns[i] = int64(number(id))
	}
	return ns
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
