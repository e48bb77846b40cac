import { LabelledInput, LabelledSelect } from '../ui/parts/fields.js';
import { ActionButton, Form } from '../ui/parts/form.js';
import { MailboxSection, SECURITIES, type SectionProps, mailboxPath, useFieldValues } from './mailbox-section.js';

export function SmtpSection({ mailbox: { id }, smtp, refused }: SectionProps) {
  const isRefused = refused === 'smtp';
  const shown = useFieldValues(
    {
      host: smtp?.host ?? '',
      port: String(smtp?.port ?? ''),
      security: smtp?.security ?? 'tls',
      username: smtp?.username ?? '',
    },
    isRefused,
  );
  return (
    <MailboxSection title="Sending" isRefused={isRefused}>
      <p>
        {smtp
          ? `This mailbox sends through ${smtp.host}.`
          : 'This mailbox sends through the mail server of this installation, if there is one. Enter another server if there is none, or if it may not send for this address.'}
      </p>
      <Form action={`${mailboxPath(id)}/smtp`} class="stack" label="Mail server">
        <div class="pair">
          <LabelledInput label="Server" name="host" value={shown.host} />
          <LabelledInput label="Port" name="port" type="number" value={shown.port} required={false} />
          <LabelledSelect label="Encryption" name="security" choices={SECURITIES} chosen={shown.security} />
          <LabelledInput label="User" name="username" value={shown.username} required={false} />
          <LabelledInput
            label="Password"
            name="password"
            type="password"
            value=""
            required={false}
            {...(smtp?.sealed && { placeholder: 'unchanged' })}
          />
        </div>
        <div>
          <button type="submit">Save server</button>
        </div>
      </Form>
      {smtp && <ActionButton to={`${mailboxPath(id)}/smtp/delete`} label="Use the server of this installation" />}
    </MailboxSection>
  );
}
