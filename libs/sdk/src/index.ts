export { type Change, Changes, type ChangesPage, type FollowOptions } from './changes.js';
export { Deskwire, type DeskwireOptions } from './client.js';
export { DeskwireError, type Problem } from './deskwire-error.js';
export { NetworkFailure } from './network-failure.js';
export {
  type Authorization,
  DeskwireOAuth,
  type OAuthOptions,
  OAuthRefused,
  type Tokens,
  type TokenStore,
} from './oauth.js';
export { InvalidWebhook, verifyWebhook, type VerifyOptions, type WebhookRequest } from './verify-webhook.js';
export type { EventKind, RecordOf, WebhookEvent } from './webhook-event.js';
export { fastifyWebhook, fetchWebhook, nodeWebhook, type WebhookHandlerOptions } from './webhook-handlers.js';
export type { components, paths } from './openapi.js';
