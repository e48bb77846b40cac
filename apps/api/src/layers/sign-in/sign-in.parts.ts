import type { ModuleMetadata } from '@nestjs/common';
import { PasswordLinksService } from './password-links.service.js';
import { PasswordResetController } from './password-reset.controller.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { SessionGuard } from './session.guard.js';
import { SignInCodeController, SignInController } from './sign-in.controller.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { SignInsService } from './sign-ins.service.js';

export const SIGN_IN_PARTS = {
  controllers: [PasswordResetController, SignInCodeController, SignInController],
  providers: [PasswordLinksService, BrowserSessionsService, SessionGuard, KnownBrowsersService, SignInsService],
} satisfies ModuleMetadata;
