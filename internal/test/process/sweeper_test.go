package process

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// writeUnswept posts topics through a store without a sweeper, and stops before the indexes of the last one are
// written. It never returns, but for an error.
func writeUnswept(url string) error {
	ctx, last := context.Background(), false
	conn, err := store.Connect(ctx, url, store.ConnectOptions{})
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, conn, store.Layout{}, store.WithSteps(func(name string) {
		if last && name == "index" {
			fmt.Println(atIndex)
			select {} // until it is killed
		}
	}))
	if err != nil {
		return err
	}
	login := fmt.Sprint("writer", os.Getpid())
	author, err := s.Accounts.Register(ctx, accounts.NewUser{Login: login, LoginFold: login, Name: login,
		PasswordHash: "x"})
	if err != nil {
		return err
	}
	category, err := s.Categories.CreateCategory(ctx, login, login, "")
	for n := 0; err == nil; n++ {
		last = n == 3
		_, err = s.Posts.CreateTopic(ctx, posts.NewTopic{Author: author, Kind: forum.Discussion, Title: login,
			Content: login,
			Format:  forum.Markdown, Category: category})
	}
	return err
}

// atIndex is what writeUnswept prints when it stops.
const atIndex = "a topic is stored, its indexes are not"

// TestCheckFindsWhatNobodySweeps is the control of the kill tests: without a sweeper, processes that are killed between
// the script that stores a topic and its indexes leave damage, and check reports it: as pending, because it
// is what a server repairs as soon as one runs.
func TestCheckFindsWhatNobodySweeps(t *testing.T) {
	testlevel.LongWithoutRace(t)
	const kills = 5
	s := startKillSite(t, asUsual)
	for range kills {
		cmd := childCommand(t, unswept)
		cmd.Env = append(cmd.Env, "REDIS_URL="+s.redisURL)
		out := must.Do(cmd.StdoutPipe())(t)
		must.OK(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		cmd.Process.Kill()
		cmd.Wait()
		if strings.TrimSpace(line) != atIndex {
			t.Fatalf("the program printed %q, %v; want %q", line, err, atIndex)
		}
	}
	var found string
	reports := func() bool { // not while the marks are young, which excuses outdated indexes
		found, _ = s.command("check")
		return strings.Count(found, "index-missing  {ix:front}") == kills
	}
	if !wait.For(20*time.Second, reports) {
		t.Errorf("check does not report %d topics without indexes: %s", kills, found)
	}
	s.await(s.start(s.addrs[0]))
	s.checkClean(time.Now())
	t.Logf("%d kills without a sweeper; check reported %s", kills, found[strings.LastIndex(found[:len(found)-1], "\n")+1:])
}
