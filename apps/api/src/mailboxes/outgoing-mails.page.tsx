import type { OutgoingMailKind } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import type { ListedMail } from '#libs/mailboxes';
import { Form, FormAlert } from '../ui/parts/form.js';
import { EmptyState } from '../ui/parts/indicators.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { ticketPath } from '../shell/inbox-query.js';
import { MailPill } from '../messages/index.js';
import { PageLayout } from '../shell/shell.js';

interface OutgoingMailsProps {
  readonly mails: readonly ListedMail[];
  readonly route: MailRoute;
}

const INTROS: Readonly<Record<MailRoute, string>> = {
  smtp: 'The latest mails to people outside, and what became of them.',
  caught:
    'What would have been sent is kept here, and you can answer it as the customer. Only mailboxes with a mail server of their own send.',
  none: 'This installation has no mail server: only mailboxes with a mail server of their own send.',
};

export function OutgoingMailsPage({ mails, route }: OutgoingMailsProps) {
  return (
    <PageLayout
      title={route === 'caught' ? 'Outgoing mail of this trial' : 'Outgoing mail'}
      intro={INTROS[route]}
      narrow
    >
      <FormAlert />
      {mails.length === 0 && (
        <EmptyState title="No mail yet">
          <p>Reply to a ticket of a mailbox that mails replies.</p>
        </EmptyState>
      )}
      {mails.map((mail) => (
        <MailCard mail={mail} key={mail.id} />
      ))}
    </PageLayout>
  );
}

const KINDS: Readonly<Record<OutgoingMailKind, string>> = {
  message: 'A message',
  link: 'A link to set a password',
  sign_in_notice: 'A sign-in with a new browser',
  webhook_notice: 'A webhook that was disabled',
  access_notice: 'Programs that receive records',
  test: 'A test of a mailbox',
  agent_notice: 'A customer’s answer, for the agent',
};

function MailCard({ mail }: { mail: ListedMail }) {
  const { id, kind, state, reason, recipient, copyOf, caught, ticketNumber, queuedAt } = mail;
  const what = copyOf === null ? KINDS[kind] : 'A copy of a message';
  return (
    <section class="card stack" aria-label={`Mail to ${recipient}`} id={`mail-${id}`}>
      <div class="row apart">
        <strong>{recipient}</strong>
        <span class="row small">
          <RelativeTime at={queuedAt} />
          <MailPill state={state} />
        </span>
      </div>
      <p class="small quiet">
        {ticketNumber === null ? what : <a href={ticketPath(ticketNumber)}>{`${what} of ticket #${ticketNumber}`}</a>}
      </p>
      {caught && <CaughtContent caught={caught} />}
      {!caught && reason !== null && (
        <p class="small" dir="auto">
          {reason}
        </p>
      )}
      {caught?.replyTo && <AnswerForm id={id} recipient={recipient} />}
    </section>
  );
}

function CaughtContent({ caught }: { caught: NonNullable<ListedMail['caught']> }) {
  return (
    <>
      <p dir="auto">
        <strong>{caught.subject}</strong>
      </p>
      <p class="small quiet" dir="auto">{`From ${caught.from}`}</p>
      {caught.cc && caught.cc.length > 0 && (
        <p class="small quiet break" dir="auto">{`To ${caught.to}, Cc ${caught.cc.join(', ')}`}</p>
      )}
      <pre class="body text" dir="auto">
        {caught.text}
      </pre>
      {caught.files.length > 0 && <p class="small" dir="auto">{`Files: ${caught.files.join(', ')}`}</p>}
    </>
  );
}

function AnswerForm({ id, recipient }: { id: string; recipient: string }) {
  return (
    <Form action={`/settings/outgoing-mail/${id}/answer`} class="stack" label={`Answer as ${recipient}`}>
      <textarea name="text" dir="auto" rows={3} required aria-label={`Answer as ${recipient}`} />
      <div>
        <button type="submit">Answer as the customer</button>
      </div>
    </Form>
  );
}
