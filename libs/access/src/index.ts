export { AccessModule } from './access.module.js';
export { Accounts, type NewAgent } from './accounts.js';
export { Applications, type IssuedApplication, type NewApplication } from './applications.js';
export { type Bearer, Bearers } from './bearers.js';
export { Grants } from './grants.js';
export { Passwords } from './passwords.js';
export { type IssuedPersonalToken, type PersonalToken, PersonalTokens } from './personal-tokens.js';
