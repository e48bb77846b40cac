import { PasswordsService } from '#libs/access';
import { Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FormFields } from '../../ui/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { submitForm } from '../../shell/form-submission.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { SignInsService } from '../../sign-in/sign-ins.service.js';
import { ReauthenticationService } from './reauthentication.service.js';
import { ProfilePage } from './profile.page.js';
import { ProfileReader } from './profile.reader.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';

/** A new password needs the old one: an unlocked screen is not enough. */
@Controller('profile/password')
@ConsolePages()
export class PasswordController {
  constructor(
    private readonly proof: ReauthenticationService,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsService,
    private readonly reader: ProfileReader,
  ) {}

  @Post()
  change(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const again = async (): Promise<PageContent> => ({ view: <ProfilePage view={await this.reader.read(me)} /> });
    return submitForm({ again }, async () => {
      const typed = form.text('current');
      await this.proof.requirePassword(me, { field: 'current', typed, address: request.ip });
      const passwordVersion = await this.passwords.set(me.accountId, me.agentId, form.text('password'));
      // Changing the password ended every session, also this one.
      const { cookies = [] } = await this.signIns.open(request, { ...me, id: me.agentId, passwordVersion }, undefined);
      return { ...redirectWithNotice('/profile', 'Password changed.'), cookies };
    });
  }
}
