import {
  ConsentsService,
  PersonalTokensService,
  SessionsService,
  ThrottlesService,
  isScope,
  personalTokenLimits,
} from '#libs/access';
import { Transactions } from '#libs/database';
import { Conflict } from '#libs/entities';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { FormFields } from '../../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { submitForm } from '../../shell/form-submission.js';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';

@Controller('profile')
@ConsolePages()
export class AccessController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
  ) {}

  @Post('sessions/close-others')
  async closeOthers(@Me() me: Me): Promise<PageResponse> {
    const count = await this.sessions.closeOthers(me);
    return redirectWithNotice(
      '/profile',
      count === 1 ? 'One other session signed out.' : `${count} other sessions signed out.`,
    );
  }

  @Post('sessions/:id/close')
  async closeOne(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.sessions.closeOne(me, id);
    return redirectWithNotice('/profile', 'Session signed out.');
  }

  @Post('applications/:id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.consents.withdraw(me.accountId, id, { by: me.agentId, grantedBy: me.agentId });
    return redirectWithNotice('/profile', 'Access revoked. The application’s webhooks are disabled.');
  }
}

@Controller('profile/tokens')
@ConsolePages()
export class PersonalTokensController {
  constructor(
    private readonly tokens: PersonalTokensService,
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    private readonly reader: ProfileReader,
  ) {}

  /** No redirect: the token is never shown again. */
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
    throw new Conflict('too_many_attempts', `Too many tokens were created. Try again in ${minutes} min.`);
  }

  private async page(me: Me, newToken?: string): Promise<PageContent> {
    return { view: <ProfilePage view={await this.reader.read(me, newToken)} /> };
  }
}
