import { useState } from 'react';
import {
  CreateCategoryDocument, DeleteCategoryDocument, UpdateCategoryDocument, type ShellQuery,
} from '../gql/graphql.ts';
import { useChange } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { useSite } from '../lib/me.ts';
import { Confirm } from '../parts/actions.tsx';
import { Field, Form, Save, useForm } from '../parts/form.tsx';
import { say } from '../parts/toasts.tsx';
import { Managed } from './manage.tsx';

type CategoryRow = NonNullable<ShellQuery['categories']>['nodes'][number];

function CategoryLine({ category }: { category: CategoryRow }) {
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
      <span><strong dir="auto">{category.name}</strong> <span dir="auto">{category.description}</span></span>
      <span>{count(category.topicCount, 'topic')}</span>
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
  const create = useChange(CreateCategoryDocument);
  const state = useForm(async ({ name = '', description = '' }) => (
    (await create({ input: { name, description } })).createCategory?.errors
  ));
  return (
    <Managed at="/manage" lead="You can also moderate topics and comments where they stand">
      <section className="panel">
        <ul className="plain">{categories?.nodes.map((each) => <CategoryLine key={each.id} category={each} />)}</ul>
        <Form key={categories?.nodes.length} state={state} action={<button className="primary">Create</button>}>
          <Field label="New category" name="name" state={state} />
          <Field label="Description" name="description" state={state} />
        </Form>
      </section>
    </Managed>
  );
}
