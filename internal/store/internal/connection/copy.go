package connection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// ErrAway is the error of a start that needs a server of Redis that does not answer.
var ErrAway = errors.New("a start needs what is away")

// Away reports whether err says that a server of Redis does not answer, or not yet: a later start may succeed.
func Away(err error) bool { return errors.Is(err, ErrAway) || pipeline.Unavailable(err) }

// divisions is a key of sites in which large lists of topics are divided into parts, as they were before the first
// release.
const divisions = "meta:{divisions}"

// ErrDivided is the error for such a site: half of its lists would be missing.
var ErrDivided = errors.New("lists of topics in these data are divided into parts, which this program cannot read: " +
	"only an earlier one can open them")

// RefuseDivided returns ErrDivided if the data are those of such a site.
func RefuseDivided(ctx context.Context, rdb redis.Cmdable) error {
	n, err := rdb.Exists(ctx, divisions).Result()
	switch {
	case err != nil:
		return fmt.Errorf("read the layout: %w", err)
	case n > 0:
		return ErrDivided
	}
	return nil
}

// Site is what a start must know of a site. Its keys are single ones, so in a cluster their masters may be away.
// Therefore each partition has a copy of all of them, and with it each master.
type Site struct {
	Layout record.Fields `json:"layout"` // in a copy without the fields of IsRun
	Secret string        `json:"secret"`
	Rules  record.Fields `json:"rules"`
	// At is when the copy was made.
	At forum.Time `json:"at"`
	// Importing is whether an import of an export has begun and not ended. There is no copy of it: data that are
	// a part of a site have no copies.
	Importing bool `json:"-"`
	// Divided is whether lists are divided, see ErrDivided. There is no copy of it either.
	Divided bool `json:"-"`
}

// ReadSite reads the keys of a site. If some cannot be read, they are those of the newest copy. The error is
// ErrAway if there is none. A missing key is no failure.
func ReadSite(ctx context.Context, rdb redis.Cmdable) (Site, error) {
	site, missing, err := readKeys(ctx, rdb)
	if err == nil {
		return site, nil
	}
	pipe := rdb.Pipeline()
	gets := getCopies(ctx, pipe)
	_, _ = pipe.Exec(ctx) // the commands have their own errors
	copied, found := newest(gets)
	if !found {
		return Site{}, fmt.Errorf("no copy of %s can be read: %w: %w", strings.Join(missing, ", "), ErrAway, err)
	}
	for _, name := range missing {
		switch name {
		case key.Layout:
			site.Layout = copied.Layout
		case key.Secret:
			site.Secret = copied.Secret
		case key.Rules:
			site.Rules = copied.Rules
		}
	}
	return site, nil
}

// readKeys reads the keys of a site themselves. It returns the names of those that cannot be read, and why.
func readKeys(ctx context.Context, rdb redis.Cmdable) (site Site, missing []string, err error) {
	pipe := rdb.Pipeline()
	layout, secret := pipe.HGetAll(ctx, key.Layout), pipe.Get(ctx, key.Secret)
	rules := pipe.HGetAll(ctx, key.Rules)
	importing, divided := pipe.Exists(ctx, key.Import), pipe.Exists(ctx, divisions)
	_, _ = pipe.Exec(ctx) // the commands have their own errors
	for _, cmd := range []redis.Cmder{layout, secret, rules, importing} {
		if failure := cmd.Err(); failure != nil && !pipeline.IsNil(failure) {
			missing, err = append(missing, cmd.Args()[1].(string)), failure
		}
	}
	return Site{Layout: layout.Val(), Secret: secret.Val(), Rules: rules.Val(), Importing: importing.Val() > 0,
		Divided: divided.Val() > 0}, missing, err
}

func getCopies(ctx context.Context, pipe redis.Pipeliner) []*redis.StringCmd {
	gets := make([]*redis.StringCmd, forum.Partitions)
	for p := range gets {
		gets[p] = pipe.Get(ctx, key.SiteCopy(forum.Partition(p)))
	}
	return gets
}

// newest returns the newest of some copies; found is false if none can be read.
func newest(gets []*redis.StringCmd) (site Site, found bool) {
	for _, get := range gets {
		var s Site
		if get.Err() == nil && json.Unmarshal([]byte(get.Val()), &s) == nil && len(s.Layout) > 0 &&
			(!found || s.At > site.At) {
			site, found = s, true
		}
	}
	return site, found
}

// Copies keeps the copies of a site up to date. Only one goroutine may use it.
type Copies struct {
	Redis redis.Cmdable
	// Created is that of the layout: other data are not copied.
	Created forum.Time
	written string // what was last written, without its time
}

// Update reads the keys of the site, and writes the copies unless it has written the same before. It fails if a
// key cannot be read, or a copy cannot be written.
func (c *Copies) Update(ctx context.Context, now forum.Time) error {
	site, _, err := readKeys(ctx, c.Redis)
	if err != nil {
		return fmt.Errorf("read the site's keys: %w", err)
	}
	if site.Importing || site.Secret == "" || site.Layout.Time("created") != c.Created {
		return nil
	}
	return c.write(ctx, site, now)
}

func (c *Copies) write(ctx context.Context, site Site, now forum.Time) error {
	maps.DeleteFunc(site.Layout, func(field, _ string) bool { return IsRun(field) })
	same, err := json.Marshal(site)
	if err != nil || string(same) == c.written {
		return err
	}
	site.At = now
	text, err := json.Marshal(site)
	if err != nil {
		return err
	}
	pipe := c.Redis.Pipeline()
	for p := range forum.Partitions {
		pipe.Set(ctx, key.SiteCopy(forum.Partition(p)), text, 0)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("write the copies of the site's keys: %w", err)
	}
	c.written = string(same)
	return nil
}

// layoutAt returns the layout by the copies on one server, and whether it has any.
func layoutAt(ctx context.Context, cn redis.Cmdable) (record.Fields, bool) {
	pipe := cn.Pipeline()
	gets := getCopies(ctx, pipe)
	_, _ = pipe.Exec(ctx) // the commands have their own errors
	site, found := newest(gets)
	return site.Layout, found
}
