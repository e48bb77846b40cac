import { AccessModule } from '#libs/access';
import { MailModule } from '#libs/mail';
import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';
import { PagesModule } from '../pages/pages.module.js';
import { LinkMailer } from './link-mailer.js';
import { PasswordResetService } from './password-reset.service.js';
import { SessionGuard } from './session.guard.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [AccessModule, MailModule, PagesModule],
  controllers: [SignInController],
  providers: [BrowserSessions, LinkMailer, PasswordResetService, SessionGuard, SignInService],
  exports: [AccessModule, BrowserSessions, LinkMailer, PagesModule, SessionGuard],
})
export class SignInModule {}
