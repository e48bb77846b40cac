import { Auth } from '@auth/core';
import { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, finish, send } from './person.mjs';

const { origin } = new URL(REDIRECT_URI);
let account;
const config = {
  secret: 'a secret of this test',
  trustHost: true,
  basePath: '/auth',
  callbacks: {
    jwt: (given) => {
      account ??= given.account;
      return given.token;
    },
  },
  providers: [
    {
      id: 'deskwire',
      name: 'Deskwire',
      type: 'oauth',
      issuer: BASE,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { url: `${BASE}/oauth/authorize`, params: { scope: 'tickets:read' } },
      token: `${BASE}/oauth/token`,
      userinfo: `${BASE}/oauth/userinfo`,
      checks: ['pkce', 'state'],
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
};

const cookies = new Map();
async function call(path, form) {
  const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') };
  const asked = form ? { method: 'POST', body: new URLSearchParams(form), headers } : { headers };
  const answer = await Auth(new Request(new URL(path, origin), asked), config);
  for (const line of answer.headers.getSetCookie()) cookies.set(...line.split(';')[0].split(/=(.*)/).slice(0, 2));
  return answer;
}

const { csrfToken } = await (await call('/auth/csrf')).json();
const sent = await call('/auth/signin/deskwire', { csrfToken });
const callback = await send(sent.headers.get('location'));
await call(callback.pathname + callback.search);
const session = await (await call('/auth/session')).json();
await finish([account.access_token], { email: session?.user.email });
