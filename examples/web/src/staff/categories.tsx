import { useState } from 'react';
import {
  AccessDocument, CreateCategoryDocument, DeleteCategoryDocument, UpdateAccessDocument, UpdateCategoryDocument,
  type PermitsFragment, type ShellQuery,
} from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite, useUser } from '../lib/me.ts';
import { Confirm } from '../parts/actions.tsx';
import { Trouble } from '../parts/basics.tsx';
import { Field, Form, Save, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Ask } from './act.tsx';
import { Managed } from './manage.tsx';
import { audiences, permissions, uncategorised } from './words.ts';

type CategoryRow = NonNullable<ShellQuery['categories']>['nodes'][number];

/** Changes who sees a category and may do what in it; leaves the rest as somebody else may have set it meanwhile. */
function ChangeAccess({ access, category, close }: {
  access: PermitsFragment; category: CategoryRow | undefined; close: () => void;
}) {
  const update = useChange(UpdateAccessDocument);
  const state = useForm(async (values) => {
    const changed = Object.entries(values).filter(([name, value]) => value !== access[name as keyof PermitsFragment]);
    const input = { ...Object.fromEntries(changed), ...(category && { category: { id: category.id } }) };
    const { updateAccess } = await update({ input });
    if (updateAccess?.errors.length === 0) close();
    return updateAccess?.errors;
  });
  return (
    <Form state={state} action={<Save cancel={close} />}>
      {category && (
        <Field
          label="Who sees it" name="sees" state={state} defaultValue={access.sees} options={audiences}
          hint="Lists of the site leave out what only members see"
        />
      )}
      <Field label="Who may post" name="posts" state={state} defaultValue={access.posts} options={permissions} />
      <Field
        label="Who may reply and vote" name="replies" state={state} defaultValue={access.replies} options={permissions}
      />
    </Form>
  );
}

/** Who sees a category, and who may do what in it, or without one, where that is not everybody. */
const Permits = ({ access }: { access: PermitsFragment | undefined }) => access && (
  <>
    {access.sees !== 'PUBLIC' && <p className="hint">Seen by: {audiences[access.sees]}</p>}
    {[access.posts, access.replies].some((to) => to !== 'EVERYBODY') && (
      <p className="hint">Posts: {permissions[access.posts]} · Replies: {permissions[access.replies]}</p>
    )}
  </>
);

/** For administrators, a way to change that. */
function Access({ access, category }: { access: PermitsFragment | undefined; category?: CategoryRow }) {
  const admin = useUser()?.role === 'ADMIN';
  const to = category?.name ?? uncategorised;
  return access && admin && (
    <Ask label={<>Access<span className="hidden"> to {to}</span></>} title={`Access to ${to}`}>
      {(close) => <ChangeAccess access={access} category={category} close={close} />}
    </Ask>
  );
}

function CategoryLine({ category, access }: { category: CategoryRow; access: PermitsFragment | undefined }) {
  const [editing, setEditing] = useState(false);
  const update = useChange(UpdateCategoryDocument);
  const remove = useChange(DeleteCategoryDocument);
  const state = useForm(async ({ name = '', description = '', position }) => {
    const { updateCategory } = await update({
      input: { category: { id: category.id }, name, description, position: Number(position) },
    });
    if (updateCategory?.category) setEditing(false);
    return updateCategory?.errors;
  });
  if (editing) {
    return (
      <li>
        <Form state={state} action={<Save cancel={() => setEditing(false)} />}>
          <Field label="Name" name="name" state={state} defaultValue={category.name} />
          <Field label="Description" name="description" state={state} defaultValue={category.description} />
          <Position state={state} of={category} />
        </Form>
      </li>
    );
  }
  return (
    <li>
      <div>
        <span><strong dir="auto">{category.name}</strong> <span dir="auto">{category.description}</span></span>
        <Permits access={access} />
      </div>
      <span>{count(category.topicCount, 'topic')}</span>
      <Access access={access} category={category} />
      <button className="quiet" onClick={() => setEditing(true)}>
        Edit<span className="hidden"> {category.name}</span>
      </button>
      <Confirm
        label="Delete" question={`Delete the category ${category.name}?`}
        run={async () => {
          const { deleteCategory } = await remove({ id: category.id });
          if (deleteCategory?.errors[0]) say(deleteCategory.errors[0].message);
        }}
      >
        Delete<span className="hidden"> {category.name}</span>
      </Confirm>
    </li>
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
