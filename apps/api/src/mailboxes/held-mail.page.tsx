import type { Arrival } from '#libs/entities';
import { HELD_MAILS_KEPT_DAYS, type HoldReason } from '#libs/mailboxes';
import { ActionButton } from '../ui/parts/form.js';
import { EmptyState } from '../ui/parts/indicators.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { Pager, type PagerLinks } from '../ui/parts/table.js';
import { SenderVerdictsPill } from '../messages/index.js';
import { HELD_MAIL_PATH } from '../shell/held-mail-path.js';
import { PageLayout } from '../shell/shell.js';

const REASONS: Readonly<Record<HoldReason, string>> = {
  own_mail: 'It is a mail of ours that came back.',
  agent_address: 'It carries the address of an agent, which anybody can write.',
  agent_without_token:
    'An agent wrote it, but not to the address that a notice gives this agent for a ticket, so it answers none.',
  agent_unproven: 'It answers a notice to an agent, but no check of the sender shows that the agent wrote it.',
  agent_automatic: 'A program of an agent wrote it, such as one that says who is away.',
  agent_empty: 'An agent answered a notice, and wrote nothing above what is quoted.',
  agent_ticket_deleted: 'An agent answered a notice about a ticket that is deleted.',
  too_many: 'Its sender started many tickets within an hour.',
};

export function HeldMailPage({ mails, ...pages }: { mails: readonly Arrival[] } & PagerLinks) {
  return (
    <PageLayout
      title="Held mail"
      narrow
      intro={`Mails that are no tickets yet, because somebody should look at them first. After ${HELD_MAILS_KEPT_DAYS} days they are discarded.`}
    >
      {mails.length === 0 ? (
        <EmptyState title="No mail is held">
          <p>What comes in becomes a ticket at once, unless there is a reason for doubt.</p>
        </EmptyState>
      ) : (
        <div class="stack">
          {mails.map((mail) => (
            <HeldMail mail={mail} key={mail.id} />
          ))}
          <Pager {...pages} label={`${mails.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

/** Text alone: nothing that a stranger wrote is markup here, and nothing is loaded. */
function HeldMail({ mail: { id, sender, subject, preview, reason, verdicts, createdAt } }: { mail: Arrival }) {
  const title = subject || 'No subject';
  return (
    <article class="card stack" aria-label={`Mail from ${sender ?? 'nobody'}`}>
      <div class="row apart">
        <h2 dir="auto">{title}</h2>
        <RelativeTime at={createdAt} />
      </div>
      <p class="small">
        From <strong dir="auto">{sender}</strong>. {REASONS[reason as HoldReason]}{' '}
        <SenderVerdictsPill verdicts={verdicts} />
      </p>
      <div class="body text" dir="auto">
        {preview}
      </div>
      <div class="row">
        <ActionButton to={`${HELD_MAIL_PATH}/${id}/release`} label="Take in" class="primary" />
        <ActionButton to={`${HELD_MAIL_PATH}/${id}/discard`} label="Discard" />
      </div>
    </article>
  );
}
