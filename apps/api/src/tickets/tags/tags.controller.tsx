import { Database } from '#libs/database';
import { Get } from '@nestjs/common';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import type { PageContent } from '../../layers/ui/page-response.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { COUNTED_TICKETS, TAG_COUNTS } from '../inbox/ticket-choices.statements.js';
import { everywhereTagged, inboxPath } from '../inbox-query.js';

@ConsolePages('/settings/tags', 'managers', { group: 'Team', label: 'Tags', icon: 'tag' })
export class TagsController {
  constructor(private readonly database: Database) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <TagsPage tags={await this.database.account(me.accountId).rows<CountedTag>(TAG_COUNTS)} /> };
  }
}

type CountedTag = Readonly<{ name: string; count: number }>;

const INTRO = `Counts cover the ${COUNTED_TICKETS.toLocaleString('en')} tickets that changed last. Renaming covers all tickets, also closed ones.`;

const TagsPage = ({ tags }: { tags: readonly CountedTag[] }) => (
  <PageLayout title="Tags" narrow intro={INTRO}>
    {tags.length === 0 && <EmptyState title="No tags yet" text="Add tags to tickets to find them again." />}
    <ul class="stack" aria-label="Tags">
      {tags.map(({ name, count }) => (
        <li class="row apart nowrap" key={name}>
          <a class="break" dir="auto" href={inboxPath(everywhereTagged(name))}>
            {name}
          </a>
          <span class="row nowrap">
            <span class="count">{count.toLocaleString('en')}</span>
            <a
              class="button slim"
              href={`/tickets/bulk?rename=${encodeURIComponent(name)}`}
              aria-label={`Rename ${name}`}
            >
              Rename
            </a>
          </span>
        </li>
      ))}
    </ul>
  </PageLayout>
);
