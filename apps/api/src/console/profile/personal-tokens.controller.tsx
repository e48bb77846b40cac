import { PersonalTokensService, isScope } from '#libs/access';
import { Database } from '#libs/database';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';
import { redirectWithNotice, type PageContent, type PageResponse } from '../../pages/page-response.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { submitForm } from '../form-submission.js';

@Controller('profile/tokens')
@ConsolePages()
export class ConsolePersonalTokensController {
  constructor(
    private readonly tokens: PersonalTokensService,
    private readonly database: Database,
    private readonly reader: ProfileReader,
  ) {}

  /** The token is shown in the response and never again, so there is no page to redirect to. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    return submitForm({ again: () => this.page(me) }, async () => {
      const scopes = form.texts('scope').filter(isScope);
      const wanted = { agentId: me.agentId, name: form.text('name'), scopes, days: Number(form.text('days')) };
      const { token } = await this.tokens.create(this.database.account(me.accountId), wanted);
      return this.page(me, token);
    });
  }

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.tokens.revoke(me.accountId, id, 'person', me.agentId);
    return redirectWithNotice('/profile', 'Token revoked.');
  }

  private async page(me: Me, newToken?: string): Promise<PageContent> {
    return { view: <ProfilePage view={await this.reader.read(me, newToken)} /> };
  }
}
