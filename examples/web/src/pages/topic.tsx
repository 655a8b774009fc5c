import { useEffect, useRef, useState } from 'react';
import {
  ClickedDocument, CommentsUpdatedDocument, DeleteTopicDocument, EditTopicDocument, MarkReadDocument, SetTagsDocument,
  ThreadAtDocument, TopicPageDocument, TopicUpdatedDocument, type Action, type CommentOrder, type TopicState,
  type TopicTextFragment,
} from '../gql/graphql.ts';
import { returns, useAsk, useChange, useData, useLive } from '../lib/client.ts';
import { count, host } from '../lib/format.ts';
import { useUser } from '../lib/me.ts';
import { go, path, usePlace, withSearch } from '../lib/router.ts';
import { useStore } from '../lib/store.ts';
import { Bookmark, Confirm, Vote, Watch } from '../parts/actions.tsx';
import {
  CategoryLink, Choices, Empty, Foreign, permits, Person, Restricted, Skeleton, Tags, Time, Trouble, useTitle,
} from '../parts/basics.tsx';
import { Comments, ReplyForm, Rows, useEditor, Whole, type Row, type Thread } from '../parts/comments.tsx';
import { Field, Form, Save, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Moderate, Report } from '../staff/act.tsx';

const orders = { OLDEST: 'Oldest', NEWEST: 'Newest', TOP: 'Best', CONTROVERSIAL: 'Disputed' } as const;

/** Follows a topic: its comments from the place where they were read, and its own state. */
function useLiveTopic(topic: TopicTextFragment | undefined | null, refresh: () => void) {
  const back = useStore(returns);
  const [place, setPlace] = useState({ id: '', after: '' as string | null });
  const [latest, setLatest] = useState('');
  const id = topic?.id ?? '';
  if (id && place.id !== id) setPlace({ id, after: topic?.commentsEventId ?? null });
  const user = useUser();
  const pause = !id || place.id !== id;
  useLive(CommentsUpdatedDocument, { topic: id, after: place.after }, pause, ({ commentsUpdated: event }) => {
    if (event.kind === 'RESET') refresh();
    if (event.kind === 'ADDED' && event.comment && event.comment.author.id !== user?.id) {
      setLatest(`New comment by ${event.comment.author.login}`);
    }
  });
  useLive(TopicUpdatedDocument, { topic: id }, !id, ({ topicUpdated }) => {
    if (!topicUpdated.topic) setLatest('This topic was deleted.');
  });
  const seen = useRef(back);
  useEffect(() => {
    if (seen.current !== back) refresh();
    seen.current = back;
  }, [back]);
  return latest;
}

/** Tells the server that the topic was opened, and that its comments are read. */
function useVisit(topic: TopicTextFragment | undefined | null) {
  const clicked = useChange(ClickedDocument);
  const read = useChange(MarkReadDocument);
  const user = useUser();
  useEffect(() => {
    if (topic) clicked({ ids: [topic.id] }).catch(() => undefined);
  }, [topic?.id]);
  useEffect(() => {
    if (topic && user && topic.state === 'OPEN') read({ input: { topicId: topic.id } }).catch(() => undefined);
  }, [topic?.id, user?.id, topic?.commentCount]);
}

function EditTopic({ topic, source, done }: { topic: TopicTextFragment; source: string; done: () => void }) {
  const change = useChange(EditTopicDocument);
  const setTags = useChange(SetTagsDocument);
  const before = topic.tags.map((tag) => tag.name);
  const state = useForm(async ({ title = '', content = '', tags = '' }) => {
    const input = { topicId: topic.id, content, ...(topic.kind !== 'STATUS' && { title }) };
    const { updateTopic } = await change({ input });
    if (updateTopic?.errors.length) return updateTopic.errors;
    const after = tags.split(',').map((tag) => tag.trim()).filter(Boolean);
    const add = after.filter((tag) => !before.includes(tag));
    const remove = before.filter((tag) => !after.includes(tag));
    const tagged = add.length + remove.length > 0 ? await setTags({ input: { topicId: topic.id, add, remove } }) : null;
    const errors = tagged?.tagTopic?.errors.map((error) => ({ ...error, path: ['input', 'tags'] })) ?? [];
    if (!errors.length) done();
    return errors;
  });
  return (
    <Form state={state} action={<Save cancel={done} />}>
      {topic.kind !== 'STATUS' && <Field label="Title" name="title" state={state} defaultValue={topic.title} />}
      <Field label="Text" name="content" state={state} lines={12} defaultValue={source} />
      <Field label="Tags" name="tags" state={state} defaultValue={before.join(', ')} hint="Separated by commas" />
    </Form>
  );
}

const states: Record<Exclude<TopicState, 'OPEN'>, string> = {
  LOCKED: 'This topic is locked: it takes no comments and votes.',
  HIDDEN: 'A moderator has hidden this topic. Only its author and moderators see it.',
  HELD: 'This topic waits for a moderator. Only its author and moderators see it.',
  DELETED: 'This topic was deleted. Only its author and moderators see it.',
};

function TopicHead({ topic }: { topic: TopicTextFragment }) {
  const remove = useChange(DeleteTopicDocument);
  const can = (action: Action) => topic.viewerCan.includes(action);
  const { source, edit, done } = useEditor(topic.id);
  return (
    <article className="topic">
      <Vote votes={topic.votes} of={topic.title} can={topic.viewerCan} />
      <div className="what">
        {topic.state !== 'OPEN' && <p className="notice">{states[topic.state]}</p>}
        <h1 dir="auto">{topic.title}</h1>
        <p className="meta">
          {topic.category && <CategoryLink of={topic.category} />}
          <Person user={topic.author} face />
          <Time at={topic.createdAt} />
          {topic.editedAt && <a href={path('history', topic.id)}>edited <Time at={topic.editedAt} /></a>}
          <span>{count(topic.clickCount, 'visit')}</span>
        </p>
        {topic.link && (
          <p><Foreign className="button" href={topic.link}>{host(topic.link)} ↗</Foreign></p>
        )}
        {source === null ? <Whole of={topic} /> : <EditTopic topic={topic} source={source} done={done} />}
        <div className="tools">
          <Tags tags={topic.tags} />
          <span className="space" />
          {can('EDIT') && source === null && <button className="quiet" onClick={edit}>Edit</button>}
          {can('DELETE') && (
            <Confirm
              label="Delete" question="Delete this topic with its comments? This is final."
              run={async () => {
                const { deleteTopic } = await remove({ id: topic.id });
                if (deleteTopic?.errors[0]) say(deleteTopic.errors[0].message);
                else go('/');
              }}
            >
              Delete
            </Confirm>
          )}
          {can('MODERATE') && <Moderate id={topic.id} type="Topic" />}
          {can('REPORT') && <Report id={topic.id} />}
          <Watch topic={topic} />
          <Bookmark topic={topic} />
        </div>
      </div>
    </article>
  );
}

/** The discussion at a comment that the address names, unless the page has it already: then that is scrolled to. */
function Linked({ topic, thread }: { topic: number; thread: Thread }) {
  const { hash } = usePlace();
  const ask = useAsk();
  const [rows, setRows] = useState<readonly Row[]>([]);
  const around = Number(/^#c(\d+)$/.exec(hash)?.[1]);
  useEffect(() => {
    const there = document.getElementById(hash.slice(1));
    there?.scrollIntoView({ block: 'center' });
    if (!around || there) return;
    void ask(ThreadAtDocument, { number: topic, around, orderBy: thread.order })
      .then((data) => setRows(data?.topic?.thread.edges ?? []));
  }, [hash]);
  useEffect(() => {
    // Without what scrollIntoView returns: a promise in newer browsers, which React would call.
    document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [rows]);
  if (rows.length === 0) return null;
  return (
    <section className="linked" aria-label={`The discussion at comment ${around}`}>
      <Rows rows={rows} thread={{ ...thread, at: around }} />
    </section>
  );
}

export function Topic({ number }: { number: number }) {
  const place = usePlace();
  const user = useUser();
  const ask = useAsk();
  const chosen = place.searchParams.get('order') ?? '';
  const order: CommentOrder = chosen in orders ? (chosen as keyof typeof orders) : 'OLDEST';
  const variables = { number, orderBy: order };
  const { data, error, fetching, refresh } = useData(TopicPageDocument, variables);
  const topic = data?.topic;
  const latest = useLiveTopic(topic, refresh);
  useVisit(topic);
  useTitle(topic?.title);
  if (error && !topic) return <Trouble error={error} retry={refresh} />;
  if (!topic) return fetching ? <Skeleton rows={4} /> : <Empty>There is no such topic, or it was deleted.</Empty>;
  const { nodes, pageInfo } = topic.comments;
  const after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  const access = topic.category ? topic.category.access : data.site.uncategorised;
  const open = permits(access, 'replies');
  const thread = { topic, order, open };
  const login = `/login?next=${encodeURIComponent(place.pathname)}`;
  return (
    <>
      <TopicHead key={topic.id} topic={topic} />
      <section className="discussion" aria-labelledby="comments">
        <header>
          <h2 id="comments">{count(topic.commentCount, 'comment')}</h2>
          {topic.commentCount > 1 && (
            <Choices
              label="Order of comments" current={order}
              options={Object.entries(orders).map(([value, name]) => ({
                value, name, href: withSearch(place, { order: value === 'OLDEST' ? '' : value }),
              }))}
            />
          )}
        </header>
        <p className="hidden" role="status">{latest}</p>
        <Linked topic={number} thread={thread} />
        {nodes.length === 0 && <Empty>No comments yet.{open && ' Say something.'}</Empty>}
        <Comments comments={nodes} thread={thread} />
        {after && (
          <button className="more" onClick={() => void ask(TopicPageDocument, { ...variables, after })}>
            More comments
          </button>
        )}
        {topic.viewerCan.includes('COMMENT') && <ReplyForm topic={topic.id} label="Your reply" />}
        <Restricted access={access} deed="replies" />
        {!user && open && <p className="join"><a href={login}>Sign in</a> to reply.</p>}
      </section>
    </>
  );
}
