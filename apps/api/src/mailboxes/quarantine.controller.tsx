import { DomainError } from '#libs/entities';
import { QuarantineService } from '#libs/mailboxes';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { pagerLinks } from '../ui/parts/table.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { QUARANTINE_PATH } from '../shell/navigation.js';
import { QuarantinePage } from './quarantine.page.js';

const MAILS_PER_PAGE = 25;

const IdParam = () => Param('id', new IdentifierPipe('arrival'));

@Controller(QUARANTINE_PATH)
@ConsolePages({ navigation: { group: 'People', label: 'Quarantine', icon: 'mail' } })
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineService) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    const cursor = new FormFields(query).text('cursor') || undefined;
    const request = { state: 'held', page: 1, perPage: MAILS_PER_PAGE, cursor } as const;
    const { items, next } = await this.quarantine.list(actingOf(me), request);
    return { view: <QuarantinePage mails={items} {...pagerLinks(QUARANTINE_PATH, {}, { cursor, next })} /> };
  }

  @Post(':id/release')
  release(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return decide('Mail released. The ticket will appear shortly.', () => this.quarantine.release(actingOf(me), id));
  }

  @Post(':id/discard')
  discard(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return decide('Mail discarded.', () => this.quarantine.discard(actingOf(me), id));
  }
}

/** Another agent may have decided first. */
async function decide(notice: string, work: () => Promise<unknown>): Promise<PageResponse> {
  try {
    await work();
    return redirectWithNotice(QUARANTINE_PATH, notice);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'mail_not_held')
      return redirectWithNotice(QUARANTINE_PATH, error.message, 'bad');
    throw error;
  }
}
