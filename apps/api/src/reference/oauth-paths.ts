import { ref } from '#libs/payloads';
import { AUTHORIZE_EXAMPLE, oauthAnswer, oauthForm } from './oauth-schemas.js';
import { parameter } from './operation.js';
import { problemRefs } from './responses.js';

// OAuth routes parse forms by the rules of their RFCs, not by DTOs, so they are described here.

const refused = oauthAnswer('Refused, in the words of RFC 6749.', 'OAuthError');
const unknownClient = oauthAnswer('A page: client or redirect address are unknown.', 'Page');
const throttled = oauthAnswer(
  'Too many wrong secrets from this address; Retry-After says when to come back.',
  'OAuthError',
);

const query = (name: string, description: string, required = false) =>
  parameter({ name, in: 'query', required, description });

const open = <Operation extends object>(operationId: string, summary: string, operation: Operation) => ({
  operationId,
  summary,
  tags: ['oauth'],
  security: [],
  ...operation,
});

const FAILURES = { 400: refused, 401: refused, ...problemRefs(405, 408, 431, 503), 429: throttled };

export const OAUTH_PATHS = {
  '/oauth/authorize': {
    get: open('oauth-authorize', 'Ask a person for access, in a browser', {
      parameters: [
        query('client_id', 'Of the application.', true),
        query('response_type', 'Always `code`.', true),
        query('redirect_uri', 'One that is registered, character for character.', true),
        query('state', 'Comes back as it was sent.'),
        query('scope', 'Names separated by spaces; all that the application may have, unless said.'),
        query('code_challenge', 'RFC 7636.'),
        query('code_challenge_method', 'Always `S256`.'),
      ],
      responses: {
        303: { description: 'On to signing in, or back to the application.' },
        200: oauthAnswer('A page that asks for consent.', 'Page'),
        400: unknownClient,
      },
      'x-example-path': `/oauth/authorize?${AUTHORIZE_EXAMPLE.toString()}`,
    }),
    post: open('oauth-decide', 'Allow or deny, by the form of that page', {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: ref('ConsentDecision') } },
      },
      responses: {
        303: { description: 'Back to the application, with `code` or `error`; or on to signing in.' },
        400: unknownClient,
        403: oauthAnswer('A page: the form was not one of ours, or is too old.', 'Page'),
        default: oauthAnswer('A page that says what went wrong.', 'Page'),
      },
    }),
  },
  '/oauth/token': {
    post: open('oauth-token', 'Exchange a code or a refresh token for tokens', {
      requestBody: oauthForm('TokenRequest'),
      responses: { 200: oauthAnswer('Tokens.', 'Tokens'), ...FAILURES },
    }),
  },
  '/oauth/revoke': {
    post: open('oauth-revoke', 'Revoke a token and all that was issued with it (RFC 7009)', {
      requestBody: oauthForm('TokenToJudge'),
      responses: { 200: { description: 'Revoked, or never known.' }, ...FAILURES },
    }),
  },
  '/oauth/introspect': {
    post: open('oauth-introspect', 'Ask what a token is worth (RFC 7662)', {
      requestBody: oauthForm('TokenToJudge'),
      responses: { 200: oauthAnswer('What it is worth.', 'Introspection'), ...FAILURES },
    }),
  },
  '/.well-known/oauth-authorization-server': {
    get: open('oauth-metadata', 'Read where OAuth’s addresses are (RFC 8414)', {
      responses: { 200: oauthAnswer('Metadata.', 'AuthorizationServer'), ...problemRefs(405, 431) },
    }),
  },
} as const;
