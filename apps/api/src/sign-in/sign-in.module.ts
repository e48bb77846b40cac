import { AccessModule } from '#libs/access';
import { MailModule } from '#libs/mail';
import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';
import { Cookies } from '../pages/cookies.js';
import { LinkMailer } from './link-mailer.js';
import { PasswordResetService } from './password-reset.service.js';
import { SessionGuard } from './session.guard.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [AccessModule, MailModule],
  controllers: [SignInController],
  providers: [BrowserSessions, Cookies, LinkMailer, PasswordResetService, SessionGuard, SignInService],
  exports: [AccessModule, BrowserSessions, Cookies, LinkMailer, SessionGuard],
})
export class SignInModule {}
