export { type Change, Changes, type ChangesPage, type FollowOptions } from './changes.js';
export { Deskwire, type DeskwireOptions } from './client.js';
export { DeskwireError, NetworkFailure, type Problem } from './errors.js';
export {
  type Authorization,
  DeskwireOAuth,
  type OAuthOptions,
  OAuthRefused,
  type Tokens,
  type TokenStore,
} from './oauth.js';
export {
  type Cause,
  type EventKind,
  InvalidWebhook,
  type RecordOf,
  verifyWebhook,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookRequest,
} from './verify-webhook.js';
export { fastifyWebhook, fetchWebhook, nodeWebhook, type WebhookHandlerOptions } from './webhook-handlers.js';
export type { components, paths } from './openapi.js';
