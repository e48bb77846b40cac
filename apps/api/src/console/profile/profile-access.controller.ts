import { ConsentsService, PersonalTokensService, SessionsService, isScope } from '#libs/access';
import { Database, isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { NO_FORM_ERRORS, submitForm } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ProfileReader } from './profile.reader.js';

@Controller('profile/sessions')
@ConsolePages()
export class ConsoleSessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('close-others')
  async closeOthers(@Me() me: Me): Promise<PageResponse> {
    const count = await this.sessions.closeOthers(me);
    return redirectWithNotice(count === 1 ? 'One other session signed out.' : `${count} other sessions signed out.`);
  }
}

@Controller('profile/applications')
@ConsolePages()
export class ConsoleOwnApplicationsController {
  constructor(private readonly consents: ConsentsService) {}

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const count = isUuid(id)
      ? await this.consents.withdraw(me.accountId, id, { by: me.agentId, grantedBy: me.agentId })
      : 0;
    if (count === 0) throw new NotFound('application');
    return redirectWithNotice('Access revoked. The application’s webhooks are off.');
  }
}

@Controller('profile/tokens')
@ConsolePages()
export class ConsolePersonalTokensController {
  constructor(
    private readonly tokens: PersonalTokensService,
    private readonly database: Database,
    private readonly reader: ProfileReader,
  ) {}

  /** Shown in the answer itself and never again, so there is nothing to redirect to. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    return submitForm(
      async () => {
        const scopes = form.texts('scope').filter(isScope);
        const wanted = { agentId: me.agentId, name: form.text('name'), scopes, days: Number(form.text('days')) };
        const { token } = await this.tokens.create(this.database.account(me.accountId), wanted);
        return this.reader.page(me, NO_FORM_ERRORS, token);
      },
      (refused) => this.reader.page(me, refused),
    );
  }

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.tokens.revoke(me.accountId, id, 'person', me.agentId);
    return redirectWithNotice('Token revoked.');
  }
}

const redirectWithNotice = (text: string): PageResponse => ({ redirect: '/profile', notice: { tone: 'good', text } });
