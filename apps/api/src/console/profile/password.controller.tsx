import { PasswordsService, CredentialsService } from '#libs/access';
import { InvalidField } from '#libs/entities';
import { Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BrowserSessions } from '../../sign-in/browser-sessions.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { submitForm } from '../form-submission.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../pages/page-response.js';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';

/** A new password needs the old one: an unlocked screen is not enough. */
@Controller('profile/password')
@ConsolePages()
export class ConsolePasswordController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly passwords: PasswordsService,
    private readonly browserSessions: BrowserSessions,
    private readonly reader: ProfileReader,
  ) {}

  @Post()
  change(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const again = async (): Promise<PageContent> => ({ view: <ProfilePage view={await this.reader.read(me)} /> });
    return submitForm({ again }, async () => {
      await this.requireCurrent(me, form.text('current'), request.ip);
      await this.passwords.set(me.accountId, me.agentId, form.text('password'));
      // Changing the password ended every session, also this one.
      const { cookies = [] } = await this.browserSessions.signIn(request, { ...me, id: me.agentId });
      return { ...redirectWithNotice('/profile', 'Password changed.'), cookies };
    });
  }

  /**
   * Attempts count as sign-ins do, so that a stolen session cannot be used to guess the password. They count for the
   * session, so that strangers cannot use them up.
   */
  private async requireCurrent(me: Me, password: string, address: string): Promise<void> {
    const answer = await this.credentials.authenticate({
      email: me.email,
      password,
      address,
      knownBrowser: me.sessionId,
    });
    if (answer.kind === 'throttled')
      throw new InvalidField('current', 'too_many_attempts', 'Too many attempts. Try again in a few minutes.');
    if (answer.kind === 'refused' || !answer.agents.some(({ id }) => id === me.agentId))
      throw new InvalidField('current', 'wrong_password', 'That is not your current password.');
  }
}
