import { AccessModule } from '#libs/access';
import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';
import { PagesModule } from '../pages/pages.module.js';
import { Invitations } from './invitations.js';
import { PasswordLinks } from './password-links.js';
import { PasswordResetController } from './password-reset.controller.js';
import { KnownBrowsers } from './known-browsers.js';
import { SessionGuard } from './session.guard.js';
import { SignInCodeController } from './sign-in-code.controller.js';
import { SignIns } from './sign-ins.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  imports: [AccessModule, DeskModule, PagesModule],
  controllers: [SignInController, SignInCodeController, PasswordResetController],
  providers: [BrowserSessions, Invitations, KnownBrowsers, PasswordLinks, SessionGuard, SignIns],
  exports: [AccessModule, BrowserSessions, Invitations, PagesModule, SessionGuard, SignIns],
})
export class SignInModule {}
