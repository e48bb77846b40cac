import type { MailboxSmtp } from '#libs/entities';
import { KEPT_IN_TRIAL, type MailboxCheckProgress, type MailboxCheckStep } from '#libs/mailboxes';
import { PageLayout } from '../layers/shell/shell.js';
import { DeleteDialog } from '../layers/ui/parts/dialog.js';
import { LabelledInput, LabelledSelect } from '../layers/ui/parts/fields.js';
import { ActionButton, Form } from '../layers/ui/parts/form.js';
import { Pill, type Tone } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { ImapSection } from './imap-section.js';
import {
  MailboxSection,
  REPLIES,
  SECURITIES,
  type SectionProps,
  mailboxPath,
  useFieldValues,
} from './mailbox-section.js';

export function MailboxPage(props: SectionProps) {
  const { id, name, email } = props.mailbox;
  return (
    <PageLayout
      title={name}
      narrow
      watch={`mailbox=${id}`}
      intro={
        <>
          <a href="/settings/mailboxes">Mailboxes</a> · {email}
        </>
      }
    >
      <AddressSection {...props} />
      <ImapSection {...props} />
      <SignatureSection {...props} />
      <SmtpSection {...props} />
      <SenderChecksSection {...props} />
      <CheckSection {...props} />
      <RemovalSection {...props} />
    </PageLayout>
  );
}

function AddressSection({ mailbox, refused }: SectionProps) {
  const { id, name, email, repliesByMail } = mailbox;
  const isRefused = refused === 'address';
  const saved = { name, email, replies_by_mail: String(repliesByMail) };
  const shown = useFieldValues(saved, isRefused);
  return (
    <MailboxSection title="Name and address" isRefused={isRefused}>
      <Form action={mailboxPath(id)} class="stack" label="Name and address">
        <div class="pair">
          <LabelledInput label="Name" name="name" value={shown.name} />
          <LabelledInput label="Email" name="email" type="email" value={shown.email} />
          <LabelledSelect
            label="Email replies"
            name="replies_by_mail"
            choices={REPLIES}
            chosen={shown.replies_by_mail}
          />
        </div>
        <button type="submit">Save</button>
      </Form>
    </MailboxSection>
  );
}

function SignatureSection({ mailbox: { id, signature }, refused }: SectionProps) {
  const isRefused = refused === 'signature';
  const shown = useFieldValues({ signature }, isRefused);
  return (
    <MailboxSection title="Signature" isRefused={isRefused}>
      <p>
        {
          'Added to emails from this mailbox, below the agent’s signature or name. If empty, the account name is used. {{agent}}, {{mailbox}} and {{account}} are replaced by names.'
        }
      </p>
      <Form action={`${mailboxPath(id)}/signature`} class="stack" label="Signature">
        <textarea name="signature" rows={4} dir="auto" aria-label="Signature" value={shown.signature} />
        <button type="submit">Save signature</button>
      </Form>
    </MailboxSection>
  );
}

function SenderChecksSection({ mailbox: { id, authservId }, refused }: SectionProps) {
  const isRefused = refused === 'sender-checks';
  const shown = useFieldValues({ authserv_id: authservId ?? '' }, isRefused);
  return (
    <MailboxSection title="Sender checks" isRefused={isRefused}>
      <p>
        The server that receives mail for this mailbox checks SPF, DKIM and DMARC, and adds the results under its own
        name. Enter that name to show the results with messages. Results under other names are ignored.
      </p>
      <Form action={`${mailboxPath(id)}/sender-checks`} class="line-form" label="Sender checks">
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

function CheckSection({ mailbox: { id, email }, test, isCaught, refused }: SectionProps) {
  const isRunning = test?.result === 'running';
  return (
    <MailboxSection title="Mailbox check" isRefused={refused === 'test'}>
      <p>
        {isCaught ? KEPT_IN_TRIAL : `Sends a test email to ${email} and waits for it to arrive. No ticket is created.`}
      </p>
      <div class="stack" id="mailbox-test" data-live>
        {test && <CheckProgress test={test} />}
        {!isCaught && !isRunning && (
          <ActionButton to={`${mailboxPath(id)}/test`} label={test ? 'Check again' : 'Check this mailbox'} />
        )}
      </div>
    </MailboxSection>
  );
}

function CheckProgress({ test: { startedAt, result, steps } }: { test: MailboxCheckProgress }) {
  return (
    <>
      <p role="status">
        {RESULTS[result]} <RelativeTime at={startedAt} />
      </p>
      <ul class="stack">
        {steps.map(({ name, state, text }) => (
          <li class="row nowrap" key={name}>
            <Pill tone={TONES[state]}>{state}</Pill>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const RESULTS: Readonly<Record<MailboxCheckProgress['result'], string>> = {
  running: 'Check running. Started',
  passed: 'Sending and receiving work. Checked',
  failed: 'The check failed. Started',
};

const TONES: Readonly<Record<MailboxCheckStep['state'], Tone>> = { done: 'good', waiting: 'accent', failed: 'bad' };

function RemovalSection({ mailbox: { id, name }, refused }: SectionProps) {
  return (
    <MailboxSection title="Delete this mailbox" isRefused={refused === 'removal'}>
      <p>A mailbox with tickets cannot be deleted. Move them first. The last mailbox cannot be deleted.</p>
      <DeleteDialog id="delete-mailbox" name={name} path={mailboxPath(id)} what="mailbox">
        <p>Its settings are deleted too.</p>
      </DeleteDialog>
    </MailboxSection>
  );
}

const NOTHING_SAVED: Partial<MailboxSmtp> = {};

function SmtpSection({ mailbox: { id }, smtp, refused }: SectionProps) {
  const isRefused = refused === 'smtp';
  const { host = '', port = '', security = 'tls', username = null } = smtp ?? NOTHING_SAVED;
  const shown = useFieldValues({ host, port: String(port), security, username: username ?? '' }, isRefused);
  return (
    <MailboxSection title="Send email (SMTP)" isRefused={isRefused}>
      <p>
        {smtp
          ? `This mailbox sends through ${smtp.host}.`
          : 'Email from this mailbox uses the default server, if there is one. Enter another one to replace it.'}
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
        <button type="submit">Save server</button>
      </Form>
      {smtp && <ActionButton to={`${mailboxPath(id)}/smtp/delete`} label="Use the default server" />}
    </MailboxSection>
  );
}
