import type { ModuleMetadata } from '@nestjs/common';
import { PageContextInterceptor } from './console-pages.decorator.js';
import { AudienceGuard } from './audience.guard.js';
import { NavigationService } from './navigation.service.js';
import { SubmitOnceInterceptor } from './submit-once.interceptor.js';
import { TabBadgeController } from './tab-badge.controller.js';

export const SHELL_PARTS = {
  controllers: [TabBadgeController],
  providers: [PageContextInterceptor, AudienceGuard, NavigationService, SubmitOnceInterceptor],
} satisfies ModuleMetadata;
