import { Consents } from '#libs/access';
import { isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import type { PageAnswer } from '../../pages/page.js';
import { ManagersGuard } from '../people/managers.guard.js';
import { ApplicationsPage } from './applications.page.js';
import { ApplicationsReader } from './applications.reader.js';

@Controller('settings/applications')
@UseGuards(ManagersGuard)
@DeskPages()
export class ApplicationsPages {
  constructor(
    private readonly reader: ApplicationsReader,
    private readonly consents: Consents,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageAnswer> {
    return { view: <ApplicationsPage applications={await this.reader.of(me.accountId)} /> };
  }

  /** With `agent`, only the access that this one person gave. */
  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageAnswer> {
    const of = new Form(body).text('agent') || undefined;
    const known = isUuid(id) && (of === undefined || isUuid(of));
    const count = known ? await this.consents.withdraw(me.accountId, id, { by: me.agentId, of }) : 0;
    if (count === 0) throw new NotFound('application');
    const text = 'Access revoked. The webhooks registered with it are disabled.';
    return { redirect: '/settings/applications', notice: { tone: 'good', text } };
  }
}
