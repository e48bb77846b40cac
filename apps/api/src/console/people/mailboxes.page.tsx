import type { Mailbox } from '#libs/entities';
import { Field, SelectField } from '../../pages/parts/fields.js';
import { Form, FormAlert } from '../../pages/parts/form.js';
import { EmptyState } from '../../pages/parts/indicators.js';
import { type Column, Table } from '../../pages/parts/table.js';
import { mailboxPath } from '../mailbox/mailbox-paths.js';
import { REPLIES } from '../mailbox/replies-choices.js';
import { PageLayout } from '../shell/shell.js';

const COLUMNS: readonly Column<Mailbox>[] = [
  { name: 'Name', cell: ({ id, name }) => <a href={mailboxPath(id)}>{name}</a> },
  { name: 'E-mail', cell: ({ email }) => email, class: 'break' },
  { name: 'Replies', cell: ({ repliesByMail }) => (repliesByMail ? 'are mailed' : 'are not mailed') },
];

export function MailboxesPage({ mailboxes }: { readonly mailboxes: readonly Mailbox[] }) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket is in one of them.">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox yet">
          <p>Add one below: every ticket belongs to a mailbox.</p>
        </EmptyState>
      ) : (
        <Table caption="Mailboxes" columns={COLUMNS} rows={mailboxes} />
      )}
      <Form action="/settings/mailboxes" class="card stack" label="Add a mailbox">
        <h2>Add a mailbox</h2>
        <FormAlert />
        <div class="pair">
          <Field label="Name" name="name" required autocomplete="off" />
          <Field label="E-mail" name="email" type="email" required autocomplete="off" />
          <SelectField label="Replies" name="replies_by_mail" choices={REPLIES} value="true" />
        </div>
        <button type="submit" class="primary">
          Add mailbox
        </button>
      </Form>
    </PageLayout>
  );
}
