package turns

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"agora/internal/test/must"
)

// Of those who wait, who holds least goes first, and of equal ones who asks for least.
func TestRoomServesWhoHoldsLeast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(100, 80, 5)
		ctx := t.Context()
		first := must.Do(r.Acquire(ctx, "a", 80))(t)
		must.Do(r.Acquire(ctx, "e", 10))(t)
		got := make(chan string, 10)
		ask := func(who string, n int) {
			go func() { // ends when it has had room
				release := must.Do(r.Acquire(ctx, who, n))(t)
				got <- fmt.Sprint(who, n)
				release()
			}()
			synctest.Wait()
		}
		ask("e", 52)
		ask("c", 90)
		ask("d", 70)
		ask("c", 60)
		ask("a", 55)
		must.Do(r.Acquire(ctx, "f", 5))(t)()
		select {
		case who := <-got:
			t.Fatalf("%s got room while there is none", who)
		default:
		}
		first()
		synctest.Wait()
		for _, want := range []string{"a55", "c60", "d70", "c90", "e52"} { // never two at a time
			if who := <-got; who != want {
				t.Errorf("%s got room; want %s", who, want)
			}
		}
	})
}

// However many come and give up, no more is held than there is, but for what is spare, and nothing is left.
func TestRoomHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 150), 1, 60).Draw(rt, "sizes")
		synctest.Test(t, func(t *testing.T) {
			const most, spare, networks = 100, 10, 5
			r := NewRoom(most, 60, spare)
			for i, size := range sizes {
				ctx, cancel := context.WithCancel(t.Context())
				go func() { // ends when it has had room, or gives up
					defer cancel()
					release, err := r.Acquire(ctx, fmt.Sprint(i%networks), size)
					if err != nil {
						if !errors.Is(err, context.Canceled) {
							t.Errorf("Acquire = %v", err)
						}
						return
					}
					if held, _ := r.Held(); held > most+networks*spare {
						t.Errorf("%d is held; want at most %d", held, most+networks*spare)
					}
					pass(time.Millisecond)
					release()
				}()
				if i%3 == 0 {
					cancel()
				}
			}
			pass(time.Hour)
			if held, _ := r.Held(); held != 0 || len(r.holders) != 0 || r.waiting != 0 {
				t.Errorf("%d is held by %d, %d wait; want nothing", held, len(r.holders), r.waiting)
			}
		})
	})
}

// What holds nothing is counted, too: who leaves first takes nothing from the others of the network.
func TestRoomForNothing(t *testing.T) {
	r := NewRoom(100, 80, 5)
	one, two := must.Do(r.Acquire(t.Context(), "a", 0))(t), must.Do(r.Acquire(t.Context(), "a", 0))(t)
	one()
	two()
	if held, _ := r.Held(); held != 0 {
		t.Errorf("%d are held; want none", held)
	}
}
