import type { Arrival } from '#libs/entities';
import { QUARANTINE_DAYS, type QuarantineReason } from '#libs/mailboxes';
import { PageLayout } from '../layers/shell/shell.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { Pager, type PagerLinks } from '../layers/ui/parts/table.js';
import { SenderVerdictsPill } from '../messages/index.js';
import { QUARANTINE_PATH } from './quarantine-path.js';

const REASONS: Readonly<Record<QuarantineReason, string>> = {
  own_mail: 'One of our own emails that came back.',
  agent_address: 'The sender uses the address of an agent, which anyone can forge.',
  agent_without_token:
    'From an agent, but not sent to the reply address of a notification, so it belongs to no ticket.',
  agent_unproven: 'A reply to a notification, but the sender checks did not verify the agent.',
  agent_automatic: 'An automatic reply from an agent, such as an out-of-office message.',
  agent_empty: 'A reply from an agent with no text above the quoted message.',
  agent_ticket_deleted: 'A reply from an agent to a ticket that was deleted, or merged into that of another customer.',
  too_many: 'The sender started many tickets within an hour.',
};

export function QuarantinePage({ mails, ...pages }: { mails: readonly Arrival[] } & PagerLinks) {
  return (
    <PageLayout
      title="Quarantine"
      narrow
      intro={`Emails waiting for review before they become tickets. They are discarded after ${QUARANTINE_DAYS} days.`}
    >
      {mails.length === 0 ? (
        <EmptyState
          title="The quarantine is empty"
          text="Emails become tickets immediately unless they look suspicious."
        />
      ) : (
        <div class="stack">
          {mails.map((mail) => (
            <QuarantinedMail mail={mail} key={mail.id} />
          ))}
          <Pager {...pages} label={`${mails.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

/** Shows plain text only, so that nothing a stranger wrote is rendered or loaded. */
function QuarantinedMail({ mail: { id, sender, subject, preview, reason, verdicts, createdAt } }: { mail: Arrival }) {
  const title = subject || 'No subject';
  return (
    <article class="card stack" aria-label={`Email from ${sender ?? 'an unknown sender'}`}>
      <div class="row apart">
        <h2 dir="auto">{title}</h2>
        <RelativeTime at={createdAt} />
      </div>
      <p class="small">
        From <strong dir="auto">{sender}</strong>. {REASONS[reason as QuarantineReason]}{' '}
        <SenderVerdictsPill verdicts={verdicts} />
      </p>
      <div class="body text" dir="auto">
        {preview}
      </div>
      <div class="row">
        <ActionButton to={`${QUARANTINE_PATH}/${id}/release`} label="Release" class="primary" />
        <ActionButton to={`${QUARANTINE_PATH}/${id}/discard`} label="Discard" />
      </div>
    </article>
  );
}
