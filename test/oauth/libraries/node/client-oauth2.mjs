import ClientOAuth2 from 'client-oauth2';
import { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, finish, send } from './person.mjs';

const client = new ClientOAuth2({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  accessTokenUri: `${BASE}/oauth/token`,
  authorizationUri: `${BASE}/oauth/authorize`,
  redirectUri: REDIRECT_URI,
  scopes: ['tickets:read'],
  state: 'abc',
});
const tokens = await client.code.getToken((await send(client.code.getUri())).href);
const refreshed = await tokens.refresh();
await finish([tokens.accessToken, refreshed.accessToken]);
