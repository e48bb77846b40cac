import { Consents, PersonalTokens, Sessions, isScope } from '#libs/access';
import { Database, isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACCEPTED, attempt } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { ProfileReader } from './profile.reader.js';

@Controller('profile/sessions')
@DeskPages()
export class SessionsController {
  constructor(private readonly sessions: Sessions) {}

  @Post('close-others')
  async closeOthers(@Me() me: Me): Promise<PageAnswer> {
    const count = await this.sessions.closeOthers(me);
    return done(count === 1 ? 'One other session signed out.' : `${count} other sessions signed out.`);
  }
}

@Controller('profile/applications')
@DeskPages()
export class OwnApplicationsController {
  constructor(private readonly consents: Consents) {}

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    const count = isUuid(id) ? await this.consents.withdraw(me.accountId, id, { by: me.agentId, of: me.agentId }) : 0;
    if (count === 0) throw new NotFound('application');
    return done('Access revoked. The application’s webhooks are off.');
  }
}

@Controller('profile/tokens')
@DeskPages()
export class TokensController {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly database: Database,
    private readonly reader: ProfileReader,
  ) {}

  /** Shown in the answer itself and never again, so there is nothing to redirect to. */
  @Post()
  make(@Me() me: Me, @Body() body: unknown): Promise<PageAnswer> {
    const form = new Form(body);
    return attempt(
      async () => {
        const scopes = form.texts('scope').filter(isScope);
        const wanted = { agentId: me.agentId, name: form.text('name'), scopes, days: Number(form.text('days')) };
        const { token } = await this.tokens.create(this.database.account(me.accountId), wanted);
        return this.reader.page(me, ACCEPTED, token);
      },
      (refused) => this.reader.page(me, refused),
    );
  }

  @Post(':id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    await this.tokens.revoke(me.accountId, id, 'person', me.agentId);
    return done('Token revoked.');
  }
}

const done = (text: string): PageAnswer => ({ redirect: '/profile', notice: { tone: 'good', text } });
