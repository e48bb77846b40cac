import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { type IncomingRequest, Strategy } from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let app: TestApplication;
let person: Person;
beforeAll(async () => {
  app = await oauth.application({ redirectUris: ['https://app.example/callback'] });
  person = await oauth.person();
});

/** Follows the application’s redirect in the browser and allows access. */
const allow = (address: string | URL) => person.decide(new URL(address).href.slice(oauth.base.length), 'allow');

describe('openid-client', () => {
  it('discovers the server, and completes code with PKCE, state and iss, refresh, introspection and revocation', async () => {
    const config = await openid.discovery(new URL(oauth.base), app.clientId, app.secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: app.redirectUri,
      scope: 'read write',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const callback = await allow(address);
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBe(7200);

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await oauth.works(refreshed.access_token)).toBe(true);
    expect((await openid.tokenIntrospection(config, refreshed.access_token)).active).toBe(true);

    await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await oauth.works(refreshed.access_token)).toBe(false);
  });
});

describe('oauth4webapi', () => {
  it.each([
    ['the header', oauth4webapi.ClientSecretBasic],
    ['the body', oauth4webapi.ClientSecretPost],
  ])('exchanges and refreshes with client credentials in %s', async (_, authentication) => {
    const insecure = { [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(oauth.base);
    const discovered = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth4webapi.processDiscoveryResponse(issuer, discovered);
    const client = { client_id: app.clientId };
    const callback = await allow(`${oauth.base}${oauth.authorizePath({ state: 'abc' }, app)}`);
    const params = oauth4webapi.validateAuthResponse(server, client, callback, 'abc');
    const answer = await oauth4webapi.authorizationCodeGrantRequest(
      server,
      client,
      authentication(app.secret),
      params,
      app.redirectUri,
      oauth4webapi.nopkce,
      insecure,
    );
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client, answer);
    const refresh = await oauth4webapi.refreshTokenGrantRequest(
      server,
      client,
      authentication(app.secret),
      tokens.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth4webapi.processRefreshTokenResponse(server, client, refresh);

    expect(await oauth.works(refreshed.access_token)).toBe(true);
  });
});

describe('simple-oauth2', () => {
  it.each(['header', 'body'] as const)(
    'exchanges, refreshes and revokes with client credentials in the %s',
    async (authorizationMethod) => {
      const client = new AuthorizationCode({
        client: { id: app.clientId, secret: app.secret },
        auth: {
          tokenHost: oauth.base,
          tokenPath: '/oauth/token',
          authorizePath: '/oauth/authorize',
          revokePath: '/oauth/revoke',
        },
        options: { authorizationMethod, bodyFormat: authorizationMethod === 'body' ? 'json' : 'form' },
      });
      const callback = await allow(client.authorizeURL({ redirect_uri: app.redirectUri, state: 'abc' }));
      const code = callback.searchParams.get('code') ?? '';
      const token = await client.getToken({ code, redirect_uri: app.redirectUri });
      const refreshed = await token.refresh();
      expect(await oauth.works(String(refreshed.token['access_token']))).toBe(true);

      await refreshed.revokeAll();
      expect(await oauth.works(String(refreshed.token['access_token']))).toBe(false);
    },
  );
});

describe('passport-oauth2', () => {
  it('signs a person in to an application that knows only the URLs', async () => {
    const session = {};
    const strategy = () =>
      new Strategy(
        {
          authorizationURL: `${oauth.base}/oauth/authorize`,
          tokenURL: `${oauth.base}/oauth/token`,
          clientID: app.clientId,
          clientSecret: app.secret,
          callbackURL: app.redirectUri,
          state: true,
          pkce: 'S256',
        },
        (accessToken, refreshToken, _profile, done) => done(null, { accessToken, refreshToken }),
      );
    const sent = await outcome(strategy(), { query: {}, session });
    const callback = await allow(sent.redirect ?? '');
    const back = await outcome(strategy(), { query: Object.fromEntries(callback.searchParams), session });

    expect(await oauth.works(back.user?.accessToken ?? '')).toBe(true);
  });
});

interface Outcome {
  readonly redirect?: string;
  readonly user?: { accessToken: string };
}

/** Sets the callbacks that Passport adds to a strategy before it authenticates. */
function outcome(strategy: Strategy, request: IncomingRequest): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    strategy.redirect = (redirect) => resolve({ redirect });
    strategy.success = (user) => resolve({ user });
    strategy.fail = (challenge) => reject(new Error(`refused: ${JSON.stringify(challenge)}`));
    strategy.error = reject;
    strategy.authenticate(request);
  });
}
