import { Clock, isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACTIVITY_KINDS } from '../inbox/activity-words.js';
import type { PageAnswer } from '../../pages/page.js';
import { ManagersGuard } from '../people/managers.guard.js';
import { periodOf } from '../../pages/parts/periods.js';
import { AuditPage } from './audit.page.js';
import { AuditRows } from './audit.rows.js';
import { changesBetween } from './changes.js';
import { EventPage } from './event.page.js';

@Controller('settings/events')
@UseGuards(ManagersGuard)
@DeskPages()
export class AuditPages {
  constructor(
    private readonly rows: AuditRows,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageAnswer> {
    const form = new Form(query);
    const { since, from } = periodOf(form.text('since'), this.clock.now());
    const kind = ACTIVITY_KINDS.find((known) => known === form.text('kind')) ?? null;
    const cursor = isUuid(form.text('cursor')) ? form.text('cursor') : null;
    const { items, next } = await this.rows.page(me.accountId, { kind, from, cursor });
    const path = (place: string | null): string =>
      `/settings/events?${new URLSearchParams({ ...(kind && { kind }), ...(since && { since }), ...(place && { cursor: place }) })}`;
    const view = { items, kind, since, next: next && path(next), first: cursor && path(null) };
    return { view: <AuditPage view={view} /> };
  }

  @Get(':id')
  async show(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    const audited = isUuid(id) ? await this.rows.one(me.accountId, id) : undefined;
    if (!audited) throw new NotFound('event');
    const [{ before, after }, deliveries] = await Promise.all([
      this.rows.payloads(me.accountId, audited),
      this.rows.deliveries(me.accountId, id),
    ]);
    const changes = before && after && audited.kind.startsWith('ticket_') ? changesBetween(before, after) : [];
    return { view: <EventPage view={{ audited, changes, payload: after, deliveries }} /> };
  }
}
