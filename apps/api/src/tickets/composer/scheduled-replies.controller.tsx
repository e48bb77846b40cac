import { type HeldReplyOfAgent, ScheduledRepliesService } from '#libs/tickets';
import { Get } from '@nestjs/common';
import { HeldReplies } from '../../messages/index.js';
import { actingOf } from '../../layers/shell/acting.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import type { PageContent } from '../../layers/ui/page-response.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { parseInboxQuery, ticketPath } from '../inbox-query.js';
import { SCHEDULED_PATH } from './scheduled-path.js';

@ConsolePages(SCHEDULED_PATH, 'agents', { group: 'Folders', label: 'Scheduled', icon: 'send' })
export class ScheduledRepliesController {
  constructor(private readonly heldReplies: ScheduledRepliesService) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    return { view: <ScheduledRepliesPage replies={await this.heldReplies.listScheduled(actingOf(me))} /> };
  }
}

const INTRO = 'Replies to send later. A reply becomes a draft if the customer writes first.';

function ScheduledRepliesPage({ replies }: { replies: readonly HeldReplyOfAgent[] }) {
  return (
    <PageLayout title="Scheduled" narrow intro={INTRO}>
      {replies.length === 0 && (
        <EmptyState title="No scheduled replies" text="To send a reply later, open the menu next to Send." />
      )}
      {replies.map((reply) => {
        const { number, title, customer } = reply.ticket;
        return (
          <section class="card stack" aria-label={`Reply to #${number}`} key={reply.id}>
            <h2 dir="auto">
              <a href={ticketPath(number)}>{`#${number} ${title ?? ''}`}</a>
            </h2>
            <p class="quiet small">{`To ${customer}`}</p>
            <HeldReplies number={number} query={parseInboxQuery({})} held={[reply]} />
          </section>
        );
      })}
    </PageLayout>
  );
}
