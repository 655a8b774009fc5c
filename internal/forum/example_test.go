package forum_test

import (
	"fmt"
	"time"

	"agora/internal/forum"
)

// A vote is worth 432 seconds of age: an older topic with 200 votes more than a newer one is level
// with it if it is a day older.
func ExampleScore() {
	today := forum.Time(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC).UnixMilli())
	yesterday := today - forum.Time((24 * time.Hour).Milliseconds())
	fmt.Println((forum.Score(today, 0)-forum.Score(yesterday, 0))/1000, "seconds")
	fmt.Println(forum.Score(today, 0) - forum.Score(yesterday, 200))
	// Output:
	// 86400 seconds
	// 0
}

// The first ten votes count as much as the next ninety, and as much as 45,000 seconds.
func ExampleHot() {
	posted := forum.Time(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC).UnixMilli())
	later := posted + forum.Time((45_000 * time.Second).Milliseconds())
	fmt.Printf("%.2f\n", forum.Hot(posted, 10)-forum.Hot(posted, 0))
	fmt.Printf("%.2f\n", forum.Hot(posted, 100)-forum.Hot(posted, 10))
	fmt.Printf("%.2f\n", forum.Hot(later, 0)-forum.Hot(posted, 0))
	// Output:
	// 1.00
	// 1.00
	// 1.00
}

// Many votes on both sides make a topic controversial; many on one side do not.
func ExampleControversy() {
	fmt.Println(forum.Controversy(50, 50))
	fmt.Println(forum.Controversy(90, 10))
	fmt.Println(forum.Controversy(100, 0))
	// Output:
	// 100
	// 1.25
	// 1
}

// The terms of an explanation add up to the score that the row was sorted by.
func ExampleExplain() {
	posted := forum.Time(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC).UnixMilli())
	row := forum.Row{CreatedAt: posted, Position: forum.Position{Score: forum.Score(posted, 12)}}
	e := forum.Explain(forum.ByScore, row)
	fmt.Println(e.Formula)
	for _, term := range e.Terms {
		fmt.Printf("%s %.0f\n", term.Name, term.Value)
	}
	// Output:
	// createdAt + 432 * net
	// createdAt 1795392000
	// votes 5184
}

// The topic above leads by 300 seconds, which is less than one vote is worth.
func ExampleVotesToPass() {
	posted := forum.Time(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC).UnixMilli())
	newer := posted + forum.Time((5 * time.Minute).Milliseconds())
	below := forum.Row{ID: 1, CreatedAt: posted, Position: forum.Position{Score: forum.Score(posted, 2), Member: "1"}}
	above := forum.Row{ID: 2, CreatedAt: newer, Position: forum.Position{Score: forum.Score(newer, 2), Member: "2"}}
	fmt.Println(*forum.VotesToPass(forum.ByScore, below, above, 2))
	// Output:
	// 1
}

func ExampleRankComments() {
	votes := map[forum.CommentID]forum.VoteCount{1: {Up: 1}, 2: {Up: 8, Down: 7}, 3: {Up: 5, Down: 1}}
	ids := []forum.CommentID{1, 2, 3}
	fmt.Println(forum.RankComments(forum.MostVoted, ids, votes))
	fmt.Println(forum.RankComments(forum.MostControversial, ids, votes))
	// Output:
	// [3 1 2]
	// [2 3 1]
}

func ExampleDayOf() {
	tokyo, err := forum.LoadZone("Asia/Tokyo")
	if err != nil {
		panic(err)
	}
	midnight := forum.Time(time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC).UnixMilli())
	fmt.Println(forum.DayOf(midnight-1, tokyo), forum.DayOf(midnight, tokyo), forum.DayOf(midnight, time.UTC))
	// Output:
	// 2026-11-23 2026-11-24 2026-11-23
}
