import { AccessModule } from '#libs/access';
import { MailModule } from '#libs/mail';
import { Module } from '@nestjs/common';
import { Browsers } from './browsers.js';
import { Cookies } from '../pages/cookies.js';
import { LinkMail } from './link-mail.js';
import { PasswordFlow } from './password.flow.js';
import { SessionGuard } from './session.guard.js';
import { SignInController } from './sign-in.controller.js';
import { SignInFlow } from './sign-in.flow.js';

@Module({
  imports: [AccessModule, MailModule],
  controllers: [SignInController],
  providers: [Browsers, Cookies, LinkMail, PasswordFlow, SessionGuard, SignInFlow],
  exports: [AccessModule, Browsers, Cookies, LinkMail, SessionGuard],
})
export class SignInModule {}
