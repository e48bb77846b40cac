import type { Mailbox } from '#libs/entities';
import { usePageContext } from '../../pages/page-context.js';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { Field, LabelledInput, LabelledSelect, SelectField } from '../../pages/parts/fields.js';
import { Form, FormAlert } from '../../pages/parts/form.js';
import { EmptyState } from '../../pages/parts/indicators.js';
import { PageLayout } from '../shell/shell.js';

interface MailboxesProps {
  readonly mailboxes: readonly Mailbox[];
  /** The id of the one whose change was refused. What is said and what was typed belongs to its form. */
  readonly refused?: string | undefined;
}

export function MailboxesPage({ mailboxes, refused }: MailboxesProps) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket is in one of them.">
      {mailboxes.length === 0 && (
        <EmptyState title="No mailbox yet">
          <p>Add one below: every ticket belongs to a mailbox.</p>
        </EmptyState>
      )}
      {mailboxes.map((mailbox) => (
        <MailboxCard mailbox={mailbox} refused={refused === mailbox.id} key={mailbox.id} />
      ))}
      <Form action="/settings/mailboxes" class="card stack" label="Add a mailbox">
        <h2>Add a mailbox</h2>
        {refused === undefined ? <NewMailboxFields /> : <MailboxFields name="" email="" replies_by_mail="true" />}
        <button type="submit" class="primary">
          Add mailbox
        </button>
      </Form>
    </PageLayout>
  );
}

function MailboxCard({ mailbox, refused }: { mailbox: Mailbox; refused: boolean }) {
  const { values, faults } = usePageContext().form;
  const { id, name, email, repliesByMail } = mailbox;
  const saved = { name, email, replies_by_mail: String(repliesByMail) };
  const shown = refused ? { ...saved, ...values } : saved;
  return (
    <section class="card stack" aria-label={name}>
      {refused && <FormAlert />}
      {refused && faults.map(({ field, message }) => <p class="fault" key={field}>{`${field}: ${message}`}</p>)}
      <div>
        <Form action={`/settings/mailboxes/${id}`} class="line-form" label={name}>
          <MailboxFields {...shown} />
          <button type="submit">Save</button>
        </Form>
        <ConfirmDialog
          id={`delete-${id}`}
          title={`Delete ${name}?`}
          action={`/settings/mailboxes/${id}/delete`}
          verb="Delete"
          what="mailbox"
        >
          <p>A mailbox that holds tickets cannot be deleted: move them first. The last one always stays.</p>
        </ConfirmDialog>
      </div>
    </section>
  );
}

const REPLIES = [
  { value: 'true', label: 'are mailed' },
  { value: 'false', label: 'are not mailed' },
];

interface MailboxFieldsProps {
  readonly name: string;
  readonly email: string;
  readonly replies_by_mail: string;
}

function MailboxFields({ name, email, replies_by_mail: chosen }: MailboxFieldsProps) {
  return (
    <>
      <LabelledInput label="Name" name="name" value={name} />
      <LabelledInput label="E-mail" name="email" type="email" value={email} />
      <LabelledSelect label="Replies" name="replies_by_mail" choices={REPLIES} chosen={chosen} />
    </>
  );
}

function NewMailboxFields() {
  return (
    <>
      <FormAlert />
      <div class="pair">
        <Field label="Name" name="name" required autocomplete="off" />
        <Field label="E-mail" name="email" type="email" required autocomplete="off" />
        <SelectField label="Replies" name="replies_by_mail" choices={REPLIES} value="true" />
      </div>
    </>
  );
}
