import { manages } from '#libs/entities';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Field, SelectField, choicesOf } from '../../layers/ui/parts/fields.js';
import { Form, HiddenFields, SubmitButton } from '../../layers/ui/parts/form.js';
import { type InboxQuery, isFiltered, listQuery } from '../inbox-query.js';

/** Only for lists with a filter or an order. */
export function SaveView({ query }: { query: InboxQuery }) {
  if (!isFiltered(query) && query.sort === undefined) return null;
  return (
    <details id="save-view" class="menu">
      <summary class="small">Save view</summary>
      <div class="sheet">
        <SaveViewForm query={listQuery(query)} />
      </div>
    </details>
  );
}

const FOR_WHOM = choicesOf({ me: 'Me', everybody: 'Everyone' });

export function SaveViewForm({ query }: { query: string }) {
  const { me } = usePageContext();
  return (
    <Form action="/views" class="stack" label="Save view">
      <HiddenFields fields={{ query }} />
      <Field label="View name" name="name" required autocomplete="off" />
      {manages(me.role) && <SelectField label="Visible to" name="for" choices={FOR_WHOM} value="me" />}
      <SubmitButton class="slim">Save view</SubmitButton>
    </Form>
  );
}
