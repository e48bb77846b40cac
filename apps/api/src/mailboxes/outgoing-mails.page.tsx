import type { OutgoingMailKind } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import type { ListedMail } from '#libs/mailboxes';
import { PageLayout } from '../layers/shell/shell.js';
import { Form, FormAlert } from '../layers/ui/parts/form.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { MailPill, WrittenText } from '../messages/index.js';
import { ticketPath } from '../tickets/index.js';

const INTROS: Readonly<Record<MailRoute, string>> = {
  smtp: 'The latest emails to customers and agents, with their delivery status.',
  caught:
    'In trial mode, emails are kept here instead of being sent. You can reply as the customer. Mailboxes with their own mail server still send email.',
  none: 'This installation has no mail server. Only mailboxes with their own mail server send email.',
};

export function OutgoingMailsPage({ mails, route }: { mails: readonly ListedMail[]; route: MailRoute }) {
  return (
    <PageLayout title={route === 'caught' ? 'Outgoing mail (trial)' : 'Outgoing mail'} intro={INTROS[route]} narrow>
      <FormAlert />
      {mails.length === 0 && (
        <EmptyState title="No email yet" text="Replies appear here if their mailbox emails them." />
      )}
      {mails.map((mail) => (
        <MailCard mail={mail} key={mail.id} />
      ))}
    </PageLayout>
  );
}

const KINDS: Readonly<Record<OutgoingMailKind, string>> = {
  message: 'Reply',
  link: 'Password link',
  sign_in_notice: 'New sign-in notification',
  webhook_notice: 'Webhook notification',
  access_notice: 'Application access notification',
  test: 'Mailbox check',
  agent_notice: 'Notification to an agent',
};

function MailCard({ mail }: { mail: ListedMail }) {
  const { id, kind, state, reason, recipient, copyOf, caught, ticketNumber, queuedAt } = mail;
  const what = copyOf === null ? KINDS[kind] : 'Copy of a reply';
  return (
    <section class="card stack" aria-label={`Email to ${recipient}`} id={`mail-${id}`}>
      <div class="row apart">
        <strong>{recipient}</strong>
        <span class="row small">
          <RelativeTime at={queuedAt} />
          <MailPill state={state} />
        </span>
      </div>
      <p class="small quiet">
        {ticketNumber === null ? what : <a href={ticketPath(ticketNumber)}>{`${what}, ticket #${ticketNumber}`}</a>}
      </p>
      {caught && <CaughtContent caught={caught} />}
      {!caught && reason !== null && (
        <p class="small" dir="auto">
          {reason}
        </p>
      )}
      {kind === 'message' && caught?.replyTo && <AnswerForm id={id} recipient={recipient} />}
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
      {caught.cc.length > 0 && (
        <p class="small quiet break" dir="auto">{`To ${caught.to}, Cc ${caught.cc.join(', ')}`}</p>
      )}
      {caught.html ? (
        <div class="message">
          <WrittenText shown={{ as: 'html', content: caught.html, cut: false }} />
        </div>
      ) : (
        <pre class="body text" dir="auto">
          {caught.text}
        </pre>
      )}
      {caught.files.length > 0 && <p class="small" dir="auto">{`Files: ${caught.files.join(', ')}`}</p>}
    </>
  );
}

function AnswerForm({ id, recipient }: { id: string; recipient: string }) {
  return (
    <Form action={`/settings/outgoing-mail/${id}/answer`} class="stack" label={`Reply as ${recipient}`}>
      <textarea name="text" dir="auto" rows={3} required aria-label={`Reply as ${recipient}`} />
      <button type="submit">Reply as the customer</button>
    </Form>
  );
}
