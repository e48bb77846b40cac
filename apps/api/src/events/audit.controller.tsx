import { Clock, Database, isUuid } from '#libs/database';
import { existing } from '#libs/entities';
import { ListsService } from '#libs/lists';
import { Get, Param, Query } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { ticketNumberOf } from '../layers/edge/path-parameter.pipes.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { parsePeriod } from '../layers/ui/parts/filters.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { ACTIVITY_KINDS } from './activity-description.js';
import { AuditPage } from './audit.page.js';
import { auditListing, findEvent, listDeliveries, loadEntries } from './audit.statements.js';
import { EventPage } from './event.page.js';

const ENTRIES_PER_PAGE = 50;

@ConsolePages('settings/events', 'managers', { group: 'Activity', label: 'Events and audit', icon: 'list' })
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lists: ListsService,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const form = new FormFields(query);
    const { since, from } = parsePeriod(form.text('since'), this.clock.now());
    const kind = ACTIVITY_KINDS.find((known) => known === form.text('kind')) ?? null;
    const cursor = form.text('cursor') || undefined;
    const ticket = ticketNumberOf(form.text('ticket')) || null;
    const account = this.database.account(me.accountId);
    const request = { page: 1, perPage: ENTRIES_PER_PAGE, cursor, uncounted: true };
    const { items, next } = await this.lists.page(me, auditListing({ kind, ticket, from }), request, loadEntries);
    const ids = items.map(({ id }) => id);
    const deliveries = ticket === null ? [] : await listDeliveries(account, ids);
    const filters = { kind, since, ticket: ticket === null ? null : `${ticket}` };
    const links = pagerLinks('/settings/events', filters, { cursor, next });
    return { view: <AuditPage view={{ items, deliveries, kind, since, ticket, ...links }} /> };
  }

  @Get(':id')
  async show(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const account = this.database.account(me.accountId);
    const entry = existing(isUuid(id) && (await loadEntries(account, [id]))[0], 'event');
    const [event, deliveries] = await Promise.all([findEvent(account, id), listDeliveries(account, [id])]);
    return { view: <EventPage entry={entry} event={event} deliveries={deliveries} /> };
  }
}
