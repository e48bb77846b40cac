// The module provides all of these.
export { AccountsService, type NewAgent } from './accounts.service.js';
export { ApplicationsService } from './applications.service.js';
export { CredentialsService } from './credentials.service.js';
export { ThrottlesService } from './throttles.service.js';
export { ExpiredRecordsService } from './expired-records.service.js';
export { GrantsService } from './grants.service.js';
export { PersonalTokensService } from './personal-tokens.service.js';
export { PasswordsService } from './passwords.service.js';
export { type IssuedLink, SingleUseLinksService } from './single-use-links.service.js';
export { type ChallengeAnswer, SecondFactorsService } from './second-factors.service.js';
export { SessionsService } from './sessions.service.js';
export { type TokenResponse, type TokenResult, TokensService } from './tokens.service.js';
export { TwoFactorService, type TwoFactorState } from './two-factor.service.js';
