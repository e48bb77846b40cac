import type { Arrival } from '#libs/entities';
import { QUARANTINE_DAYS, type QuarantineReason, QuarantineService } from '#libs/mailboxes';
import { Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { FormFields } from '../layers/ui/form-fields.js';
import type { PageContent, PageResponse } from '../layers/ui/page-response.js';
import { Pager, pagerLinks, type PagerLinks } from '../layers/ui/parts/table.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { redirectOrExplain } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { SenderVerdictsPill } from '../messages/index.js';
import { PageLayout } from '../layers/shell/shell.js';
import { QUARANTINE_PATH } from './quarantine-path.js';

const MAILS_PER_PAGE = 25;

const IdParam = () => Param('id', new IdentifierPipe('arrival'));

@ConsolePages(QUARANTINE_PATH, 'agents', { group: 'People', label: 'Quarantine', icon: 'mail' })
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineService) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    const cursor = new FormFields(query).text('cursor') || undefined;
    const request = { state: 'quarantined', page: 1, perPage: MAILS_PER_PAGE, cursor } as const;
    const { items, next } = await this.quarantine.list(actingOf(me), request);
    return { view: <QuarantinePage mails={items} {...pagerLinks(QUARANTINE_PATH, {}, { cursor, next })} /> };
  }

  @Post(':id/release')
  release(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return decide('Email released. The ticket will appear shortly.', () => this.quarantine.release(actingOf(me), id));
  }

  @Post(':id/discard')
  discard(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return decide('Email discarded.', () => this.quarantine.discard(actingOf(me), id));
  }
}

/** Another agent may have decided first. */
const decide = (notice: string, work: () => Promise<unknown>): Promise<PageResponse> =>
  redirectOrExplain(QUARANTINE_PATH, 'mail_not_quarantined', async () => {
    await work();
    return notice;
  });

const REASONS: Readonly<Record<QuarantineReason, string>> = {
  own_mail: 'One of our own emails that came back.',
  agent_address: 'The sender uses the address of an agent, which anyone can forge.',
  agent_without_token:
    'From an agent, but not sent to the reply address of a notification, so it belongs to no ticket.',
  agent_unproven: 'A reply to a notification, but the sender checks did not verify the agent.',
  agent_automatic: 'An automatic reply from an agent, such as an out-of-office message.',
  agent_empty: 'A reply from an agent with no text above the quoted message.',
  agent_ticket_deleted: 'A reply from an agent to a deleted ticket.',
  too_many: 'The sender started many tickets within an hour.',
};

function QuarantinePage({ mails, ...pages }: { mails: readonly Arrival[] } & PagerLinks) {
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
