import { manages } from '#libs/entities';
import { usePageContext } from '../../ui/page-context.js';
import { Field, SelectField } from '../../ui/parts/fields.js';
import { Form, HiddenFields } from '../../ui/parts/form.js';
import { type InboxQuery, isFiltered, listQuery } from '../../shell/inbox-query.js';

/** Beside a list that is narrowed to something, or has another order. */
export function KeepView({ query }: { query: InboxQuery }) {
  if (!isFiltered(query) && query.sort === undefined) return null;
  return (
    <details id="keep-view">
      <summary class="small quiet">Keep this search</summary>
      <KeepViewForm query={listQuery(query)} />
    </details>
  );
}

const FOR_WHOM = [
  { value: 'me', label: 'Me' },
  { value: 'everybody', label: 'Everybody' },
];

export function KeepViewForm({ query }: { query: string }) {
  const { me } = usePageContext();
  return (
    <Form action="/views" class="stack keep-view" label="Keep this search">
      <HiddenFields fields={{ query }} />
      <Field label="Name of the view" name="name" required autocomplete="off" />
      {manages(me.role) && <SelectField label="For" name="for" choices={FOR_WHOM} value="me" />}
      <button type="submit" class="slim">
        Keep
      </button>
    </Form>
  );
}
