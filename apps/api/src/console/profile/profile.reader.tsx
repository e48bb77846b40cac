import { ConsentsService, PersonalTokensService, SessionsService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import type { FormErrors } from '../form-submission.js';
import type { PageContent } from '../../pages/page-response.js';
import { ProfilePage } from './profile.page.js';

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
    private readonly tokens: PersonalTokensService,
  ) {}

  async page(me: Me, refused: FormErrors, newToken: string | null = null): Promise<PageContent> {
    const [sessions, applications, tokens] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
    ]);
    const view = { sessions, applications, tokens, currentSession: me.sessionId, newToken, ...refused };
    return { view: <ProfilePage view={view} /> };
  }
}
