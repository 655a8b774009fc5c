import {
  MarkReadDocument, NotificationsDocument, type NoticeFragment, type NotificationReason,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { path } from '../lib/router.ts';
import { Avatar, Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { acts, reasons } from '../staff/words.ts';

const did: Record<NotificationReason, string> = {
  REPLY: 'replied to you', MENTION: 'mentioned you', COMMENT: 'commented on your topic', FOLLOW: 'follows you',
  WATCH: 'commented on a topic that you watch', MODERATION: 'moderated what you posted', WARNING: 'warned you',
  BAN: 'banned you', REPORT: 'looked at what you reported',
};

/** What a moderator did, and why. */
const told = (act: NonNullable<NoticeFragment['act']>) => (
  `${reasons[act.reason]}${act.note ? `: ${act.note}` : ''} (${acts[act.action]})`
);

/** Where a notification leads; nowhere once its subject is gone. */
function target({ subject }: NoticeFragment): { href: string; title: string; text?: string | null } | undefined {
  switch (subject?.__typename) {
    case 'Comment': {
      const { topic, number, excerpt: text } = subject;
      return { href: `${path('t', topic.number)}#c${number}`, title: topic.title, text };
    }
    case 'Topic':
      return { href: path('t', subject.number), title: subject.title };
    case 'User':
      return { href: path('u', subject.login), title: 'See the profile' };
    default:
      return undefined;
  }
}

function Notice({ notice, read }: { notice: NoticeFragment; read: () => void }) {
  const to = target(notice);
  return (
    <li className={notice.isRead ? 'notice-row' : 'notice-row fresh'}>
      <Avatar user={notice.actor} />
      <div className="what">
        <p className="meta">
          {notice.act ? <span>A moderator</span> : <Person user={notice.actor} />}
          <span>{did[notice.reason]}</span><Time at={notice.createdAt} />
        </p>
        {to ? <h2 dir="auto"><a href={to.href} onClick={read}>{to.title}</a></h2>
          : <p className="hint">It is no longer there.</p>}
        {notice.act && <p className="excerpt" dir="auto">{told(notice.act)}</p>}
        {to?.text && <p className="excerpt" dir="auto">{to.text}</p>}
      </div>
      {!notice.isRead && <button className="quiet" onClick={read}>Mark as read</button>}
    </li>
  );
}

export function Notifications() {
  const ask = useAsk();
  const mark = useChange(MarkReadDocument);
  const { data, error, refresh } = useData(NotificationsDocument, {}, { requestPolicy: 'cache-and-network' });
  const list = data?.viewer?.notifications;
  if (!list) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton />;
  const read = (input: { notificationId: string } | { allNotifications: true }) => mark({ input })
    .then(() => ('allNotifications' in input ? refresh() : undefined), (fault: Error) => say(fault.message));
  const after = list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const done = list.nodes.every((notice) => notice.isRead);
  const all = (
    <button disabled={done} onClick={() => void read({ allNotifications: true })}>
      Mark all as read
    </button>
  );
  return (
    <Page title="Notifications" actions={all}>
      {list.nodes.length === 0 && <Empty icon="bell">Nothing yet. Replies, mentions and followers appear here.</Empty>}
      <ul className="rows notices">
        {list.nodes.map((notice) => (
          <Notice key={notice.id} notice={notice} read={() => void read({ notificationId: notice.id })} />
        ))}
      </ul>
      {after && <button className="more" onClick={() => void ask(NotificationsDocument, { after })}>More</button>}
    </Page>
  );
}
