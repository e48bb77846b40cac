import { ConsentsService } from '#libs/access';
import { isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { ApplicationsPage } from './applications.page.js';
import { ApplicationsReader } from './applications.reader.js';

@Controller('settings/applications')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Applications', icon: 'plug' } })
export class ApplicationsController {
  constructor(
    private readonly reader: ApplicationsReader,
    private readonly consents: ConsentsService,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageResponse> {
    return { view: <ApplicationsPage applications={await this.reader.list(me.accountId)} /> };
  }

  /** With `agent`, only the access that this person granted is revoked. */
  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const grantedBy = new FormFields(body).text('agent') || undefined;
    const known = isUuid(id) && (grantedBy === undefined || isUuid(grantedBy));
    const count = known ? await this.consents.withdraw(me.accountId, id, { by: me.agentId, grantedBy }) : 0;
    if (count === 0) throw new NotFound('application');
    return redirectWithNotice(
      '/settings/applications',
      'Access revoked. The webhooks registered with it are disabled.',
    );
  }
}
