import { useState } from 'react';
import {
  CreateCategoryDocument, DeleteCategoryDocument, UpdateCategoryDocument, type ShellQuery,
} from '../gql/graphql.ts';
import { useChange } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite } from '../lib/me.ts';
import { Confirm } from '../parts/actions.tsx';
import { Page } from '../parts/basics.tsx';
import { Field, Form, Save, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';

type CategoryRow = NonNullable<ShellQuery['categories']>['nodes'][number];

function CategoryLine({ category, refresh }: { category: CategoryRow; refresh: () => void }) {
  const [editing, setEditing] = useState(false);
  const update = useChange(UpdateCategoryDocument);
  const remove = useChange(DeleteCategoryDocument);
  const state = useForm(async ({ name = '', description = '' }) => {
    const { updateCategory } = await update({ input: { category: { id: category.id }, name, description } });
    if (updateCategory?.category) setEditing(false);
    return updateCategory?.errors;
  });
  if (editing) {
    return (
      <li>
        <Form state={state} action={<Save cancel={() => setEditing(false)} />}>
          <Field label="Name" name="name" state={state} defaultValue={category.name} />
          <Field label="Description" name="description" state={state} defaultValue={category.description} />
        </Form>
      </li>
    );
  }
  return (
    <li>
      <span><strong dir="auto">{category.name}</strong> <span dir="auto">{category.description}</span></span>
      <span>{count(category.topicCount, 'topic')}</span>
      <button className="quiet" onClick={() => setEditing(true)}>Edit</button>
      <Confirm
        label="Delete" question={`Delete the category ${category.name}?`}
        run={async () => {
          const { deleteCategory } = await remove({ id: category.id });
          if (deleteCategory?.errors[0]) say(deleteCategory.errors[0].message);
          else refresh();
        }}
      >
        Delete
      </Confirm>
    </li>
  );
}

export function Manage({ refresh }: { refresh: () => void }) {
  const { categories } = useSite();
  const create = useChange(CreateCategoryDocument);
  const state = useForm(async ({ name = '', description = '' }) => {
    const { createCategory } = await create({ input: { name, description } });
    if (createCategory?.category) refresh();
    return createCategory?.errors;
  });
  if (!categories) return null;
  return (
    <Page title="Manage the site" lead="You can also moderate topics and comments where they stand">
      <section className="panel">
        <h2>Categories</h2>
        <ul className="plain">
          {categories.nodes.map((each) => <CategoryLine key={each.id} category={each} refresh={refresh} />)}
        </ul>
        <Form key={categories.nodes.length} state={state} action={<button className="primary">Create</button>}>
          <Field label="New category" name="name" state={state} />
          <Field label="Description" name="description" state={state} />
        </Form>
      </section>
    </Page>
  );
}
