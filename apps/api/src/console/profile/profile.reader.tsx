import { Consents, PersonalTokens, Sessions } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import type { Refused } from '../forms.js';
import type { View } from '../../pages/page.js';
import { ProfilePage } from './profile.page.js';

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: Sessions,
    private readonly consents: Consents,
    private readonly tokens: PersonalTokens,
  ) {}

  async page(me: Me, refused: Refused, issued: string | null = null): Promise<View> {
    const [sessions, applications, tokens] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
    ]);
    const view = { sessions, applications, tokens, currentSession: me.sessionId, issued, ...refused };
    return { view: <ProfilePage view={view} /> };
  }
}
