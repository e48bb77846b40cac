import { OAuth2Client, generateCodeVerifier } from '@badgateway/oauth2-client';
import { BASE, CLIENT_ID, REDIRECT_URI, finish, send } from './person.mjs';

const client = new OAuth2Client({ server: BASE, clientId: CLIENT_ID });
const wanted = { redirectUri: REDIRECT_URI, state: 'abc', codeVerifier: await generateCodeVerifier(), resource: BASE };
const address = await client.authorizationCode.getAuthorizeUri({ ...wanted, scope: ['tickets:read'] });
const tokens = await client.authorizationCode.getTokenFromCodeRedirect(await send(address), wanted);
const refreshed = await client.refreshToken(tokens, { resource: [BASE] });
await finish([tokens.accessToken, refreshed.accessToken]);
await client.revoke(refreshed, 'refresh_token');
