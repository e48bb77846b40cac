import { GrantsService } from '#libs/access';
import { Database } from '#libs/database';
import { Body, Get, Param, Post } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { type ApplicationAccess, ApplicationsPage } from './applications.page.js';
import { type ApplicationWebhook, LIST_APPLICATION_WEBHOOKS } from './applications.statements.js';

@ConsolePages('settings/applications', 'managers', { group: 'Integrations', label: 'Applications', icon: 'plug' })
export class ApplicationsController {
  constructor(
    private readonly consents: GrantsService,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageResponse> {
    return { view: <ApplicationsPage applications={await this.applications(me.accountId)} /> };
  }

  /** With `agent`, only the access that this person granted is revoked. */
  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const grantedBy = new FormFields(body).text('agent') || null;
    await this.consents.revokeApplication(me.accountId, id, { by: me.agentId, grantedBy });
    return redirectWithNotice(
      '/settings/applications',
      'Access revoked. The webhooks registered with it are disabled.',
    );
  }

  private async applications(accountId: string): Promise<ApplicationAccess[]> {
    const [grants, webhooks] = await Promise.all([
      this.consents.list(accountId),
      this.database.account(accountId).rows<ApplicationWebhook>(LIST_APPLICATION_WEBHOOKS),
    ]);
    const makers = new Map(grants.map((grant) => [grant.applicationId, grant]));
    return [...makers].map(([id, maker]) => {
      const own = grants.filter(({ applicationId }) => applicationId === id);
      const registered = webhooks.filter(({ applicationId }) => applicationId === id);
      return { id, name: maker.name, maker, grants: own, webhooks: registered };
    });
  }
}
