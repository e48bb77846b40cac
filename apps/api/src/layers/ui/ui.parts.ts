import { AssetsController } from './assets.js';
import { CookiesService } from './cookies.service.js';
import { SignedCookiesService } from './signed-cookies.service.js';

export const UI = {
  controllers: [AssetsController],
  providers: [CookiesService, SignedCookiesService],
};
