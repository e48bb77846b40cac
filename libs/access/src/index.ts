export { AccessModule } from './access.module.js';
export { PrincipalChanged } from './tokens.service.js';
export { browserLabel } from './browser-label.js';
export { AgentAccessService } from './agent-access.service.js';
export { DependentWebhooks } from './grants.service.js';
export { passwordQueueCounts } from './passwords.service.js';
export { digest, randomToken } from './secrets.js';
export * from './services.js';
export { ACCESS_ENDED_CHANNEL } from './session.statements.js';
export {
  LARGER_NETWORK_FACTOR,
  clientSecretLimits,
  linkLimits,
  networksOf,
  personalTokenLimits,
} from './credentials.service.js';
export { otpauthUri } from './totp.js';
export { SEALED_AUTHENTICATORS } from './two-factor.statements.js';
export { isScope } from './validation.js';
