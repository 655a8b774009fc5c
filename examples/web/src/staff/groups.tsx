import type { UserError } from 'agora-client/errors';
import {
  CreateGroupDocument, DeleteGroupDocument, GroupMembersDocument, SetGroupManagersDocument, SetGroupMembersDocument,
  UpdateGroupDocument, type GroupFragment, type GroupMemberInput, type PersonFragment, type UserRef,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite, useUser } from '../lib/me.ts';
import { useMember } from '../parts/actions.tsx';
import { Person, Skeleton, Trouble } from '../parts/basics.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';
import { Ask } from './act.tsx';
import { complain, Line, Managed } from './manage.tsx';

type Change = (add: GroupMemberInput[], remove: UserRef[]) => Promise<readonly UserError[] | undefined>;

/** Members or managers of a group, and ways to add and remove one for those who may. */
function Users({ title, users, ends, change }: {
  title: string; users: { user: PersonFragment; until?: string | null }[]; ends?: boolean; change: Change | false;
}) {
  const member = useMember();
  const state = useForm(async ({ add = '', until }) => {
    const end = until ? new Date(`${until}T23:59:59`).toISOString() : null;
    return change ? change([{ user: { login: add.replace(/^@/, '') }, until: end }], []) : [];
  });
  const remove = async (id: string) => complain(change ? await change([], [{ id }]) : []);
  return (
    <>
      <h3>{title}</h3>
      <ul className="members">
        {users.map(({ user, until }) => (
          <li key={user.id}>
            <Person user={user} face />{until && <small>until {new Date(until).toLocaleDateString()}</small>}
            {change && (
              <button className="quiet" onClick={() => member(() => remove(user.id))}>
                <span className="hidden">Remove {user.login}</span>×
              </button>
            )}
          </li>
        ))}
      </ul>
      {change && (
        <Form key={users.length} state={state} action={<button>Add</button>}>
          <Field label={`Add to ${title.toLowerCase()}`} name="add" state={state} placeholder="login" />
          {ends && <Field label="Until" name="until" state={state} type="date" hint="Empty for no end" />}
        </Form>
      )}
    </>
  );
}

function Inside({ id, close }: { id: string; close: () => void }) {
  const admin = useUser()?.role === 'ADMIN';
  const ask = useAsk();
  const { data, error, refresh } = useData(GroupMembersDocument, { id }, { requestPolicy: 'cache-and-network' });
  const setMembers = useChange(SetGroupMembersDocument);
  const setManagers = useChange(SetGroupManagersDocument);
  if (!data?.group) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={1} />;
  const { managers, members: { nodes, pageInfo } } = data.group;
  const after = pageInfo.hasNextPage && pageInfo.endCursor;
  const changeMembers: Change = async (add, remove) => {
    const { setGroupMembers } = await setMembers({ input: { group: { id }, add, remove } });
    refresh();
    return setGroupMembers?.errors;
  };
  const changeManagers: Change = async (add, remove) => (
    (await setManagers({ input: { group: { id }, add: add.map(({ user }) => user), remove } })).setGroupManagers?.errors
  );
  return (
    <>
      <Users title="Members" users={nodes} ends change={changeMembers} />
      {after && <button className="more" onClick={() => void ask(GroupMembersDocument, { id, after })}>More</button>}
      <Users title="Managers" users={managers.map((user) => ({ user }))} change={admin && changeManagers} />
      <div className="actions"><button onClick={close}>Close</button></div>
    </>
  );
}

function GroupLine({ group, admin }: { group: GroupFragment; admin: boolean }) {
  const { id, name } = group;
  const update = useChange(UpdateGroupDocument);
  const remove = useChange(DeleteGroupDocument);
  return (
    <Line
      of={group} fixed={!admin} question={`Delete the group ${name}? Its members no longer see what only it sees.`}
      save={async (values) => (await update({ input: { group: { id }, ...values } })).updateGroup}
      remove={async () => (await remove({ id })).deleteGroup}
    >
      <span><strong dir="auto">{name}</strong> <span dir="auto">{group.description}</span></span>
      <span>{count(group.memberCount, 'member')}</span>
      <Ask label={<>Members<span className="hidden"> of {name}</span></>} title={`Group ${name}`}>
        {(close) => <Inside id={id} close={close} />}
      </Ask>
    </Line>
  );
}

/** All groups for administrators, and for others those that they manage. */
export function Groups() {
  const { groups } = useSite();
  const admin = useUser()?.role === 'ADMIN';
  const create = useChange(CreateGroupDocument);
  const state = useForm(async ({ name = '', description = '' }) => (
    (await create({ input: { name, description } })).createGroup?.errors
  ));
  const mine = groups?.nodes.filter((group) => admin || group.viewerIsManager);
  return (
    <Managed at="/manage/groups" lead="Sets of members, who may see what others do not">
      <section className="panel">
        <ul className="plain">{mine?.map((group) => <GroupLine key={group.id} group={group} admin={admin} />)}</ul>
        {groups && groups.totalCount > groups.nodes.length && <p className="hint">Others are left out.</p>}
        {admin && (
          <Form key={groups?.nodes.length} state={state} action={<button className="primary">Create</button>}>
            <Field label="New group" name="name" state={state} />
            <Field label="Description" name="description" state={state} />
          </Form>
        )}
      </section>
    </Managed>
  );
}
