export { AccessModule } from './access.module.js';
export { PrincipalChanged } from './tokens.service.js';
export { browserLabel } from './browser-label.js';
export { cacheSeconds, isMetadataUrl, parseClientMetadata } from './client-metadata.js';
export { findMetadataClient, saveMetadataClient } from './client-metadata.statements.js';
export { AgentAccessService } from './agent-access.service.js';
export type { ApplicationDetails } from './application-details.js';
export { DependentWebhooks } from './dependent-webhooks.js';
export { passwordQueueCounts } from './password-hashes.js';
export { digest, randomToken } from './secrets.js';
export * from './services.js';
export type { AuthorisedApplication, OAuthClient, PersonalToken } from './grant.statements.js';
export type { LinkRecipient } from './link.statements.js';
export {
  ACCESS_ENDED_CHANNEL,
  type AuthenticatedSession,
  type OpenSession,
  type SigningIn,
} from './session.statements.js';
export type { SignInCandidate } from './sign-in.statements.js';
export type { FoundToken, Principal } from './token.statements.js';
export {
  clientMetadataLimits,
  clientSecretLimits,
  linkLimits,
  newApplicationLimits,
  personalTokenLimits,
} from './throttle-limits.js';
export { LARGER_NETWORK_FACTOR, networksOf } from './networks.js';
export { destinationOf, isRegisteredRedirect, validateRedirectUri } from './redirect-uris.js';
export { SCOPE_TEXTS, permissionsOf, sentenceOf } from './scope-texts.js';
export { otpauthUri } from './totp.js';
export { SEALED_AUTHENTICATORS } from './two-factor.statements.js';
