import { ConsentsService, PersonalTokensService, SessionsService, TwoFactorService } from '#libs/access';
import { AgentsService, TimeZonesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../../shell/form-submission.js';

export type ProfileView = Awaited<ReturnType<ProfileReader['read']>>;

@Injectable()
export class OwnSettingsReader {
  constructor(
    private readonly timeZones: TimeZonesService,
    private readonly agents: AgentsService,
  ) {}

  async read(me: Me) {
    const [timeZones, { signature, mailReplies }] = await Promise.all([
      this.timeZones.read(me),
      this.agents.read(actingOf(me), me.agentId),
    ]);
    return { timeZones, signature, mailReplies };
  }
}

@Injectable()
export class ProfileReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
    private readonly tokens: PersonalTokensService,
    private readonly twoFactor: TwoFactorService,
    private readonly own: OwnSettingsReader,
  ) {}

  /** A new token is only available here: the database stores its digest. */
  async read(me: Me, newToken: string | null = null) {
    const [sessions, applications, tokens, twoFactor, own] = await Promise.all([
      this.sessions.list(me.accountId, me.agentId),
      this.consents.list(me.accountId, me.agentId),
      this.tokens.list(me.accountId, me.agentId),
      this.twoFactor.read(me.accountId, me.agentId),
      this.own.read(me),
    ]);
    return { sessions, applications, tokens, twoFactor, ...own, currentSession: me.sessionId, newToken };
  }
}
