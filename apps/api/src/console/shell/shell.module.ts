import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdempotencyService } from '../../http/idempotency.service.js';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { Topics } from '../live/topics.js';
import { Navigation } from './navigation.js';

/** What every controller of the console needs. */
@Module({
  imports: [DiscoveryModule, SignInModule],
  providers: [Navigation, IdempotencyService, Topics],
  exports: [Navigation, IdempotencyService, SignInModule, Topics],
})
export class ShellModule {}
