// What the apps do with access: the module provides each of these, and the front door lists it.
export { AccountsService, type NewAgent } from './accounts.service.js';
export { ApplicationsService } from './applications.service.js';
export { BearerTokensService, type Principal } from './bearer-tokens.service.js';
export { ClientsService, type OAuthClient } from './clients.service.js';
export { type AuthorisedApplication, ConsentsService } from './consents.service.js';
export { CredentialsService, type SignInCandidate } from './credentials.service.js';
export { ExpiredRecordsService } from './expired-records.service.js';
export { GrantsService } from './grants.service.js';
export { PasswordsService } from './passwords.service.js';
export { PendingSignInsService } from './pending-sign-ins.service.js';
export { type PersonalToken, PersonalTokensService } from './personal-tokens.service.js';
export { type AuthenticatedSession, type BrowserInfo, type OpenSession, SessionsService } from './sessions.service.js';
export { type IssuedLink, type LinkRecipient, SingleUseLinksService } from './single-use-links.service.js';
export { ThrottlesService } from './throttles.service.js';
export { type FoundToken, type TokenResult, TokensService } from './tokens.service.js';
