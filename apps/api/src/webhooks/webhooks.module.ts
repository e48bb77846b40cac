import { WebhooksModule as WebhooksLibrary } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { OAuthModule } from '../oauth/oauth.module.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({ imports: [WebhooksLibrary, OAuthModule], controllers: [WebhooksController] })
export class WebhooksModule {}
