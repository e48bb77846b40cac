import { GrantsService, PersonalTokensService, SessionsService, TwoFactorService } from '#libs/access';
import { PreferencesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../layers/sign-in/me.decorator.js';

export type ProfileView = Awaited<ReturnType<ProfileReader['read']>>;

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: GrantsService,
    private readonly tokens: PersonalTokensService,
    private readonly twoFactor: TwoFactorService,
    private readonly preferences: PreferencesService,
  ) {}

  /** A new token is only available here: the database stores its digest. */
  async read(me: Me, newToken: string | null = null) {
    const [sessions, applications, tokens, twoFactor, preferences] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
      this.twoFactor.read(me.accountId, me.agentId),
      this.preferences.read(me),
    ]);
    return { sessions, applications, tokens, twoFactor, ...preferences, currentSession: me.sessionId, newToken };
  }
}
