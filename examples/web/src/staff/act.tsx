import { useRef, useState, type ComponentProps, type ReactNode } from 'react';
import {
  BanDocument, HidePostsDocument, ModerateDocument, ReportDocument, UnbanDocument, WarnDocument,
  type ModerateAction, type ModerationReason,
} from '../gql/graphql.ts';
import { useChange } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useMember } from '../parts/actions.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { reasons } from './words.ts';

/** A button that opens a form in a dialog. */
export function Ask({ label, title, children }: {
  label: ReactNode; title: string; children: (close: () => void) => ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const member = useMember();
  const show = async () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button className="quiet" onClick={() => member(show)}>{label}</button>
      <dialog ref={dialog} onClose={() => setOpen(false)} aria-label={title}>
        {open && <><h2>{title}</h2>{children(() => dialog.current?.close())}</>}
      </dialog>
    </>
  );
}

type Fault = { message: string; code: string; path: readonly string[] };
type Result = { errors: readonly Fault[]; changed?: boolean } | null | undefined;
type Values = Record<string, string> & { reason: ModerationReason; note: string };

/** Asks for a reason and a note, and whatever else there is to choose. */
function Grounds({ send, action, close, done, reason, children }: {
  send: (values: Values) => Promise<Result>; action: string; close: () => void;
  done?: string; reason?: ModerationReason;
  children?: (state: ReturnType<typeof useForm>) => ReactNode;
}) {
  const state = useForm(async (values) => {
    const result = await send(values as Values);
    if (!result?.errors.length) {
      close();
      if (result?.changed === false) say('Another moderator was faster: see the log.');
      else if (done) say(done);
    }
    return result?.errors;
  });
  const buttons = (
    <>
      <button className="primary" disabled={state.busy}>{action}</button>
      <button type="button" onClick={close}>Cancel</button>
    </>
  );
  return (
    <Form state={state} action={buttons}>
      {children?.(state)}
      <Field label="Reason" name="reason" state={state} defaultValue={reason} options={reasons} />
      <Field label="Note" name="note" state={state} lines={3} />
    </Form>
  );
}

/** A button that opens such a form in a dialog. */
export const Reasoned = ({ label, title, ...rest }: (
  { label: ReactNode; title: string } & Omit<ComponentProps<typeof Grounds>, 'close'>
)) => <Ask label={label} title={title}>{(close) => <Grounds {...rest} close={close} />}</Ask>;

const actions: Record<'Topic' | 'Comment', Partial<Record<ModerateAction, string>>> = {
  Topic: {
    HIDE: 'Hide', RESTORE: 'Restore or approve', LOCK: 'Lock', UNLOCK: 'Unlock', PIN: 'Pin in its category',
    UNPIN: 'Unpin in its category',
  },
  Comment: { HIDE: 'Hide', RESTORE: 'Restore or approve', LOCK: 'Lock', UNLOCK: 'Unlock' },
};

/** Acts on a topic or comment, with a reason. */
export function Moderate({ id, type, done }: { id: string; type: 'Topic' | 'Comment'; done?: () => void }) {
  const moderate = useChange(ModerateDocument);
  return (
    <Reasoned
      label="Moderate" title={`Moderate this ${type.toLowerCase()}`} action="Act"
      send={async ({ action, reason, note }) => {
        const { moderate: result } = await moderate({
          input: { subjectId: id, action: action as ModerateAction, reason, note },
        });
        if (!result?.errors.length) done?.();
        return result;
      }}
    >
      {(state) => <Field label="Action" name="action" state={state} options={actions[type]} />}
    </Reasoned>
  );
}

/** Calls the moderators. */
export function Report({ id }: { id: string }) {
  const report = useChange(ReportDocument);
  return (
    <Reasoned
      label="Report" title="Report this to the moderators"
      action="Report" done="Thank you. The moderators will look at it."
      send={async ({ reason, note }) => (await report({ input: { subjectId: id, reason, note } })).report}
    />
  );
}

const day = 86_400_000;
const spans: Record<string, string> = { 1: 'a day', 7: 'a week', 30: '30 days', 0: 'for good' };

const ages: Record<string, string> = { 0: 'all', 1: 'those of the last day', 7: 'those of the last week' };

/** Hides what a member has posted. The log can undo that. */
function HidePosts({ user }: { user: { id: string; login: string } }) {
  const hide = useChange(HidePostsDocument);
  return (
    <Reasoned
      label="Hide posts" title={`Hide the posts of ${user.login}`} action="Hide"
      send={async ({ reason, note, age }) => {
        const since = Number(age) ? new Date(Date.now() - Number(age) * day).toISOString() : null;
        const { hidePosts: result } = await hide({ input: { userId: user.id, since, reason, note } });
        if (result && !result.errors.length) {
          const more = result.hasMore ? ' There are more: hide them, too.' : '';
          say(`${count(result.postCount, 'post')} will be hidden within seconds.${more}`);
        }
        return result;
      }}
    >
      {(state) => <Field label="Posts" name="age" state={state} options={ages} />}
    </Reasoned>
  );
}

/** Warns or bans a member, or ends a ban, or hides what the member has posted. */
export function Discipline({ user }: { user: { id: string; login: string; isBanned: boolean } }) {
  const warn = useChange(WarnDocument);
  const ban = useChange(BanDocument);
  const unban = useChange(UnbanDocument);
  const userId = user.id;
  return (
    <>
      <Reasoned
        label="Warn" title={`Warn ${user.login}`} action="Warn" done={`${user.login} was warned.`}
        send={async ({ reason, note }) => (await warn({ input: { userId, reason, note } })).warn}
      />
      <HidePosts user={user} />
      {user.isBanned ? (
        <Reasoned
          label="Unban" title={`End the ban of ${user.login}`} action="Unban"
          send={async ({ reason, note }) => (await unban({ input: { userId, reason, note } })).unban}
        />
      ) : (
        <Reasoned
          label="Ban" title={`Ban ${user.login}`} action="Ban"
          send={async ({ reason, note, scope, days }) => (await ban({
            input: {
              userId, reason, note, scope: scope === 'POST' ? 'POST' : 'SIGN_IN',
              until: Number(days) ? new Date(Date.now() + Number(days) * day).toISOString() : null,
            },
          })).ban}
        >
          {(state) => (
            <>
              <Field label="From" name="scope" state={state}>
                <option value="POST">posting</option>
                <option value="SIGN_IN">signing in</option>
              </Field>
              <Field label="For" name="days" state={state} options={spans} />
            </>
          )}
        </Reasoned>
      )}
    </>
  );
}
