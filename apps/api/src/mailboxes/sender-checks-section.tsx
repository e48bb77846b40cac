import { LabelledInput } from '../ui/parts/fields.js';
import { Form } from '../ui/parts/form.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps, useFieldValues } from './mailbox-section.js';

/** Whose word counts about who wrote a mail. */
export function SenderChecksSection({ mailbox: { id, authservId }, refused }: SectionProps) {
  const isRefused = refused === 'sender-checks';
  const shown = useFieldValues({ authserv_id: authservId ?? '' }, isRefused);
  return (
    <MailboxSection title="Checks of senders" isRefused={isRefused}>
      <p>
        The server that receives for this mailbox checks SPF, DKIM and DMARC, and writes down what it found under its
        name. Tell that name, and messages show it. What others wrote never counts.
      </p>
      <Form action={`${mailboxPath(id)}/sender-checks`} class="line-form" label="Checks of senders">
        <LabelledInput
          label="Name in Authentication-Results"
          name="authserv_id"
          value={shown.authserv_id}
          required={false}
        />
        <button type="submit">Save name</button>
      </Form>
    </MailboxSection>
  );
}
