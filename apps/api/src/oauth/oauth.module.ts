import { AccessModule } from '#libs/access';
import { Module } from '@nestjs/common';
import { BearerGuard } from './bearer.guard.js';

@Module({
  imports: [AccessModule],
  providers: [BearerGuard],
  exports: [AccessModule, BearerGuard],
})
export class OAuthModule {}
