import { AccessModule } from '#libs/access';
import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AuthorizeController } from './authorize.controller.js';
import { BearerGuard } from './bearer.guard.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { MetadataController } from './metadata.controller.js';
import { TokenController } from './token.controller.js';

@Module({
  imports: [AccessModule, SignInModule],
  controllers: [AuthorizeController, MetadataController, TokenController],
  providers: [BearerGuard, ClientAuthenticationService],
  exports: [AccessModule, BearerGuard],
})
export class OAuthModule {}
