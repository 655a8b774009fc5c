import { Fragment, useId, useState, type ReactNode } from 'react';
import {
  DeleteCommentDocument, EditCommentDocument, PreviewDocument, RepliesDocument, ReplyDocument, SourceDocument,
  WholeDocument,
  type CommentOrder, type CommentState, type CommentTextFragment,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { attemptKey, count } from '../lib/format.ts';
import { useUser } from '../lib/me.ts';
import { path } from '../lib/router.ts';
import { Confirm, useMember, Vote } from './actions.tsx';
import { Html, Person, Time } from './basics.tsx';
import { Field, Form, useForm } from './form.tsx';
import { Moderate, Report } from '../staff/act.tsx';
import { say } from './toasts.tsx';

/**
 * Where comments are shown: if only the discussion at one of them is, `at` is its number; `open` is whether a visitor
 * may reply once signed in.
 */
export interface Thread { topic: { id: string }; order: CommentOrder; open: boolean; at?: number }

/** A text to write or to change, with its fault beside it. */
export function Composer({ label, start = '', action, send, cancel }: {
  label: string; start?: string; action: string; cancel?: () => void;
  send: (content: string) => Promise<readonly { message: string; code: string; path: string[] }[] | undefined>;
}) {
  const [round, setRound] = useState(0);
  const [preview, setPreview] = useState<string>();
  const ask = useAsk();
  async function look(form: HTMLFormElement | null) {
    const content = String(new FormData(form ?? undefined).get('content'));
    setPreview((await ask(PreviewDocument, { content }))?.preview?.contentHtml);
  }
  const state = useForm(async ({ content = '' }) => {
    const errors = await send(content);
    if (!errors?.length) {
      setRound(round + 1);
      setPreview(undefined);
    }
    return errors;
  });
  return (
    <Form
      key={round} state={state} className="form composer"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        if (event.key === 'Escape') cancel?.();
      }}
      action={(
        <>
          <button className="primary" disabled={state.busy}>{action}</button>
          <button type="button" onClick={(event) => void look(event.currentTarget.form)}>Preview</button>
          {cancel && <button type="button" onClick={cancel}>Cancel</button>}
          <span className="hint">Markdown. Ctrl+Enter sends.</span>
        </>
      )}
    >
      <Field label={label} name="content" state={state} lines={start.length > 300 ? 12 : 5} defaultValue={start} />
      {preview !== undefined && <section className="preview" aria-label="Preview"><Html html={preview} /></section>}
    </Form>
  );
}

/** A form for a reply to a topic or a comment. */
export function ReplyForm({ topic, parent, label, done }: {
  topic: string; parent?: string; label: string; done?: () => void;
}) {
  const reply = useChange(ReplyDocument);
  const [key, setKey] = useState(attemptKey);
  return (
    <Composer
      label={label} action="Reply" {...(done && { cancel: done })}
      send={async (content) => {
        const input = { topicId: topic, content, idempotencyKey: key, ...(parent && { parentId: parent }) };
        const { createComment } = await reply({ input });
        if (createComment?.comment) {
          setKey(attemptKey());
          done?.();
        }
        return createComment?.errors;
      }}
    />
  );
}

/** A text, or a button that reads it if the page had no room for it. */
export function Whole({ of }: { of: { id: string; contentHtml: string | null } }) {
  const ask = useAsk();
  const [read, setRead] = useState<string | null>(null);
  const html = of.contentHtml ?? read;
  async function show() {
    const node = (await ask(WholeDocument, { id: of.id }))?.node;
    if (node && 'contentHtml' in node) setRead(node.contentHtml);
  }
  if (html !== null) return <Html html={html} />;
  return <button className="link" onClick={() => void show()}>Show this long text</button>;
}

/** Editing of what was written, which is read in its source form first. */
export function useEditor(id: string) {
  const ask = useAsk();
  const [source, setSource] = useState<string | null>(null);
  async function edit() {
    const node = (await ask(SourceDocument, { id }))?.node;
    if (node && 'content' in node && node.content !== null) setSource(node.content);
    else say('This cannot be edited any more.');
  }
  return { source, edit: () => void edit(), done: () => setSource(null) };
}

/** The replies of a comment. Those that came with the page are there; others are read when they are wanted. */
function Replies({ comment, thread }: { comment: CommentTextFragment; thread: Thread }) {
  const [open, setOpen] = useState(comment.depth < 2);
  const ask = useAsk();
  const variables = { id: comment.id, orderBy: thread.order };
  const { data, fetching } = useData(RepliesDocument, variables, { pause: !open || comment.replyCount === 0 });
  const node = data?.node;
  const replies = open && node && 'replies' in node ? node.replies : undefined;
  if (comment.replyCount === 0 && !replies?.nodes.length) return null;
  const after = replies?.pageInfo.endCursor;
  const left = comment.replyCount - (replies?.nodes.filter((each) => !each.deletedAt).length ?? 0);
  return (
    <div className="replies">
      {replies && <Comments comments={replies.nodes} thread={thread} />}
      {!open && (
        <button className="link" onClick={() => setOpen(true)}>{count(comment.replyCount, 'reply', 'replies')}</button>
      )}
      {open && fetching && !replies && <p className="hint" role="status">Loading …</p>}
      {replies?.pageInfo.hasNextPage && after && (
        <button className="link" onClick={() => void ask(RepliesDocument, { ...variables, after })}>
          {left > 0 ? `${count(left, 'more reply', 'more replies')}` : 'More replies'}
        </button>
      )}
    </div>
  );
}

function Tools({ comment, thread, edit, reply }: {
  comment: CommentTextFragment; thread: Thread; edit: () => void; reply: () => void;
}) {
  const user = useUser();
  const member = useMember();
  const remove = useChange(DeleteCommentDocument);
  const { viewerCan } = comment;
  return (
    <div className="tools">
      <Vote votes={comment.votes} of={`comment ${comment.number}`} can={viewerCan} />
      {(user ? viewerCan.includes('COMMENT') : thread.open) && (
        <button className="quiet" onClick={() => member(async () => reply())}>Reply</button>
      )}
      {viewerCan.includes('EDIT') && <button className="quiet" onClick={edit}>Edit</button>}
      {viewerCan.includes('DELETE') && (
        <Confirm
          label="Delete" question="Delete this comment? Its replies stay."
          run={async () => {
            const { deleteComment } = await remove({ id: comment.id });
            if (deleteComment?.errors[0]) say(deleteComment.errors[0].message);
          }}
        >
          Delete
        </Confirm>
      )}
      {viewerCan.includes('MODERATE') && <Moderate id={comment.id} type="Comment" />}
      {viewerCan.includes('REPORT') && <Report id={comment.id} />}
    </div>
  );
}

const states: Partial<Record<CommentState, string>> = {
  LOCKED: 'locked', HIDDEN: 'hidden', HELD: 'waits for a moderator',
};

function Comment({ comment, thread, replies }: { comment: CommentTextFragment; thread: Thread; replies?: ReactNode }) {
  const [replying, setReplying] = useState(false);
  const [folded, setFolded] = useState(false);
  const change = useChange(EditCommentDocument);
  const { source, edit, done } = useEditor(comment.id);
  const body = useId();
  const gone = comment.deletedAt !== null || comment.author.login === 'ghost' && comment.commentState === 'HIDDEN';
  const state = gone ? '' : states[comment.commentState];
  let content: ReactNode = <Whole of={comment} />;
  if (gone) content = <p className="tombstone">This comment was {comment.deletedAt ? 'deleted' : 'hidden'}.</p>;
  else if (source !== null) {
    content = (
      <Composer
        label="Edit the comment" start={source} action="Save" cancel={done}
        send={async (text) => {
          const { updateComment } = await change({ input: { commentId: comment.id, content: text } });
          if (updateComment?.comment) done();
          return updateComment?.errors;
        }}
      />
    );
  }
  const linked = thread.at === comment.number;
  return (
    <li
      className={linked ? 'comment at' : 'comment'}
      id={linked || thread.at === undefined ? `c${comment.number}` : undefined}
    >
      <article aria-label={`Comment ${comment.number} by ${comment.author.login}`}>
        <p className="meta">
          <button className="fold" aria-expanded={!folded} aria-controls={body} onClick={() => setFolded(!folded)}>
            <span className="hidden">Comment {comment.number}</span>
          </button>
          {gone ? <span>{comment.deletedAt ? 'deleted' : 'hidden'}</span> : <Person user={comment.author} face />}
          <Time at={comment.createdAt} />
          {comment.editedAt && !gone && <a href={path('history', comment.id)}>edited <Time at={comment.editedAt} /></a>}
          {state && <span className="chip">{state}</span>}
          <a className="number" href={`#c${comment.number}`}>#{comment.number}</a>
        </p>
        <div id={body} hidden={folded}>
          {content}
          {!gone && source === null && (
            <Tools comment={comment} thread={thread} edit={edit} reply={() => setReplying(true)} />
          )}
        </div>
      </article>
      {!folded && replying && (
        <ReplyForm
          topic={thread.topic.id} parent={comment.id} label={`Reply to ${comment.author.login}`}
          done={() => setReplying(false)}
        />
      )}
      {!folded && (replies ?? <Replies comment={comment} thread={thread} />)}
    </li>
  );
}

export const Comments = ({ comments, thread }: { comments: readonly CommentTextFragment[]; thread: Thread }) => (
  <ol className="comments">
    {comments.map((comment) => <Comment key={comment.id} comment={comment} thread={thread} />)}
  </ol>
);

export interface Row { hasGapBefore: boolean; node: CommentTextFragment }

/** Rows of a thread: each comment with those of its replies that are among them. */
export function Rows({ rows, thread }: { rows: readonly Row[]; thread: Thread }) {
  const depth = rows[0]?.node.depth ?? 0;
  const starts = rows.flatMap(({ node }, i) => (node.depth <= depth ? [i] : []));
  return (
    <ol className="comments">
      {starts.map((start, i) => {
        const { node, hasGapBefore } = rows[start]!;
        const under = rows.slice(start + 1, starts[i + 1]);
        const replies = <div className="replies"><Rows rows={under} thread={thread} /></div>;
        return (
          <Fragment key={node.id}>
            {hasGapBefore && <li className="hint">…</li>}
            <Comment comment={node} thread={thread} {...(under.length > 0 && { replies })} />
          </Fragment>
        );
      })}
    </ol>
  );
}
