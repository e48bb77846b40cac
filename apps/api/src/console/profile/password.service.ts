import { PasswordsService, CredentialsService } from '#libs/access';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BrowserSessions } from '../../sign-in/browser-sessions.js';
import { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { submitForm } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ProfileReader } from './profile.reader.js';

/** A new password, for whoever knows the old one: an unlocked screen is not enough. */
@Injectable()
export class ConsolePasswordService {
  constructor(
    private readonly signIns: CredentialsService,
    private readonly passwords: PasswordsService,
    private readonly browserSessions: BrowserSessions,
    private readonly reader: ProfileReader,
  ) {}

  change(me: Me, request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    return submitForm(
      async () => {
        await this.requireCurrent(me, form.text('current'), request.ip);
        await this.passwords.set(me.accountId, me.agentId, form.text('password'));
        // Every session ended with the old password, this one included.
        const { cookies = [] } = await this.browserSessions.signIn(request, {
          accountId: me.accountId,
          id: me.agentId,
        });
        return { redirect: '/profile', cookies, notice: { tone: 'good', text: 'Password changed.' } };
      },
      (refused) => this.reader.page(me, refused),
    );
  }

  /** Counted like signing in: a stolen session must not be a place to guess passwords. */
  private async requireCurrent(me: Me, password: string, address: string): Promise<void> {
    const answer = await this.signIns.authenticate(me.email, password, address);
    if (answer.kind === 'throttled')
      throw new InvalidField('current', 'too_many_attempts', 'Too many attempts. Try again in a few minutes.');
    if (answer.kind === 'refused' || !answer.agents.some(({ id }) => id === me.agentId))
      throw new InvalidField('current', 'wrong_password', 'That is not your current password.');
  }
}
