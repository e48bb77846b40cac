import type { Mailbox } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import { PageLayout } from '../layers/shell/shell.js';
import { Field, SelectField } from '../layers/ui/parts/fields.js';
import { FormAlert } from '../layers/ui/parts/form.js';
import { FormCard } from '../layers/ui/parts/form-card.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { mailboxPath, REPLIES } from './mailbox-section.js';

interface ListedMailbox {
  readonly mailbox: Mailbox;
  readonly route: MailRoute;
}

const COLUMNS: readonly Column<ListedMailbox>[] = [
  { name: 'Name', plain: true, cell: ({ mailbox }) => <a href={mailboxPath(mailbox.id)}>{mailbox.name}</a> },
  { name: 'Email', plain: true, cell: ({ mailbox }) => mailbox.email, class: 'break' },
  { name: 'Email replies', cell: repliesText },
];

export function MailboxesPage({ mailboxes }: { readonly mailboxes: readonly ListedMailbox[] }) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket belongs to one of them.">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox yet" text="Add one below. Every ticket belongs to a mailbox." />
      ) : (
        <Table caption="Mailboxes" columns={COLUMNS} rows={mailboxes} />
      )}
      <FormCard action="/settings/mailboxes" title="Add a mailbox" submit="Add mailbox" submitClass="primary">
        <FormAlert />
        <div class="pair">
          <Field label="Name" name="name" required autocomplete="off" />
          <Field label="Email" name="email" type="email" required autocomplete="off" />
          <SelectField label="Email replies" name="replies_by_mail" choices={REPLIES} value="true" />
        </div>
      </FormCard>
    </PageLayout>
  );
}

function repliesText({ mailbox, route }: ListedMailbox): string {
  if (!mailbox.repliesByMail) return 'Off';
  return { smtp: 'On', caught: 'Trial: kept in Outgoing mail', none: 'Not sent: no mail server' }[route];
}
