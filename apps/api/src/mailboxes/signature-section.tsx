import { Form } from '../ui/parts/form.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps, useFieldValues } from './mailbox-section.js';

/** What stands below the replies that go out from it. */
export function SignatureSection({ mailbox: { id, signature }, refused }: SectionProps) {
  const isRefused = refused === 'signature';
  const shown = useFieldValues({ signature }, isRefused);
  return (
    <MailboxSection title="Signature" isRefused={isRefused}>
      <p>
        {
          'Stands below what is mailed from here, under the signature or the name of the agent. Without one the name of the account stands there. {{agent}}, {{mailbox}} and {{account}} stand for their names.'
        }
      </p>
      <Form action={`${mailboxPath(id)}/signature`} class="stack" label="Signature">
        <textarea name="signature" rows={4} dir="auto" aria-label="Signature" value={shown.signature} />
        <div>
          <button type="submit">Save signature</button>
        </div>
      </Form>
    </MailboxSection>
  );
}
