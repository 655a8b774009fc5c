package homes

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// A home holds exactly the entries above its watermark that its sources hold. Sources are its owner and the
// users, categories and tags that the owner follows; authors in a block with the owner are left out. Only
// script/home_*.lua write homes (docs/architecture/social.md, "Homes").

// HomeView is a home and its sources, all read at one instant.
type HomeView struct {
	active bool
	// epoch rises whenever what was read of the home and its sources may be out of date.
	epoch string
	// watermark is the member, as indexes store it, above which the home is complete; "" if nothing is
	// below it.
	watermark    string
	users        []forum.UserID  // the owner, and the users that the owner follows
	subjects     []key.Container // categories and tags, but for rooms
	blockedUsers map[forum.UserID]bool
	topics       []string // of the home, if requested
	rooms        int64    // changes of who sees a category that are known
}

// viewHome reads the sources of a home, and with topics its topics too.
func (s *Store) viewHome(ctx context.Context, id forum.UserID, topics bool) (HomeView, error) {
	b := s.engine.Client.Batch()
	cmd := s.QueueView(ctx, b, id, topics)
	b.Exec(ctx) // the command has its own error
	of, err := script.HomeSources{}.Result(cmd.Result())
	if err != nil {
		return HomeView{}, fmt.Errorf("sources of the home of user %d: %w", id, err)
	}
	return s.newHomeView(ctx, id, of), nil
}

func (s *Store) newHomeView(ctx context.Context, id forum.UserID, of script.HomeSourcesResult) HomeView {
	rules := s.rules.Current(ctx)
	v := HomeView{active: of.State == catalogue.UserActive, epoch: of.Epoch, watermark: of.Watermark, topics: of.Topics,
		users: []forum.UserID{id}, blockedUsers: map[forum.UserID]bool{}, rooms: rules.Epochs}
	for _, user := range of.Users {
		v.users = append(v.users, forum.UserID(record.Atoi(user)))
	}
	for _, subject := range of.Subjects {
		if c := key.Container("{ix:" + subject + "}"); !rules.In(c.Category()).IsRoom() {
			v.subjects = append(v.subjects, c)
		}
	}
	for _, user := range of.BlockedUsers {
		v.blockedUsers[forum.UserID(record.Atoi(user))] = true
	}
	return v
}

// fromRoom reports whether the source of an edge is a room, whose topics are in no home.
func (s *Store) fromRoom(ctx context.Context, e record.Edge) bool {
	return e.Kind == record.FollowCategory && s.rules.Current(ctx).In(forum.CategoryID(e.To)).IsRoom()
}

// keys returns the keys of the sources' topic lists, those of users first.
func (v HomeView) keys() []string {
	var keys []string
	for _, id := range v.users {
		keys = append(keys, key.Profile(id))
	}
	for _, c := range v.subjects {
		keys = append(keys, c.Order(key.OrderCreated))
	}
	return keys
}

// lists returns the sources' topic lists, latest first.
func (v HomeView) lists(name string) []listing.List {
	var lists []listing.List
	for _, key := range v.keys() {
		lists = append(lists, listing.List{Name: name, Key: key, Newest: true, Packed: true})
	}
	return lists
}

// blockedTopics returns those of the topics whose authors are in a block with the owner. A topic is in its
// author's partition, so that few authors need to be read.
func (s *Store) blockedTopics(ctx context.Context, v HomeView, ids []int64) (map[int64]bool, error) {
	if len(v.blockedUsers) == 0 {
		return nil, nil
	}
	var partitions [forum.Partitions]bool
	for user := range v.blockedUsers {
		partitions[user.Partition()] = true
	}
	b := s.engine.Client.Batch()
	authors := map[int64]*redis.StringCmd{}
	for _, id := range ids {
		if topic := forum.TopicID(id); partitions[topic.Partition()] && authors[id] == nil {
			authors[id] = b.HGet(ctx, key.Topic(topic), "author")
		}
	}
	if len(authors) == 0 {
		return nil, nil
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("authors of topics: %w", err)
	}
	blocked := map[int64]bool{}
	for id, author := range authors {
		blocked[id] = v.blockedUsers[forum.UserID(record.Atoi(author.Val()))]
	}
	return blocked, nil
}

// homeEntries returns members of indexes as arguments of home_merge.
func homeEntries(members []string) []script.HomeMergeTopic {
	all := make([]script.HomeMergeTopic, 0, len(members))
	for _, m := range members {
		if _, created, err := record.ParseMember(m); err == nil {
			all = append(all, script.HomeMergeTopic{Created: created, Member: record.HomeMember(m)})
		}
	}
	return all
}

// Backfill merges the newest topics of a newly followed source into a home and revalidates the home. v is
// the home as it was when the edge was set.
func (s *Store) Backfill(ctx context.Context, e record.Edge, members []string, v *HomeView) error {
	if e.Kind != record.FollowUser && len(v.blockedUsers) > 0 {
		blocked, err := s.blockedTopics(ctx, *v, record.TopicsOf(members))
		if err != nil {
			return err
		}
		open := slices.DeleteFunc(slices.Clone(members), func(m string) bool {
			id, _, _ := record.ParseMember(m)
			return blocked[id]
		})
		// If the source has more topics, read enough of them that the home is trimmed, which records that
		// there are more.
		if len(open) < len(members) && len(members) > s.engine.Limits.Home {
			if open, err = s.openMembers(ctx, e, *v); err != nil {
				return err
			}
		}
		members = open
	}
	s.engine.Step("home_backfill")
	b := s.engine.Client.Batch()
	s.QueueMerge(ctx, b, e, members)
	l := s.Revalidation(ctx, e.From, v)
	l.ReadAgain(b)
	l.ReadSources(b)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("backfill the home of user %d: %w", e.From, err)
	}
	return s.FinishRevalidations(ctx, s.engine.Client.Batch(), l)
}

// QueueMerge queues merging topics of a source into its follower's home.
func (s *Store) QueueMerge(ctx context.Context, b *pipeline.Batch, e record.Edge, members []string) {
	k, member := e.Own()
	if s.fromRoom(ctx, e) {
		members = nil
	}
	b.Run(ctx, script.HomeMerge{
		Owner: key.User(e.From), Home: key.Home(e.From), Followed: k, Events: key.Events(key.Home(e.From)),
		Member: member, Most: int64(s.engine.Limits.Home), Topics: homeEntries(members),
	})
}

// openMembers returns the newest topics of a category or tag, except those of authors in a block with the
// owner of a home: one more than the home can hold, if there are that many.
func (s *Store) openMembers(ctx context.Context, e record.Edge, v HomeView) ([]string, error) {
	_, subject := e.Own()
	v.users, v.subjects = nil, []key.Container{key.Container("{ix:" + subject + "}")}
	rows, err := s.openRows(ctx, v, forum.Window{Count: s.engine.Limits.Home + 1})
	members := make([]string, len(rows))
	for i, row := range rows {
		members[i] = row.Member
	}
	return members, err
}

// homeTries is how often a home is read again because it changed concurrently.
const homeTries = 5

// RevalidateHome removes the topics that no source of a home holds. It runs after every change of sources,
// however late that change becomes visible.
func (s *Store) RevalidateHome(ctx context.Context, id forum.UserID) error {
	for range homeTries {
		s.engine.Step("home_read")
		v, err := s.viewHome(ctx, id, true)
		if err != nil || !v.active || len(v.topics) == 0 {
			return err
		}
		s.engine.Step("home_windows")
		held, err := s.above(ctx, v)
		if err != nil {
			return err
		}
		var strays []string
		for _, m := range v.topics {
			topic, _ := strconv.ParseInt(m, 16, 64)
			if !held[topic] {
				strays = append(strays, m)
			}
		}
		s.engine.Step("home_drop")
		b := s.engine.Client.Batch()
		cmd := s.queueDrop(ctx, b, id, v.epoch, strays)
		b.Exec(ctx) // the command has its own error
		done, err := cmd.Bool()
		if err != nil {
			return fmt.Errorf("revalidate the home of user %d: %w", id, err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("revalidate the home of user %d: %w", id, engine.ErrBusy)
}

// queueDrop queues removing members from a home, if its epoch is unchanged.
func (s *Store) queueDrop(ctx context.Context, b *pipeline.Batch, id forum.UserID, epoch string,
	members []string) *redis.Cmd {
	p, task := id.Partition(), record.HomeTask(id)
	return b.Run(ctx, script.HomeDrop{
		Owner: key.User(id), Home: key.Home(id), Due: key.Due(p), Task: key.Task(p, task),
		Events: key.Events(key.Home(id)),
		Epoch:  epoch, Now: s.engine.Now(), TaskName: task, Low: int64(s.engine.Limits.HomeLow), Members: members,
	})
}

// above returns the topics that the sources of a home hold above its watermark.
func (s *Store) above(ctx context.Context, v HomeView) (map[int64]bool, error) {
	held := map[int64]bool{}
	var unverified []int64 // topics of categories and tags, whose authors may be in a block
	for from, keys := 0, v.keys(); from < len(keys); from += rangesAtOnce {
		b := s.engine.Client.Batch()
		part := keys[from:min(from+rangesAtOnce, len(keys))]
		cmds := make([]*redis.StringSliceCmd, len(part))
		for i, key := range part {
			cmds[i] = b.ZRangeByScore(ctx, key, &redis.ZRangeBy{Min: v.least(), Max: "+inf"})
		}
		if err := b.Exec(ctx); err != nil {
			return nil, fmt.Errorf("sources of a home: %w", err)
		}
		for i, cmd := range cmds {
			for _, m := range cmd.Val() {
				id, _, _ := record.ParseMember(m)
				if m <= v.watermark || held[id] {
					continue
				}
				if from+i < len(v.users) {
					held[id] = true
				} else {
					unverified = append(unverified, id)
				}
			}
		}
	}
	blocked, err := s.blockedTopics(ctx, v, unverified)
	for _, id := range unverified {
		held[id] = held[id] || !blocked[id]
	}
	return held, err
}

// rangesAtOnce is the maximum number of lists that one pipeline reads a range of.
const rangesAtOnce = 500

// FillHome fills a home with the newest topics of its sources and lowers its watermark to the first topic
// that did not fit.
func (s *Store) FillHome(ctx context.Context, id forum.UserID) error {
	for range homeTries {
		s.engine.Step("fill_read")
		v, err := s.viewHome(ctx, id, false)
		if err != nil || !v.active {
			return err
		}
		s.engine.Step("fill_merge")
		members, watermark, err := s.newest(ctx, v)
		if err != nil {
			return err
		}
		s.engine.Step("fill_install")
		done, err := s.engine.Client.Run(ctx, script.HomeMerge{
			Owner: key.User(id), Home: key.Home(id), Followed: key.Following(id), Events: key.Events(key.Home(id)),
			Epoch: v.epoch, Rooms: v.rooms, NewWatermark: watermark, Most: int64(s.engine.Limits.Home), Topics: homeEntries(members),
		}).Bool()
		if err != nil {
			return fmt.Errorf("fill the home of user %d: %w", id, err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("fill the home of user %d: %w", id, engine.ErrBusy)
}

// newest returns the topics that a home can hold, latest first, and as the watermark the next topic; "" if
// all fit.
func (s *Store) newest(ctx context.Context, v HomeView) (members []string, watermark string, err error) {
	rows, err := s.openRows(ctx, v, forum.Window{Count: s.engine.Limits.Home + 1})
	if err != nil {
		return nil, "", err
	}
	if len(rows) > s.engine.Limits.Home {
		watermark, rows = rows[s.engine.Limits.Home].Member, rows[:s.engine.Limits.Home]
	}
	for _, row := range rows {
		members = append(members, row.Member)
	}
	return members, watermark, nil
}

// merged reads a page of the merge of lists.
func (s *Store) merged(ctx context.Context, lists []listing.List, w forum.Window) (forum.Page, error) {
	m := listing.NewMerge(lists, w)
	for reads := m.Next(); len(reads) > 0; reads = m.Next() {
		pages := make([]forum.Page, 0, len(reads))
		for part := range slices.Chunk(reads, rangesAtOnce) {
			r := s.engine.Read(ctx)
			gets := make([]func() (forum.Page, error), len(part))
			for i, read := range part {
				gets[i] = listing.On(r).Page(read.List, read.Window)
			}
			if err := r.Exec(); err != nil {
				return forum.Page{}, fmt.Errorf("merge lists: %w", err)
			}
			for _, get := range gets {
				page, err := get()
				if err != nil {
					return forum.Page{}, err
				}
				pages = append(pages, page)
			}
		}
		m.Add(pages)
	}
	return m.Page(), nil
}

// WakeHome records that the owner of a home has returned that is not kept, or is out of date: a task fills it.
func (s *Store) WakeHome(ctx context.Context, id forum.UserID) error {
	p, task := id.Partition(), record.HomeTask(id)
	err := s.engine.Client.Run(ctx, script.HomeWake{
		Owner: key.User(id), Home: key.Home(id), Due: key.Due(p), Task: key.Task(p, task), Now: s.engine.Now(),
		TaskName: task, Rooms: s.rules.Current(ctx).Epochs,
	}).Err()
	if err != nil {
		return fmt.Errorf("schedule filling the home of user %d: %w", id, err)
	}
	return nil
}
