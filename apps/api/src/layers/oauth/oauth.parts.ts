import type { ModuleMetadata } from '@nestjs/common';
import { AuthorizeController } from './authorize.controller.js';
import { BearerGuard } from './bearer.guard.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { DeferredCheckInterceptor } from './deferred-check.interceptor.js';
import { MetadataController } from './metadata.controller.js';
import { TokenController } from './token.controller.js';

export const OAUTH_PARTS = {
  controllers: [AuthorizeController, MetadataController, TokenController],
  providers: [BearerGuard, ClientAuthenticationService, DeferredCheckInterceptor],
} satisfies ModuleMetadata;
