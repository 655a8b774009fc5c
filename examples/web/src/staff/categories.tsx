import { useState } from 'react';
import {
  AccessDocument, CreateCategoryDocument, DeleteCategoryDocument, UpdateAccessDocument, UpdateCategoryDocument,
  type PermitsFragment, type ShellQuery,
} from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite, useUser } from '../lib/me.ts';
import { Trouble } from '../parts/basics.tsx';
import { Field, Form, Save, useForm } from '../parts/form.tsx';
import { Ask } from './act.tsx';
import { chosenIn, Line, Managed, Several } from './manage.tsx';
import { audiences, permissions, uncategorised } from './words.ts';

/** What a category permits, and with the page of categories the groups that see it. */
type Permitted = PermitsFragment & { groups?: { id: string; name: string }[] };
type CategoryRow = NonNullable<ShellQuery['categories']>['nodes'][number];

/** Changes who sees a category and may do what in it; leaves the rest as somebody else may have set it meanwhile. */
function ChangeAccess({ access, category, close }: {
  access: Permitted; category: CategoryRow | undefined; close: () => void;
}) {
  const update = useChange(UpdateAccessDocument);
  const { groups } = useSite();
  const [sees, setSees] = useState<unknown>(access.sees);
  const before = access.groups ?? [];
  const others = groups?.nodes.filter(({ id }) => !before.some((each) => each.id === id)) ?? [];
  const state = useForm(async (values) => {
    const changed = Object.entries(values).filter(
      ([name, value]) => name in access && value !== access[name as keyof PermitsFragment],
    );
    const chosen = chosenIn(values);
    const differ = access.sees !== sees || String(chosen) !== String(before.map(({ id }) => id));
    const input = {
      ...Object.fromEntries(changed), ...(category && { category: { id: category.id } }),
      ...(sees === 'GROUPS' && differ && { groups: chosen.map((id) => ({ id })) }),
    };
    const { updateAccess } = await update({ input });
    if (updateAccess?.errors.length === 0) close();
    return updateAccess?.errors;
  });
  return (
    <Form
      state={state} action={<Save cancel={close} />}
      onChange={({ currentTarget }) => setSees(new FormData(currentTarget).get('sees'))}
    >
      {category && (
        <Field
          label="Who sees it" name="sees" state={state} defaultValue={access.sees} options={audiences}
          hint="Lists of the site leave out what not everybody sees"
        />
      )}
      {sees === 'GROUPS' && (
        <Several legend="Groups" name="groups" state={state} options={[...before, ...others]} of={before} />
      )}
      <Field label="Who may post" name="posts" state={state} defaultValue={access.posts} options={permissions} />
      <Field
        label="Who may reply and vote" name="replies" state={state} defaultValue={access.replies} options={permissions}
      />
    </Form>
  );
}

/** Who sees a category, and who may do what in it, or without one, where that is not everybody. */
const Permits = ({ access }: { access: Permitted | undefined }) => access && (
  <>
    {access.sees !== 'PUBLIC' && (
      <p className="hint">Seen by: {access.groups?.map(({ name }) => name).join(', ') || audiences[access.sees]}</p>
    )}
    {[access.posts, access.replies].some((to) => to !== 'EVERYBODY') && (
      <p className="hint">Posts: {permissions[access.posts]} · Replies: {permissions[access.replies]}</p>
    )}
  </>
);

/** For administrators, a way to change that. */
function Access({ access, category }: { access: Permitted | undefined; category?: CategoryRow }) {
  const admin = useUser()?.role === 'ADMIN';
  const to = category?.name ?? uncategorised;
  return access && admin && (
    <Ask label={<>Access<span className="hidden"> to {to}</span></>} title={`Access to ${to}`}>
      {(close) => <ChangeAccess access={access} category={category} close={close} />}
    </Ask>
  );
}

function CategoryLine({ category, access }: { category: CategoryRow; access: Permitted | undefined }) {
  const update = useChange(UpdateCategoryDocument);
  const remove = useChange(DeleteCategoryDocument);
  return (
    <Line
      of={category} question={`Delete the category ${category.name}?`}
      save={async ({ name = '', description = '', position }) => (await update({
        input: { category: { id: category.id }, name, description, position: Number(position) },
      })).updateCategory}
      remove={async () => (await remove({ id: category.id })).deleteCategory}
      fields={(state) => <Position state={state} of={category} />}
    >
      <div>
        <span><strong dir="auto">{category.name}</strong> <span dir="auto">{category.description}</span></span>
        <Permits access={access} />
      </div>
      <span>{count(category.topicCount, 'topic')}</span>
      <Access access={access} category={category} />
    </Line>
  );
}

/** Where a category or tab is among the others. */
export const Position = ({ state, of }: { state: ReturnType<typeof useForm>; of: { position: number } }) => (
  <Field
    label="Position" name="position" state={state} type="number" defaultValue={of.position}
    hint="Lower ones come first, and older ones of the same position"
  />
);

export function Categories() {
  const { categories } = useSite();
  const { data, error, refresh } = useData(AccessDocument, {}, { requestPolicy: 'cache-and-network' });
  const create = useChange(CreateCategoryDocument);
  const state = useForm(async ({ name = '', description = '' }) => (
    (await create({ input: { name, description } })).createCategory?.errors
  ));
  return (
    <Managed at="/manage" lead="You can also moderate topics and comments where they stand">
      <section className="panel">
        <ul className="plain">
          {categories?.nodes.map((each) => (
            <CategoryLine
              key={each.id} category={each} access={data?.categories?.nodes.find(({ id }) => id === each.id)?.access}
            />
          ))}
          {data && (
            <li>
              <div>Topics without a category<Permits access={data.site.uncategorised} /></div>
              <Access access={data.site.uncategorised} />
            </li>
          )}
        </ul>
        {error && !data && <Trouble error={error} retry={refresh} />}
        <Form key={categories?.nodes.length} state={state} action={<button className="primary">Create</button>}>
          <Field label="New category" name="name" state={state} />
          <Field label="Description" name="description" state={state} />
        </Form>
      </section>
    </Managed>
  );
}
