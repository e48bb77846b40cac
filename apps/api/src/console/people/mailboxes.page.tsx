import type { Mailbox } from '#libs/entities';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { Field, LabelledInput } from '../../pages/parts/fields.js';
import { Form, FormAlert } from '../../pages/parts/form.js';
import { EmptyState } from '../../pages/parts/indicators.js';
import { PageLayout } from '../shell/shell.js';

export function MailboxesPage({ mailboxes }: { mailboxes: readonly Mailbox[] }) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket is in one of them.">
      {mailboxes.length === 0 && (
        <EmptyState title="No mailbox yet">
          <p>Add one below: every ticket belongs to a mailbox.</p>
        </EmptyState>
      )}
      {mailboxes.map((mailbox) => (
        <section class="card" aria-label={mailbox.name} key={mailbox.id}>
          <Form action={`/settings/mailboxes/${mailbox.id}`} class="line-form" label={mailbox.name}>
            <LabelledInput label="Name" name="name" value={mailbox.name} />
            <LabelledInput label="E-mail" name="email" type="email" value={mailbox.email} />
            <button type="submit">Save</button>
          </Form>
          <ConfirmDialog
            id={`delete-${mailbox.id}`}
            title={`Delete ${mailbox.name}?`}
            action={`/settings/mailboxes/${mailbox.id}/delete`}
            verb="Delete"
            what="mailbox"
          >
            <p>A mailbox that holds tickets cannot be deleted: move them first. The last one always stays.</p>
          </ConfirmDialog>
        </section>
      ))}
      <Form action="/settings/mailboxes" class="card stack" label="Add a mailbox">
        <h2>Add a mailbox</h2>
        <FormAlert />
        <div class="pair">
          <Field label="Name" name="name" required autocomplete="off" />
          <Field label="E-mail" name="email" type="email" required autocomplete="off" />
        </div>
        <button type="submit" class="primary">
          Add mailbox
        </button>
      </Form>
    </PageLayout>
  );
}
