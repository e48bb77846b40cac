import { AccessModule } from '#libs/access';
import { TicketsModule } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { AssetsController } from '../ui/assets.controller.js';
import { CookiesService } from '../ui/cookies.service.js';
import { SignedCookiesService } from '../ui/signed-cookies.service.js';
import { InvitationsService } from './invitations.service.js';
import { PasswordLinksService } from './password-links.service.js';
import { PasswordResetController } from './password-reset.controller.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { SessionGuard } from './session.guard.js';
import { SignInCodeController } from './sign-in-code.controller.js';
import { SignInsService } from './sign-ins.service.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  imports: [AccessModule, TicketsModule],
  controllers: [AssetsController, SignInController, SignInCodeController, PasswordResetController],
  providers: [
    BrowserSessionsService,
    CookiesService,
    InvitationsService,
    KnownBrowsersService,
    PasswordLinksService,
    SessionGuard,
    SignedCookiesService,
    SignInsService,
  ],
  exports: [
    AccessModule,
    BrowserSessionsService,
    CookiesService,
    InvitationsService,
    SessionGuard,
    SignedCookiesService,
    SignInsService,
  ],
})
export class SignInModule {}
