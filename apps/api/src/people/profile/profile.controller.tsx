import {
  PasswordsService,
  GrantsService,
  PersonalTokensService,
  SessionsService,
  ThrottlesService,
  personalTokenLimits,
} from '#libs/access';
import { Clock, Transactions } from '#libs/database';
import { AgentsService, PreferencesService } from '#libs/tickets';
import { Body, Get, Post, Req, Param } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../../layers/ui/cookies.service.js';
import { FormFields, normalizeLineEndings } from '../../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../layers/ui/page-response.js';
import { parsePreferences, writePreferences } from '../../layers/ui/preferences.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { SignInsService } from '../../layers/sign-in/sign-ins.service.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { actingOf } from '../../layers/shell/acting.js';
import { submitForm, validateDto } from '../../layers/shell/form-submission.js';
import { ChangeAgentDto } from '../people.dto.js';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';
import { ReauthenticationService, proofIn } from './reauthentication.service.js';
import { Conflict, isScope } from '#libs/entities';

@ConsolePages('profile')
export class ProfileController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly agents: AgentsService,
    private readonly proof: ReauthenticationService,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsService,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <ProfilePage view={await this.reader.read(me)} /> };
  }

  @Post()
  async rename(@Me() me: Me, @Body() { first_name, last_name }: ChangeAgentDto): Promise<PageResponse> {
    const names = { firstName: first_name ?? undefined, lastName: last_name ?? undefined };
    await this.agents.change(actingOf(me), me.agentId, names);
    return redirectWithNotice('/profile', 'Name saved.');
  }

  @Post('signature')
  sign(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const signature = normalizeLineEndings(new FormFields(body).text('signature'));
    return submitForm({ again: () => this.show(me) }, async () => {
      const dto = await validateDto(ChangeAgentDto, { signature });
      await this.agents.change(actingOf(me), me.agentId, dto.toInput());
      return redirectWithNotice('/profile', 'Signature saved.');
    });
  }

  /** Needs the current password: an unlocked screen is not enough. */
  @Post('password')
  changePassword(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.proof.requirePassword(me, proofIn(request, 'current'));
      const password = new FormFields(request.body).text('password');
      const passwordVersion = await this.passwords.set(me.accountId, me.agentId, password);
      // Changing the password ended every session, including this one.
      const { cookies = [] } = await this.signIns.open(request, { ...me, id: me.agentId, passwordVersion }, undefined);
      return { ...redirectWithNotice('/profile', 'Password changed.'), cookies };
    });
  }
}

const YEAR_MS = 365 * 86_400_000;

@ConsolePages('profile')
export class PreferencesController {
  constructor(
    private readonly preferences: PreferencesService,
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  @Post('preferences')
  setPreferences(@Body() body: Readonly<Record<string, unknown>>): PageResponse {
    // Browsers do not send an unticked box.
    const preferences = parsePreferences({ ...body, shortcuts: body['shortcuts'] ?? 'off' });
    const cookies = [this.cookies.set('preferences', writePreferences(preferences), this.clock.in(YEAR_MS))];
    return { ...redirectWithNotice('/profile', 'Saved.'), cookies };
  }

  @Post('notices')
  async setNotices(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.preferences.setMailAbout(me, new FormFields(body).texts('about'));
    return redirectWithNotice('/profile', 'Saved.');
  }

  @Post('time-zone')
  async setTimeZone(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    await this.preferences.setOwnTimeZone(me, new FormFields(body).text('time_zone'));
    return redirectWithNotice('/profile', 'Saved.');
  }
}

@ConsolePages('profile')
export class AccessController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly consents: GrantsService,
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
    await this.consents.revokeApplication(me.accountId, id, { by: me.agentId, grantedBy: me.agentId });
    return redirectWithNotice('/profile', 'Access revoked. The application’s webhooks are disabled.');
  }
}

@ConsolePages('profile/tokens')
export class PersonalTokensController {
  constructor(
    private readonly tokens: PersonalTokensService,
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    private readonly reader: ProfileReader,
    private readonly proof: ReauthenticationService,
  ) {}

  /** Needs the password or a code, because a token outlives the session. No redirect: the token is never shown again. */
  @Post()
  create(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const scopes = form.texts('scope').filter(isScope);
    const typed = { ...form.pick('name', 'days'), scope: scopes.join(' ') };
    return submitForm({ again: () => this.page(me), typed }, async () => {
      await this.proof.requirePasswordOrCode(me, proofIn(request, 'proof'));
      await this.refuseTooMany(me);
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
