import { ref } from '#libs/payloads';
import { AUTHORIZE_EXAMPLE, oauthAnswer, oauthForm } from './oauth-schemas.js';
import { inQuery, publicOperation } from './operation.js';
import { problemRefs } from './responses.js';

// OAuth routes parse forms by the rules of their RFCs, not by DTOs, so they are described here.

const refused = oauthAnswer('An error of RFC 6749.', 'OAuthError');
const unknownClient = oauthAnswer('An error page: the client or the redirect address is unknown.', 'Page');
const throttled = oauthAnswer(
  'Too many wrong secrets from this address. Retry after the time in `Retry-After`.',
  'OAuthError',
);

const FAILURES = { 400: refused, 401: refused, ...problemRefs(405, 408, 431, 503), 429: throttled };

export const OAUTH_PATHS = {
  '/oauth/authorize': {
    get: publicOperation(['oauth', 'authorizeApplication'], 'Request access from a person, in a browser', {
      parameters: [
        inQuery('client_id', 'Client id of the application.', { required: true }),
        inQuery('response_type', 'Always `code`.', { required: true }),
        inQuery('redirect_uri', 'A registered redirect URI. The port of a loopback may differ.', { required: true }),
        inQuery('state', 'Returned unchanged.'),
        inQuery('scope', 'Scopes, separated by spaces. Default: all scopes of the application.'),
        inQuery('resource', 'What the token is for (RFC 8707): the API, or `/mcp`. Default: the API.'),
        inQuery('prompt', '`none`, or one or more of `login`, `consent` and `select_account`.'),
        inQuery('login_hint', 'Email for the sign-in form.'),
        inQuery('code_challenge', 'PKCE challenge (RFC 7636). Required without a client secret.'),
        inQuery('code_challenge_method', 'Always `S256`.'),
      ],
      responses: {
        303: { description: 'Redirects to the sign-in, or back to the application.' },
        200: oauthAnswer('A page that asks for consent.', 'Page'),
        400: unknownClient,
        403: oauthAnswer('An error page: the application belongs to another account.', 'Page'),
      },
      'x-example-path': `/oauth/authorize?${AUTHORIZE_EXAMPLE.toString()}`,
    }),
    post: publicOperation(['oauth', 'decideConsent'], 'Allow or deny access with the form of the consent page', {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: ref('ConsentDecision') } },
      },
      responses: {
        303: { description: 'Redirects to the application with `code` or `error`, or to the sign-in.' },
        400: unknownClient,
        403: oauthAnswer('An error page: the form is invalid or expired.', 'Page'),
        422: oauthAnswer('The page again: no permission was chosen.', 'Page'),
        default: oauthAnswer('An error page.', 'Page'),
      },
    }),
  },
  '/oauth/token': {
    post: publicOperation(['oauth', 'requestTokens'], 'Exchange a code or a refresh token for tokens', {
      requestBody: oauthForm('TokenRequest'),
      responses: { 200: oauthAnswer('Tokens.', 'Tokens'), ...FAILURES },
    }),
  },
  '/oauth/revoke': {
    post: publicOperation(['oauth', 'revokeToken'], 'Revoke a token (RFC 7009)', {
      requestBody: oauthForm('TokenToJudge'),
      responses: { 200: { description: 'The token is revoked or was unknown.' }, ...FAILURES },
    }),
  },
  '/oauth/introspect': {
    post: publicOperation(['oauth', 'introspectToken'], 'Check a token (RFC 7662)', {
      requestBody: oauthForm('TokenToJudge'),
      responses: { 200: oauthAnswer('The state of the token.', 'Introspection'), ...FAILURES },
    }),
  },
  '/.well-known/oauth-authorization-server': {
    get: publicOperation(['oauth', 'readAuthorizationServer'], 'Read the addresses of the OAuth endpoints (RFC 8414)', {
      responses: { 200: oauthAnswer('Metadata.', 'AuthorizationServer'), ...problemRefs(405, 431) },
    }),
  },
  '/.well-known/oauth-protected-resource': {
    get: publicOperation(['oauth', 'readProtectedResource'], 'Read who issues tokens for the API (RFC 9728)', {
      responses: { 200: oauthAnswer('Metadata.', 'ProtectedResource'), ...problemRefs(405, 431) },
    }),
  },
  '/oauth/userinfo': {
    get: publicOperation(['oauth', 'readUserInfo'], 'Read whose token it is, as OpenID Connect does; also with POST', {
      security: [{ oauth2: [] }, { token: [] }],
      responses: { 200: oauthAnswer('The owner.', 'UserInfo'), ...problemRefs(401, 405, 429, 431, 503) },
    }),
  },
} as const;
