import { type HeldReplyOfAgent, ScheduledRepliesService } from '#libs/tickets';
import { Get } from '@nestjs/common';
import { HeldReplies } from '../../messages/index.js';
import { actingOf } from '../../layers/shell/acting.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import type { PageContent } from '../../layers/ui/page-response.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { SCHEDULED_PATH } from './scheduled-path.js';

@ConsolePages(SCHEDULED_PATH, 'agents', { group: 'Folders', label: 'Scheduled', icon: 'send' })
export class ScheduledRepliesController {
  constructor(private readonly heldReplies: ScheduledRepliesService) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    return { view: <ScheduledRepliesPage replies={await this.heldReplies.list(actingOf(me))} /> };
  }
}

const INTRO = 'Replies to send later. A reply becomes a draft if the customer writes first.';

const ScheduledRepliesPage = ({ replies }: { replies: readonly HeldReplyOfAgent[] }) => (
  <PageLayout title="Scheduled" narrow intro={INTRO}>
    {replies.length === 0 && (
      <EmptyState title="No scheduled replies" text="To send a reply later, open the menu next to Send." />
    )}
    <HeldReplies held={replies} />
  </PageLayout>
);
