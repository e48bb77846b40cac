import { AccessModule } from '#libs/access';
import { TicketsModule } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { BrowserSessions } from './browser-sessions.js';
import { AssetsController } from '../ui/assets.controller.js';
import { Cookies } from '../ui/cookies.js';
import { SignedCookies } from '../ui/signed-cookies.js';
import { Invitations } from './invitations.js';
import { PasswordLinks } from './password-links.js';
import { PasswordResetController } from './password-reset.controller.js';
import { KnownBrowsers } from './known-browsers.js';
import { SessionGuard } from './session.guard.js';
import { SignInCodeController } from './sign-in-code.controller.js';
import { SignIns } from './sign-ins.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  imports: [AccessModule, TicketsModule],
  controllers: [AssetsController, SignInController, SignInCodeController, PasswordResetController],
  providers: [
    BrowserSessions,
    Cookies,
    Invitations,
    KnownBrowsers,
    PasswordLinks,
    SessionGuard,
    SignedCookies,
    SignIns,
  ],
  exports: [AccessModule, BrowserSessions, Cookies, Invitations, SessionGuard, SignedCookies, SignIns],
})
export class SignInModule {}
