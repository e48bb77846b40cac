import { Clock, isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { ticketNumberOf } from '../edge/ticket-number.pipe.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { parsePeriod } from '../ui/parts/filters.js';
import { AuditPage } from './audit.page.js';
import { AuditReader } from './audit.reader.js';
import { changesBetween } from './payload-changes.js';
import { EventPage } from './event.page.js';
import { pagerLinks } from '../ui/parts/table.js';
import { ACTIVITY_KINDS } from './activity-description.js';

@Controller('settings/events')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Events and audit', icon: 'list' } })
export class AuditController {
  constructor(
    private readonly reader: AuditReader,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const form = new FormFields(query);
    const { since, from } = parsePeriod(form.text('since'), this.clock.now());
    const kind = ACTIVITY_KINDS.find((known) => known === form.text('kind')) ?? null;
    const cursor = isUuid(form.text('cursor')) ? form.text('cursor') : null;
    const ticket = ticketNumberOf(form.text('ticket')) || null;
    // The first page hears of changes at once, so it must not be drawn from before the last one.
    const within = cursor === null ? { accountId: me.accountId } : me;
    const { items, next } = await this.reader.list(within, { kind, ticket, from, cursor });
    const ids = items.map(({ id }) => id);
    const deliveries = ticket === null ? [] : await this.reader.deliveries(me.accountId, ids);
    const links = pagerLinks(
      '/settings/events',
      { kind, since, ticket: ticket === null ? null : `${ticket}` },
      { cursor, next },
    );
    return { view: <AuditPage view={{ items, deliveries, kind, since, ticket, ...links }} /> };
  }

  @Get(':id')
  async show(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const [entry] = isUuid(id) ? await this.reader.load(me.accountId, [id]) : [];
    if (!entry) throw new NotFound('event');
    const [{ before, after }, deliveries] = await Promise.all([
      this.reader.payloads(me.accountId, entry),
      this.reader.deliveries(me.accountId, [id]),
    ]);
    const changes = before && after && entry.kind.startsWith('ticket_') ? changesBetween(before, after) : [];
    return { view: <EventPage entry={entry} changes={changes} payload={after} deliveries={deliveries} /> };
  }
}
