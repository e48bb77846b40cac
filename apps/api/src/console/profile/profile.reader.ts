import { ConsentsService, PersonalTokensService, SessionsService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import type { FormErrors } from '../form-submission.js';
import type { ProfileView } from './profile-view.js';

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
    private readonly tokens: PersonalTokensService,
  ) {}

  async read(me: Me, refused: FormErrors, newToken: string | null = null): Promise<ProfileView> {
    const [sessions, applications, tokens] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
    ]);
    return { sessions, applications, tokens, currentSession: me.sessionId, newToken, ...refused };
  }
}
