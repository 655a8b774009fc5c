package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// samples has keys of each kind that exports have in rows.
var samples = map[string][]string{
	"topic":                    {"{p07}:t:519"},
	"topic-set":                {"{p07}:t:519:comments", "{p07}:t:519:replies", "{p07}:t:519:gone", "{p07}:t:519:authors", "{p07}:t:519:bookmarkers", "{p07}:t:519:watchers"},
	"topic-ended":              {"{p07}:t:519:bookmarkers:ended", "{p07}:t:519:watchers:ended"},
	"topic-votes":              {"{p07}:t:519:up", "{p07}:t:519:down"},
	"topic-tally":              {"{p07}:t:519:tally"},
	"comment":                  {"{p07}:c:775"},
	"comment-replies":          {"{p07}:c:775:replies"},
	"comment-votes":            {"{p07}:c:775:up"},
	"comment-tally":            {"{p07}:c:775:tally"},
	"user":                     {"{p07}:u:263"},
	"user-internal":            {"{p07}:u:263:internal"},
	"user-activity":            {"{p07}:u:263:profile", "{p07}:u:263:votes"},
	"user-set":                 {"{p07}:u:263:following", "{p07}:u:263:subjects", "{p07}:u:263:followers", "{p07}:u:263:blocked", "{p07}:u:263:blockers", "{p07}:u:263:home", "{p07}:u:263:lists", "{p07}:u:263:listed", "{p07}:u:263:bookmarks", "{p07}:u:263:watching", "{p07}:u:263:marked"},
	"user-hash":                {"{p07}:u:263:lists:names", "{p07}:u:263:marks"},
	"user-notes":               {"{p07}:u:263:notes", "{p07}:u:263:notes:unread"},
	"user-note":                {"{p07}:u:263:note"},
	"user-ended":               {"{p07}:u:263:followers:ended", "{p07}:u:263:blockers:ended", "{p07}:u:263:listed:ended"},
	"list":                     {"{p07}:l:1031"},
	"list-members":             {"{p07}:l:1031:members"},
	"topic-revisions":          {"{p07}:t:519:revisions"},
	"topic-internal":           {"{p07}:t:519:internal"},
	"topic-text":               {"{p07}:t:519:text"},
	"comment-internal":         {"{p07}:c:775:internal"},
	"comment-text":             {"{p07}:c:775:text"},
	"category-internal":        {"{cat}:c:7:internal"},
	"tab-internal":             {"{cat}:t:7:internal"},
	"topic-texts":              {"{p07}:t:519:texts"},
	"comment-revisions":        {"{p07}:c:775:revisions"},
	"comment-texts":            {"{p07}:c:775:texts"},
	"act":                      {"{p07}:m:1287"},
	"act-posts":                {"{p07}:m:1287:posts"},
	"section-act":              {"{cat}:m:2147483649"},
	"site-act":                 {"{mod}:m:3221225472"},
	"section-acts":             {"{cat}:c:7:acts", "{cat}:t:7:acts"},
	"topic-acts":               {"{p07}:t:519:acts"},
	"comment-acts":             {"{p07}:c:775:acts"},
	"user-acts":                {"{p07}:u:263:acts", "{p07}:u:263:record"},
	"topic-reporters":          {"{p07}:t:519:reporters"},
	"topic-reports":            {"{p07}:t:519:case", "{p07}:t:519:reports"},
	"comment-reporters":        {"{p07}:c:775:reporters"},
	"comment-reports":          {"{p07}:c:775:case", "{p07}:c:775:reports"},
	"user-reporters":           {"{p07}:u:263:reporters"},
	"user-reports":             {"{p07}:u:263:case", "{p07}:u:263:reports", "{p07}:u:263:evidence"},
	"queue":                    {"{mod}:queue:open", "{mod}:queue:upheld:c7"},
	"queue-revisions":          {"{mod}:queue-rev"},
	"blocklist":                {"{mod}:words", "{mod}:domains"},
	"approved":                 {"{p07}:u:263:approved"},
	"rules":                    {"{mod}:rules"},
	"moderation-log":           {"{mod}:log", "{mod}:log:HIDE"},
	"fences":                   {"{p07}:gone:500000"},
	"releases":                 {"{p07}:u:263:rel"},
	"user-comments":            {"{p07}:u:263:comments:created", "{p07}:u:263:comments:gone"},
	"user-comments-revisions":  {"{p07}:u:263:comments:rev"},
	"sequence":                 {"{p07}:seq"},
	"stats":                    {"{p07}:stats"},
	"work":                     {"{p07}:dirty", "{p07}:due", "{p07}:dead"},
	"task":                     {"{p07}:task:t:519"},
	"idempotency":              {"{p07}:idem:263:" + strings.Repeat("0a", 16)},
	"source":                   {"{p07}:src:" + strings.Repeat("0a", 16)},
	"external":                 {"{p07}:ext:" + strings.Repeat("0a", 16)},
	"user-external":            {"{p07}:u:263:external"},
	"invitations":              {"{p07}:u:263:invitations"},
	"front-index":              {"{ix:front}:created", "{ix:front}:hot", "{ix:front}:gone"},
	"front-revisions":          {"{ix:front}:rev"},
	"category-index":           {"{ix:c7}:created", "{ix:c7}:score"},
	"category-revisions":       {"{ix:c7}:rev"},
	"category-closed":          {"{ix:c7}:closed"},
	"tag-index":                {"{ix:g4503599627370495}:created"},
	"tag":                      {"{ix:g4503599627370495}:tag"},
	"category-followers":       {"{ix:c7}:followers"},
	"category-followers-ended": {"{ix:c7}:followers:ended"},
	"tag-followers":            {"{ix:g7}:followers"},
	"tag-followers-ended":      {"{ix:g7}:followers:ended"},
	"tag-removed":              {"{ix:g7}:gone"},
	"tag-revisions":            {"{ix:g7}:rev"},
	"names":                    {"{ix:users}:name", "{ix:applicants}:name", "{ix:tags}:count"},
	"names-revisions":          {"{ix:users}:rev", "{ix:applicants}:rev", "{ix:tags}:rev"},
	"day-index":                {"{ix:d2096-01-02}:replies", "{ix:d2096-01-02}:gone"},
	"day-revisions":            {"{ix:d2096-01-02}:rev"},
	"category":                 {"{cat}:c:7"},
	"category-moderators":      {"{cat}:c:7:moderators"},
	"category-tabs":            {"{cat}:c:7:tabs"},
	"tab":                      {"{cat}:t:7"},
	"tab-categories":           {"{cat}:t:7:categories"},
	"site-sequence":            {"{cat}:seq:c", "{cat}:seq:t", "{mod}:seq:m"},
	"site-hash":                {"{cat}:names:c", "{cat}:src:t"},
	"site-set":                 {"{cat}:all:c", "{cat}:dirty", "{mod}:marks"},
	"barred-email":             {"uniq:{b:" + strings.Repeat("0a", 16) + "}"},
	"claim":                    {"uniq:{l:ann}", "uniq:{k:ann}", "uniq:{e:" + strings.Repeat("0a", 32) + "}"},
	"secret":                   {"meta:secret"},
}

// leftSamples has a key of each kind that exports leave out.
var leftSamples = map[string]string{
	"topic-changes":   "{p07}:t:519:changes",
	"topic-ranking":   "{p07}:t:519:replies:ranking:0123456789abcdef",
	"comment-ranking": "{p07}:c:775:replies:ranking:0123456789abcdef",
	"user-events":     "{p07}:u:263:home:ev",
	"index-events":    "{ix:c7}:ev",
	"queue-events":    "{mod}:queue-ev",
	"recent-posts":    "{p07}:u:263:door",
	"posted-text":     "door:{00112233445566778899aabbccddeeff}",
	"sessions":        "{p07}:u:263:sessions",
	"tokens":          "{p07}:u:263:tokens",
	"click":           "{p07}:click:519:u263",
	"snapshot":        "snap:{front:0:top:desc:week}:7",
	"snapshot-lease":  "snap:{front:0:top:desc:week}:7:lease",
	"site-copy":       "{p07}:site",
	"recheck":         "meta:recheck",
	"failures":        "rate:{failures:" + strings.Repeat("0a", 16) + "}",
	"attempts":        "rate:{failures:" + strings.Repeat("0a", 16) + "}:00ff",
	"devices":         "{p07}:u:263:devices",
	"rate":            "rate:{sign-in-address:" + strings.Repeat("0a", 16) + "}",
}

// odd are texts that JSON must escape, or need not.
var odd = []string{"", `"quoted" \ backslash`, "line\nline\r\n\ttab\x00\x1f\x7f", "<a>&</a> \u2028 é 你好 🙂", "0"}

// scores are scores of sorted sets: times, a rank, the extremes of whole numbers, and more.
var scores = []float64{
	0, 1, 1_760_000_000_000_123, 4*1_760_000_000_000 + 2, 4143.123456789012, -0.1, 1 << 53, 1e300, 5e-324,
}

// fill writes one key with content of its type.
func fill(t *testing.T, rdb redis.UniversalClient, typ catalogue.Type, name string) {
	t.Helper()
	ctx := t.Context()
	pipe := rdb.Pipeline()
	switch typ {
	case catalogue.Hash:
		for i, text := range odd {
			pipe.HSet(ctx, name, text, odd[len(odd)-1-i])
		}
	case catalogue.ZSet:
		for i, score := range scores {
			pipe.ZAdd(ctx, name, redis.Z{Score: score, Member: fmt.Sprint(i, odd[i%len(odd)])})
		}
	case catalogue.Set:
		for _, text := range odd {
			pipe.SAdd(ctx, name, text)
		}
	case catalogue.String:
		pipe.Set(ctx, name, "of "+name+strings.Join(odd, ","), 0)
	case catalogue.List:
		pipe.RPush(ctx, name, "1")
	case catalogue.Stream:
		pipe.XAdd(ctx, &redis.XAddArgs{Stream: name, Values: []string{"k", "A"}})
	}
	must.Do(pipe.Exec(ctx))(t)
}

// newServer starts an empty Redis whose keys expire in years.
func newServer(t *testing.T) *redistest.Server {
	t.Helper()
	s := redistest.Start(t)
	s.Freeze(redistest.NewClock().Now())
	return s
}

// fullSite returns a server with every kind of key, some of which expire.
func fullSite(t *testing.T) *redistest.Server {
	t.Helper()
	server := newServer(t)
	open(t, server)
	rdb := server.Client(t)
	for _, k := range catalogue.Kinds {
		names := samples[k.Name]
		if k.Name == "secret" { // there is one, and it must stay valid
			continue
		}
		if k.Export == catalogue.Left && leftSamples[k.Name] != "" {
			names = []string{leftSamples[k.Name]}
		}
		for i, name := range names {
			fill(t, rdb, k.Type, name)
			if k.Life > 0 || k.Object == catalogue.OfVoters || k.Object == catalogue.OfClaim && i > 0 {
				at := redistest.NewClock().Now().Add(time.Hour + time.Duration(i)*time.Millisecond)
				wantOK(t, "PEXPIREAT", rdb.PExpireAt(t.Context(), name, at).Err())
			}
		}
	}
	return server
}

// open opens the store of a server.
func open(t *testing.T, server *redistest.Server) *store.Store {
	t.Helper()
	s := must.Do(store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{TimeZone: "Asia/Shanghai"}))(t)
	t.Cleanup(s.Close)
	return s
}

// export returns the export of a server's site.
func export(t *testing.T, server *redistest.Server) []byte {
	t.Helper()
	var b bytes.Buffer
	rows := must.Do(Export(t.Context(), open(t, server), &b, ExportOptions{}))(t)
	if lines := bytes.Count(b.Bytes(), []byte("\n")); int64(lines) != rows+2 {
		t.Errorf("Export = %d rows, and writes %d lines; want two more", rows, lines)
	}
	return b.Bytes()
}

// importInto imports a file into a server.
func importInto(ctx context.Context, rdb redis.UniversalClient, file []byte) (Summary, error) {
	return Import(ctx, store.Over(rdb), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, ImportOptions{})
}

// content describes all keys of a server but those of kinds that are left out.
func content(t *testing.T, server *redistest.Server) map[string]string {
	t.Helper()
	rdb, ctx := server.Client(t), t.Context()
	names := must.Do(rdb.Keys(ctx, "*").Result())(t)
	all := map[string]string{}
	for _, name := range names {
		k, _ := catalogue.ReadKey(name)
		if k.Export == catalogue.Left {
			continue
		}
		var value any
		switch k.Type {
		case catalogue.Hash:
			value = rdb.HGetAll(ctx, name).Val()
		case catalogue.ZSet:
			value = rdb.ZRangeWithScores(ctx, name, 0, -1).Val()
		case catalogue.Set:
			members := rdb.SMembers(ctx, name).Val()
			slices.Sort(members)
			value = members
		default:
			value = rdb.Get(ctx, name).Val()
		}
		all[name] = fmt.Sprintf("%q until %d", fmt.Sprint(value), rdb.PExpireTime(ctx, name).Val())
	}
	return all
}

// wantOK ends the test if err is not nil.
func wantOK(t *testing.T, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}
