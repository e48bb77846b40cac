import { AccessModule } from '#libs/access';
import { DeskModule } from '#libs/desk';
import { Mailer } from '#libs/mail';
import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';
import { PagesModule } from '../pages/pages.module.js';
import { Invitations } from './invitations.js';
import { KnownBrowsers } from './known-browsers.js';
import { LinkMailer } from './link-mailer.js';
import { PasswordResetController } from './password-reset.controller.js';
import { SessionGuard } from './session.guard.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  imports: [AccessModule, DeskModule, PagesModule],
  controllers: [SignInController, PasswordResetController],
  providers: [BrowserSessions, Invitations, KnownBrowsers, LinkMailer, Mailer, SessionGuard],
  exports: [AccessModule, BrowserSessions, Invitations, PagesModule, SessionGuard],
})
export class SignInModule {}
