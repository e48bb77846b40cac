import { importFolder } from '#libs/database';
import { MailboxesModule } from '#libs/mailboxes';
import { TicketsModule } from '#libs/tickets';
import { BacklogService, TrafficService, WebhooksModule } from '#libs/webhooks';
import { Module, type Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { DiscoveryModule } from '@nestjs/core';
import { EdgeModule } from './edge.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';

const files = await importFolder(
  import.meta.dirname,
  /^(applications|attachments|changes|customers|events|health|live|mailboxes|messages|people|reference|settings|shell|smtp|tickets|webhooks)\/(?!.*\.spec\.).*\.[jt]sx?$/,
);

const classes = new Set(files.flatMap((exported) => Object.values(exported)));

const withMark = (mark: string): Type[] =>
  [...classes].filter((value): value is Type => typeof value === 'function' && Reflect.hasOwnMetadata(mark, value));

export const CONTROLLERS = withMark(CONTROLLER_WATERMARK);

/** Every resource and page: the controllers and injectables in the folders of the nouns. */
@Module({
  imports: [TicketsModule, MailboxesModule, WebhooksModule, DiscoveryModule, EdgeModule, OAuthModule, SignInModule],
  providers: [BacklogService, TrafficService, ...withMark(INJECTABLE_WATERMARK)],
  controllers: CONTROLLERS,
})
export class FeaturesModule {}
