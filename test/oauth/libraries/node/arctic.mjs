import { CodeChallengeMethod, OAuth2Client, generateCodeVerifier, generateState } from 'arctic';
import { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, finish, send } from './person.mjs';

const client = new OAuth2Client(CLIENT_ID, CLIENT_SECRET || null, REDIRECT_URI);
const verifier = generateCodeVerifier();
const address = client.createAuthorizationURLWithPKCE(
  `${BASE}/oauth/authorize`,
  generateState(),
  CodeChallengeMethod.S256,
  verifier,
  ['tickets:read'],
);
const code = (await send(address)).searchParams.get('code');
const tokens = await client.validateAuthorizationCode(`${BASE}/oauth/token`, code, verifier);
const refreshed = await client.refreshAccessToken(`${BASE}/oauth/token`, tokens.refreshToken(), []);
await finish([tokens.accessToken(), refreshed.accessToken()], { scopes: refreshed.scopes() });
await client.revokeToken(`${BASE}/oauth/revoke`, refreshed.refreshToken());
