import type { UserError } from 'agora-client/errors';
import {
  FindUserDocument, SetModeratorsDocument, SetRoleDocument, TeamDocument, type Role, type TeamFragment,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { go, path } from '../lib/router.ts';
import { CategoryLink, Person, Skeleton, Trouble } from '../parts/basics.tsx';
import { Field, Form, useForm } from '../parts/form.tsx';
import { Reasoned } from './act.tsx';
import { Managed } from './manage.tsx';
import { roles } from './words.ts';

const missing = [{ code: 'NOT_FOUND', message: 'There is no such member.', path: ['input', 'login'] }];

/** The input has the member's id where the form has the login. */
const ofLogin = (error: UserError) => (error.path[1] === 'add' ? { ...error, path: ['input', 'login'] } : error);

/** Returns a function that finds the id of a member. */
function useFind() {
  const ask = useAsk();
  return async (login: string) => (await ask(FindUserDocument, { login: login.replace(/^@/, '') }))?.user;
}

/** Changes the role of a member. */
export function RoleOf({ user }: { user: { id: string; login: string; role: Role } }) {
  const setRole = useChange(SetRoleDocument);
  return (
    <Reasoned
      label="Role" title={`Role of ${user.login}`}
      action="Change" reason="OTHER" done={`The role of ${user.login} has changed.`}
      send={async ({ role, reason, note }) => (
        (await setRole({ input: { userId: user.id, role: role as Role, reason, note } })).setUserRole
      )}
    >
      {(state) => <Field label="Role" name="role" state={state} defaultValue={user.role} options={roles} />}
    </Reasoned>
  );
}

function Appoint({ category }: { category: TeamFragment }) {
  const change = useChange(SetModeratorsDocument);
  const find = useFind();
  return (
    <Reasoned
      label={<>Appoint<span className="hidden"> a moderator of {category.name}</span></>}
      title={`Appoint a moderator of ${category.name}`} action="Appoint" reason="OTHER"
      send={async ({ login = '', reason, note }) => {
        const user = await find(login);
        if (!user) return { errors: missing };
        const input = { category: { id: category.id }, add: [user.id], reason, note };
        const { setCategoryModerators: result } = await change({ input });
        return result && { ...result, errors: result.errors.map(ofLogin) };
      }}
    >
      {(state) => <Field label="Member" name="login" state={state} placeholder="login" autoCapitalize="none" />}
    </Reasoned>
  );
}

function Dismiss({ user, category }: { user: { id: string; login: string }; category: TeamFragment }) {
  const change = useChange(SetModeratorsDocument);
  return (
    <Reasoned
      label={<><span className="hidden">Dismiss {user.login} from {category.name}</span>×</>}
      title={`Dismiss ${user.login} as moderator of ${category.name}`} action="Dismiss" reason="OTHER"
      send={async ({ reason, note }) => (await change({
        input: { category: { id: category.id }, remove: [user.id], reason, note },
      })).setCategoryModerators}
    />
  );
}

function OfCategories() {
  const { data, error, refresh } = useData(TeamDocument, {}, { requestPolicy: 'cache-and-network' });
  const categories = data?.categories?.nodes;
  if (!categories) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={3} />;
  return (
    <section className="panel">
      <h2>Of single categories</h2>
      <ul className="plain">
        {categories.map((category) => (
          <li key={category.id} data-category={category.name}>
            <span className="chips"><CategoryLink of={category} /></span>
            <ul className="members">
              {category.moderators.map((user) => (
                <li key={user.id}><Person user={user} face /><Dismiss user={user} category={category} /></li>
              ))}
            </ul>
            <Appoint category={category} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OfTheSite() {
  const find = useFind();
  const state = useForm(async ({ login = '' }) => {
    const user = await find(login);
    if (!user) return missing;
    go(path('u', user.login));
    return undefined;
  });
  return (
    <section className="panel">
      <h2>Of the site</h2>
      <p className="hint">Administrators change the role of a member on the member’s page.</p>
      <Form state={state} className="form line" action={<button>Open</button>}>
        <Field label="Member" name="login" state={state} placeholder="login" autoCapitalize="none" />
      </Form>
    </section>
  );
}

export const Team = () => (
  <Managed at="/manage/team" lead="Who moderates the site, and who only single categories">
    <OfTheSite />
    <OfCategories />
  </Managed>
);
