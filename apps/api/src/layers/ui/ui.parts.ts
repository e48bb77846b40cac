import type { ModuleMetadata } from '@nestjs/common';
import { AssetsController } from './assets.js';
import { CookiesService } from './cookies.service.js';
import { SignedCookiesService } from './signed-cookies.service.js';

export const UI_PARTS = {
  controllers: [AssetsController],
  providers: [CookiesService, SignedCookiesService],
} satisfies ModuleMetadata;
