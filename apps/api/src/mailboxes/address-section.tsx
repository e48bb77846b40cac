import { LabelledInput, LabelledSelect } from '../ui/parts/fields.js';
import { Form } from '../ui/parts/form.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps, useFieldValues } from './mailbox-section.js';
import { REPLIES } from './replies-choices.js';

/** What it is called, where customers write to, and whether they get answers by mail. */
export function AddressSection({ mailbox, refused }: SectionProps) {
  const { id, name, email, repliesByMail } = mailbox;
  const isRefused = refused === 'address';
  const saved = { name, email, replies_by_mail: String(repliesByMail) };
  const shown = useFieldValues(saved, isRefused);
  return (
    <MailboxSection title="Name and address" isRefused={isRefused}>
      <Form action={mailboxPath(id)} class="stack" label="Name and address">
        <div class="pair">
          <LabelledInput label="Name" name="name" value={shown.name} />
          <LabelledInput label="E-mail" name="email" type="email" value={shown.email} />
          <LabelledSelect label="Replies" name="replies_by_mail" choices={REPLIES} chosen={shown.replies_by_mail} />
        </div>
        <button type="submit">Save</button>
      </Form>
    </MailboxSection>
  );
}
