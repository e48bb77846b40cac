import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, finish, send } from './person.mjs';

const { origin } = new URL(REDIRECT_URI);
const auth = betterAuth({
  baseURL: origin,
  secret: 'a secret of this test, long enough for the library',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'deskwire',
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          discoveryUrl: `${BASE}/.well-known/openid-configuration`,
          scopes: ['tickets:read'],
          accountSubject: ({ profile }) => profile.sub,
        },
      ],
    }),
  ],
});

const cookies = new Map();
async function call(path, body) {
  const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '), origin };
  const asked = body
    ? { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    : { headers };
  const answer = await auth.handler(new Request(new URL(path, origin), asked));
  for (const line of answer.headers.getSetCookie()) cookies.set(...line.split(';')[0].split(/=(.*)/).slice(0, 2));
  return answer;
}

const { url } = await (await call('/api/auth/sign-in/social', { provider: 'deskwire', callbackURL: '/home' })).json();
const callback = await send(url);
await call(callback.pathname + callback.search);
const session = await (await call('/api/auth/get-session')).json();
const [{ id: accountId }] = await (await call('/api/auth/list-accounts')).json();
const token = async (path) => (await (await call(path, { accountId })).json()).accessToken;
const accessTokens = [await token('/api/auth/get-access-token'), await token('/api/auth/refresh-token')];
await finish(accessTokens, { email: session?.user.email });
