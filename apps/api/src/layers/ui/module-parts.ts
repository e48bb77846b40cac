import { AssetsController } from './assets.js';
import { CookiesService, SignedCookiesService } from './cookies.service.js';

export const UI = {
  controllers: [AssetsController],
  providers: [CookiesService, SignedCookiesService],
};
