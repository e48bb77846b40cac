import { QuarantineService } from '#libs/mailboxes';
import { Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { FormFields } from '../layers/ui/form-fields.js';
import type { PageContent, PageResponse } from '../layers/ui/page-response.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { redirectOrExplain } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { QUARANTINE_PATH } from './quarantine-path.js';
import { QuarantinePage } from './quarantine.page.js';

const MAILS_PER_PAGE = 25;

const IdParam = () => Param('id', new IdentifierPipe('arrival'));

@ConsolePages(QUARANTINE_PATH, 'agents', { group: 'Folders', label: 'Quarantine', icon: 'shield' })
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
