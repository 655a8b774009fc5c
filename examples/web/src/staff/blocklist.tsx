import { BlocklistDocument, UpdateBlocklistDocument, type BlockKind } from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { Skeleton, Trouble } from '../parts/basics.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Managed } from './manage.tsx';

/** One of the two lists, and a form that adds to it. */
function List({ kind, title, hint }: { kind: BlockKind; title: string; hint: string }) {
  const { data, error, refresh } = useData(BlocklistDocument, { kind }, { requestPolicy: 'cache-and-network' });
  const update = useChange(UpdateBlocklistDocument);
  const state = useForm(async ({ add = '' }) => {
    const entries = add.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    return (await update({ kind, add: entries })).updateBlocklist?.errors;
  });
  const remove = (entry: string) => void update({ kind, remove: [entry] }).then(
    ({ updateBlocklist: result }) => result?.errors[0] && say(result.errors[0].message),
    (fault: Error) => say(fault.message),
  );
  const entries = data?.blocklist;
  if (!entries) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={2} />;
  return (
    <section className="panel">
      <h2>{title} <small>{count(entries.length, 'entry', 'entries')}</small></h2>
      <ul className="members">
        {entries.map((entry) => (
          <li key={entry}>
            <bdi>{entry}</bdi>
            <button className="quiet" onClick={() => remove(entry)}>
              <span className="hidden">Remove {entry}</span>×
            </button>
          </li>
        ))}
      </ul>
      <Form key={entries.length} state={state} action={<button className="primary" disabled={state.busy}>Add</button>}>
        <Field label={`Add ${title.toLowerCase()}`} name="add" state={state} lines={3} hint={hint} />
      </Form>
    </section>
  );
}

export const Blocklist = () => (
  <Managed at="/manage/blocklist" lead="What nobody but moderators may post, or have in a profile">
    <List kind="WORD" title="Words" hint="One per line. Case and look-alike letters make no difference." />
    <List kind="DOMAIN" title="Domains" hint="One per line, such as example.org. Domains below it are blocked, too." />
  </Managed>
);
