import { Passwords, SignIns } from '#libs/access';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Browsers } from '../../sign-in/browsers.js';
import { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { attempt } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { ProfileReader } from './profile.reader.js';

/** A new password, for whoever knows the old one: an unlocked screen is not enough. */
@Injectable()
export class OwnPasswordFlow {
  constructor(
    private readonly signIns: SignIns,
    private readonly passwords: Passwords,
    private readonly browsers: Browsers,
    private readonly reader: ProfileReader,
  ) {}

  change(me: Me, request: FastifyRequest): Promise<PageAnswer> {
    const form = new Form(request.body);
    return attempt(
      async () => {
        await this.requireCurrent(me, form.text('current'), request.ip);
        await this.passwords.set(me.accountId, me.agentId, form.text('password'));
        // Every session ended with the old password, this one included.
        const { cookies = [] } = await this.browsers.signIn(request, { accountId: me.accountId, id: me.agentId });
        return { redirect: '/profile', cookies, notice: { tone: 'good', text: 'Password changed.' } };
      },
      (refused) => this.reader.page(me, refused),
    );
  }

  /** Counted like signing in: a stolen session must not be a place to guess passwords. */
  private async requireCurrent(me: Me, password: string, address: string): Promise<void> {
    const answer = await this.signIns.tryPassword(me.email, password, address);
    if (answer.kind === 'throttled')
      throw new InvalidField('current', 'too_many_attempts', 'Too many attempts. Try again in a few minutes.');
    if (answer.kind === 'refused' || !answer.agents.some(({ id }) => id === me.agentId))
      throw new InvalidField('current', 'wrong_password', 'That is not your current password.');
  }
}
