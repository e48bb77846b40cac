import { ConsentsService, PersonalTokensService, SessionsService, TwoFactorService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { OwnSettingsReader } from './own-settings.reader.js';

export type ProfileView = Awaited<ReturnType<ProfileReader['read']>>;

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
    private readonly tokens: PersonalTokensService,
    private readonly twoFactor: TwoFactorService,
    private readonly own: OwnSettingsReader,
  ) {}

  /** A new token is shown once: only a digest of it is stored. */
  async read(me: Me, newToken: string | null = null) {
    const [sessions, applications, tokens, twoFactor, own] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
      this.twoFactor.read(me.accountId, me.agentId),
      this.own.read(me),
    ]);
    const shown = { sessions, applications, tokens, twoFactor, ...own };
    return { ...shown, currentSession: me.sessionId, newToken };
  }
}
