import type { Mailbox } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import { Field, SelectField } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { EmptyState } from '../ui/parts/indicators.js';
import { type Column, Table } from '../ui/parts/table.js';
import { PageLayout } from '../shell/shell.js';
import { REPLIES, mailboxPath } from './mailbox-section.js';

interface ListedMailbox {
  readonly mailbox: Mailbox;
  readonly route: MailRoute;
}

const COLUMNS: readonly Column<ListedMailbox>[] = [
  { name: 'Name', cell: ({ mailbox }) => <a href={mailboxPath(mailbox.id)}>{mailbox.name}</a> },
  { name: 'E-mail', cell: ({ mailbox }) => mailbox.email, class: 'break' },
  { name: 'Replies', cell: repliesText },
];

export function MailboxesPage({ mailboxes }: { readonly mailboxes: readonly ListedMailbox[] }) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket belongs to one of them.">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox yet">
          <p>Add one below. Every ticket belongs to a mailbox.</p>
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

function repliesText({ mailbox, route }: ListedMailbox): string {
  if (!mailbox.repliesByMail) return 'are not mailed';
  return {
    smtp: 'are mailed',
    caught: 'are kept under Outgoing mail',
    none: 'are not mailed: there is no mail server',
  }[route];
}
