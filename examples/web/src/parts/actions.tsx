import { useRef, useState, type ReactNode } from 'react';
import {
  BookmarkDocument, FollowDocument, VoteDocument, WatchDocument, type Action, type VotesFragment,
} from '../gql/graphql.ts';
import { session, useChange } from '../lib/client.ts';
import { count, short } from '../lib/format.ts';
import { go } from '../lib/router.ts';
import { useStore } from '../lib/store.ts';
import { Icon } from './icons.tsx';
import { say } from './toasts.tsx';

/** Runs something that needs an account; signs in first, and comes back. */
export function useMember() {
  const user = useStore(session);
  return (run: () => Promise<unknown>) => {
    if (!user) go(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
    else run().catch((error: Error) => say(error.message));
  };
}

/** The votes on something; `can` is what the viewer may do to it, unless that is unknown. */
export function Vote({ votes, of, can }: { votes: VotesFragment; of: string; can?: readonly Action[] }) {
  const user = useStore(session);
  const vote = useChange(VoteDocument);
  const member = useMember();
  const cast = (side: 'UP' | 'DOWN') => member(async () => {
    const direction = votes.viewerVote === side ? 'NONE' : side;
    const { vote: result } = await vote({ input: { subjectId: votes.subjectId, direction } });
    if (result?.errors[0]) say(result.errors[0].message);
  });
  const obstacle = (side: 'UP' | 'DOWN') => {
    if (!votes.isOpen) return 'Voting is over';
    const barred = user && can && !can.includes('VOTE');
    return barred && votes.viewerVote !== side ? 'You cannot vote here' : ''; // a vote can be withdrawn
  };
  const button = (side: 'UP' | 'DOWN', label: string) => (
    <button
      type="button" className={side.toLowerCase()}
      aria-label={`${label}: ${of}`} title={obstacle(side) || label}
      aria-pressed={votes.viewerVote === side} disabled={obstacle(side) !== ''} onClick={() => cast(side)}
    >
      <Icon name={side === 'UP' ? 'up' : 'down'} />
    </button>
  );
  return (
    <div className="vote" data-vote={votes.viewerVote}>
      {button('UP', 'Vote up')}
      <span title={`${votes.up} up, ${votes.down} down`}>
        <span className="hidden">Votes: </span>{short(votes.net).replace('-', '−')}
      </span>
      {button('DOWN', 'Vote down')}
    </div>
  );
}

export function Follow(
  { target }: { target: { id: string; viewerIsFollowing: boolean; followerCount: number | null } },
) {
  const follow = useChange(FollowDocument);
  const member = useMember();
  const following = !target.viewerIsFollowing;
  return (
    <button
      className={target.viewerIsFollowing ? '' : 'primary'} aria-pressed={target.viewerIsFollowing}
      title={count(target.followerCount, 'follower')}
      onClick={() => member(async () => {
        const { follow: result } = await follow({ input: { targetId: target.id, following } });
        if (result?.errors[0]) say(result.errors[0].message);
      })}
    >
      {target.viewerIsFollowing ? 'Following' : 'Follow'}
    </button>
  );
}

export function Bookmark({ topic }: { topic: { id: string; title: string; viewerHasBookmarked: boolean } }) {
  const bookmark = useChange(BookmarkDocument);
  const member = useMember();
  const bookmarked = topic.viewerHasBookmarked;
  return (
    <button
      className="quiet" aria-pressed={bookmarked} aria-label={`Bookmark: ${topic.title}`} title="Bookmark"
      onClick={() => member(() => bookmark({ input: { topicId: topic.id, bookmarked: !bookmarked } }))}
    >
      <Icon name="mark" />
    </button>
  );
}

export function Watch({ topic }: { topic: { id: string; viewerIsWatching: boolean } }) {
  const watch = useChange(WatchDocument);
  const member = useMember();
  const watching = !topic.viewerIsWatching;
  return (
    <button
      className="quiet" aria-pressed={!watching} title="Be notified of each new comment"
      onClick={() => member(() => watch({ input: { topicId: topic.id, watching } }))}
    >
      {watching ? 'Watch' : 'Watching'}
    </button>
  );
}

/** A button that asks before it does what cannot be undone. */
export function Confirm({ label, question, run, children }: {
  label: string; question: string; run: () => Promise<unknown>; children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button className="quiet" onClick={() => { setOpen(true); dialog.current?.showModal(); }}>{children}</button>
      <dialog ref={dialog} onClose={() => setOpen(false)} aria-label={question}>
        {open && (
          <form method="dialog">
            <p>{question}</p>
            <div className="actions">
              <button className="danger" onClick={() => void run().catch((error: Error) => say(error.message))}>
                {label}
              </button>
              <button autoFocus>Cancel</button>
            </div>
          </form>
        )}
      </dialog>
    </>
  );
}
