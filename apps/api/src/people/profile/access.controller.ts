import { ConsentsService, SessionsService } from '#libs/access';
import { isUuid } from '#libs/database';
import { NotFound } from '#libs/entities';
import { Controller, Param, Post } from '@nestjs/common';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';

/** Takes back what others can do with the agent's access: other browsers, and applications. */
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
    if (!isUuid(id) || !(await this.sessions.closeOne(me, id))) throw new NotFound('session');
    return redirectWithNotice('/profile', 'Session signed out.');
  }

  @Post('applications/:id/revoke')
  async revoke(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const count = isUuid(id)
      ? await this.consents.withdraw(me.accountId, id, { by: me.agentId, grantedBy: me.agentId })
      : 0;
    if (count === 0) throw new NotFound('application');
    return redirectWithNotice('/profile', 'Access revoked. The application’s webhooks are disabled.');
  }
}
