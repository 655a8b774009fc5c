import { BlockDocument, UserCommentsDocument, UserPageDocument } from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { count, exact, host } from '../lib/format.ts';
import { isModerator, useUser } from '../lib/me.ts';
import { path, usePlace } from '../lib/router.ts';
import { Confirm, Follow, Vote } from '../parts/actions.tsx';
import { Avatar, Choices, Empty, Foreign, Person, Skeleton, Time, useTitle } from '../parts/basics.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Discipline, Report } from '../staff/act.tsx';
import { RoleOf } from '../staff/team.tsx';
import { banned, reasons } from '../staff/words.ts';
import { Missing } from './topics.tsx';

function UserComments({ login }: { login: string }) {
  const ask = useAsk();
  const { data, fetching } = useData(UserCommentsDocument, { login });
  const comments = data?.user?.comments;
  if (!comments) return fetching ? <Skeleton /> : null;
  if (!comments.nodes.length) return <Empty>No comments yet.</Empty>;
  const after = comments.pageInfo.hasNextPage ? comments.pageInfo.endCursor : null;
  return (
    <div className="rows">
      {comments.nodes.map((comment) => (
        <article key={comment.id} className="row">
          <Vote votes={comment.votes} of={`comment ${comment.number}`} />
          <div className="what">
            <h2 dir="auto">
              <a href={`${path('t', comment.topic.number)}#c${comment.number}`}>{comment.topic.title}</a>
            </h2>
            <p className="excerpt" dir="auto">{comment.excerpt}</p>
            <p className="meta"><Time at={comment.createdAt} /></p>
          </div>
        </article>
      ))}
      {after && <button className="more" onClick={() => void ask(UserCommentsDocument, { login, after })}>More</button>}
    </div>
  );
}

export function User({ login }: { login: string }) {
  const place = usePlace();
  const me = useUser();
  const ask = useAsk();
  const block = useChange(BlockDocument);
  const result = useData(UserPageDocument, { login });
  const user = result.data?.user;
  useTitle(user?.name);
  if (!user) return <Missing what="member" result={result} />;
  const comments = place.searchParams.has('comments');
  const blocked = !user.viewerIsBlocking;
  return (
    <>
      <header className="profile">
        <Avatar user={user} large />
        <div className="what">
          <h1>
            <bdi>{user.name}</bdi>{user.role !== 'USER' && <span className="role">{user.role.toLowerCase()}</span>}
          </h1>
          <p className="meta">
            <span>@<bdi>{user.login}</bdi></span><span>since {exact(user.createdAt).split(' at ')[0]}</span>
            {user.website && <Foreign href={user.website}>{host(user.website)}</Foreign>}
            {user.followsViewer && <span className="chip">follows you</span>}
            {user.isBanned && <span className="chip">banned</span>}
            {isModerator(me) && <a href={`/log?user=${encodeURIComponent(user.login)}`}>What moderators did</a>}
            {isModerator(me) && user.role !== 'USER' && (
              <a href={`/log?by=${encodeURIComponent(user.login)}`}>As a moderator</a>
            )}
            {user.invitedBy && <span>invited by <Person user={user.invitedBy} /></span>}
          </p>
          {user.ban && (
            <p className="meta">
              <span>Banned {banned(user.ban)}, {reasons[user.ban.reason]}</span><Time at={user.ban.createdAt} />
              {user.ban.note && <q dir="auto">{user.ban.note}</q>}
            </p>
          )}
          {user.bio && <p className="bio" dir="auto">{user.bio}</p>}
          <p className="meta">
            <span>{user.karma.toLocaleString('en')} karma</span><span>{count(user.topicCount, 'topic')}</span>
            <span>{count(user.followerCount, 'follower')}</span><span>{user.followingCount} following</span>
          </p>
        </div>
        {me?.id !== user.id && (
          <div className="actions">
            {user.viewerCan.includes('SET_ROLE') && <RoleOf user={user} />}
            {user.viewerCan.includes('BAN') && <Discipline user={user} />}
            {user.viewerCan.includes('REPORT') && <Report id={user.id} />}
            <Follow target={user} />
            {user.viewerCan.includes('BLOCK') && (
              <Confirm
                label={blocked ? 'Block' : 'Unblock'} run={() => block({ input: { userId: user.id, blocked } })}
                question={blocked ? 'Block this member? You will not see each other in homes.' : 'Unblock this member?'}
              >
                {blocked ? 'Block' : 'Unblock'}
              </Confirm>
            )}
          </div>
        )}
      </header>
      <Choices
        label="Contributions" current={comments ? 'comments' : 'topics'}
        options={[
          { name: 'Topics', value: 'topics', href: path('u', user.login) },
          { name: 'Comments', value: 'comments', href: `${path('u', user.login)}?comments=1` },
        ]}
      />
      {comments ? <UserComments login={user.login} /> : (
        <Timeline
          {...result} timeline={user.profile}
          more={(after) => ask(UserPageDocument, { login, after, more: true })}
        />
      )}
    </>
  );
}
