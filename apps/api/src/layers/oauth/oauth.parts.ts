import { DocumentFetcher, newDocumentFetcher } from '#libs/guarded-http';
import { SETTINGS_TOKEN } from '#libs/settings';
import { LOGGER } from '#libs/telemetry';
import type { ModuleMetadata } from '@nestjs/common';
import { AuthorizeController } from './authorize.controller.js';
import { BearerGuard } from './bearer.guard.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { ClientMetadataService } from './client-metadata.service.js';
import { DeferredCheckInterceptor } from './deferred-check.interceptor.js';
import { MetadataController } from './metadata.controller.js';
import { TokenController } from './token.controller.js';
import { UserinfoController } from './userinfo.controller.js';

export const OAUTH_PARTS = {
  controllers: [AuthorizeController, MetadataController, TokenController, UserinfoController],
  providers: [
    BearerGuard,
    ClientAuthenticationService,
    ClientMetadataService,
    DeferredCheckInterceptor,
    { provide: DocumentFetcher, inject: [SETTINGS_TOKEN, LOGGER], useFactory: newDocumentFetcher },
  ],
} satisfies ModuleMetadata;
