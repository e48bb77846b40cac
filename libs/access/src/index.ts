export { AccessModule } from './access.module.js';
export { AgentAccessService } from './agent-access.service.js';
export { DependentWebhooks } from './dependent-webhooks.js';
export { networksOf } from './client-network.js';
export { isScope } from './scopes.js';
export { randomToken } from './secrets.js';
export * from './services.js';
export { clientSecretLimits, linkLimits, personalTokenLimits } from './throttle-limits.js';
export type { TokenResponse } from './token-pair.js';
