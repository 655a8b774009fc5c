import {
  CreateListDocument, DeleteListDocument, FindUserDocument, ListDocument, ListsDocument, SetMembersDocument,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { go, path } from '../lib/router.ts';
import { Confirm } from '../parts/actions.tsx';
import { Empty, Page, Person, Skeleton } from '../parts/basics.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { say } from '../parts/toasts.tsx';
import { Missing } from './topics.tsx';

export function Lists() {
  const { data, refresh } = useData(ListsDocument, {});
  const create = useChange(CreateListDocument);
  const state = useForm(async ({ name = '' }) => {
    const { createList } = await create({ name });
    if (createList?.list) refresh();
    return createList?.errors;
  });
  const lists = data?.viewer?.lists.nodes;
  if (!lists) return <Skeleton rows={3} />;
  return (
    <Page title="Lists" lead="Private selections of members, each with a timeline of its own">
      {lists.length === 0 && <Empty icon="list">You have no lists yet.</Empty>}
      <ul className="plain">
        {lists.map((list) => (
          <li key={list.id}>
            <a href={path('lists', list.id)} dir="auto">{list.name}</a><span>{count(list.memberCount, 'member')}</span>
          </li>
        ))}
      </ul>
      <Form state={state} key={lists.length} className="form line" action={<button>Create</button>}>
        <Field label="New list" name="name" state={state} />
      </Form>
    </Page>
  );
}

export function List({ id }: { id: string }) {
  const ask = useAsk();
  const result = useData(ListDocument, { id });
  const setMembers = useChange(SetMembersDocument);
  const remove = useChange(DeleteListDocument);
  const list = result.data?.node && 'members' in result.data.node ? result.data.node : undefined;
  async function change(input: { add?: string[]; remove?: string[] }) {
    const { updateListMembers } = await setMembers({ input: { listId: id, ...input } });
    result.refresh();
    return updateListMembers?.errors;
  }
  const state = useForm(async ({ login = '' }) => {
    const found = await ask(FindUserDocument, { login: login.replace(/^@/, '') });
    if (!found?.user) return [{ code: 'NOT_FOUND', message: 'There is no such member.', path: ['input', 'login'] }];
    return (await change({ add: [found.user.id] }))?.map((error) => ({ ...error, path: ['input', 'login'] }));
  });
  if (!list) return <Missing what="list" result={result} />;
  const del = (
    <Confirm
      label="Delete" question="Delete this list? Its members are not affected."
      run={async () => {
        const { deleteList } = await remove({ id });
        if (deleteList?.errors[0]) say(deleteList.errors[0].message);
        else go('/lists', 'replace');
      }}
    >
      Delete
    </Confirm>
  );
  return (
    <Page title={list.name} lead={count(list.memberCount, 'member')} actions={del}>
      <ul className="members">
        {list.members.nodes.map((user) => (
          <li key={user.id}>
            <Person user={user} face />
            <button className="quiet" onClick={() => void change({ remove: [user.id] })}>
              <span className="hidden">Remove {user.login}</span>×
            </button>
          </li>
        ))}
      </ul>
      <Form state={state} key={list.memberCount} className="form line" action={<button>Add</button>}>
        <Field label="Add a member" name="login" state={state} placeholder="login" />
      </Form>
      <Timeline {...result} timeline={list.timeline} more={(after) => ask(ListDocument, { id, after, more: true })} />
    </Page>
  );
}
