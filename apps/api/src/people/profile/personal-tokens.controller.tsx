import { PersonalTokensService, ThrottlesService, isScope, personalTokenLimits } from '#libs/access';
import { Transactions } from '#libs/database';
import { Conflict } from '#libs/entities';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';
import { redirectWithNotice, type PageContent, type PageResponse } from '../../ui/page-response.js';
import { FormFields } from '../../ui/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { submitForm } from '../../shell/form-submission.js';

@Controller('profile/tokens')
@ConsolePages()
export class PersonalTokensController {
  constructor(
    private readonly tokens: PersonalTokensService,
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    private readonly reader: ProfileReader,
  ) {}

  /** The token is shown in the response and never again, so there is no page to redirect to. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    return submitForm({ again: () => this.page(me) }, async () => {
      await this.refuseTooMany(me);
      const scopes = form.texts('scope').filter(isScope);
      const wanted = { agentId: me.agentId, name: form.text('name'), scopes, days: Number(form.text('days')) };
      const { token } = await this.transactions.run(me, (tx) => this.tokens.create(tx, wanted));
      return this.page(me, token);
    });
  }

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.tokens.revoke(me.accountId, id, 'person', me.agentId);
    return redirectWithNotice('/profile', 'Token revoked.');
  }

  private async refuseTooMany({ agentId }: Me): Promise<void> {
    const wait = await this.throttles.consume(personalTokenLimits(agentId));
    if (wait === 0) return;
    const minutes = Math.ceil(wait / 60);
    throw new Conflict('too_many_attempts', `You made several tokens just now. Try again in ${minutes} min.`);
  }

  private async page(me: Me, newToken?: string): Promise<PageContent> {
    return { view: <ProfilePage view={await this.reader.read(me, newToken)} /> };
  }
}
