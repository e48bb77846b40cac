// The module provides all of these.
export { AccountsService, type NewAgent } from './accounts.service.js';
export { ApplicationsService, type OAuthClient } from './applications.service.js';
export { CredentialsService, type SignInCandidate } from './credentials.service.js';
export { ThrottlesService } from './throttles.service.js';
export { ExpiredRecordsService } from './expired-records.service.js';
export { type AuthorisedApplication, GrantsService } from './grants.service.js';
export { type PersonalToken, PersonalTokensService } from './personal-tokens.service.js';
export { PasswordsService, type SigningIn } from './passwords.service.js';
export { type IssuedLink, type LinkRecipient, SingleUseLinksService } from './single-use-links.service.js';
export { type ChallengeAnswer, SecondFactorsService } from './second-factors.service.js';
export { type AuthenticatedSession, type OpenSession, SessionsService } from './sessions.service.js';
export {
  type FoundToken,
  type Principal,
  type TokenResponse,
  type TokenResult,
  TokensService,
} from './tokens.service.js';
export { TwoFactorService, type TwoFactorState } from './two-factor.service.js';
