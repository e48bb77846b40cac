import { ref } from '#libs/payloads';
import { oauthAnswer } from './oauth-schemas.js';
import { parameter } from './operation.js';
import { problemRefs } from './responses.js';

// OAuth routes parse forms by the rules of their RFCs, not by DTOs, so they are described here.

const oauthErrorResponse = oauthAnswer('Refused, in the words of RFC 6749.', 'OAuthError');

const throttledResponse = {
  ...oauthErrorResponse,
  description: 'Too many wrong secrets from this address; Retry-After says when to come back.',
};

const CLIENT_EXAMPLE = { client_id: 'ticket-mirror', client_secret: 'YOUR_CLIENT_SECRET' };
const REDIRECT_URI = 'https://mirror.example/callback';

const EXAMPLES = {
  TokenRequest: {
    ...CLIENT_EXAMPLE,
    grant_type: 'authorization_code',
    code: 'THE_CODE',
    redirect_uri: REDIRECT_URI,
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  },
  TokenToJudge: { ...CLIENT_EXAMPLE, token: 'THE_TOKEN' },
};

/** The challenge for the verifier above, from RFC 7636, appendix B. */
const AUTHORIZE_EXAMPLE = new URLSearchParams({
  response_type: 'code',
  client_id: CLIENT_EXAMPLE.client_id,
  redirect_uri: REDIRECT_URI,
  scope: 'read webhooks',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

const form = (name: keyof typeof EXAMPLES) => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': { schema: ref(name) },
    'application/json': { schema: ref(name), example: EXAMPLES[name] },
  },
});

const query = (name: string, required: boolean, description: string) =>
  parameter({ name, in: 'query', required, description });

const post = (operationId: string, summary: string, body: keyof typeof EXAMPLES, answer: object) => ({
  post: {
    operationId,
    summary,
    tags: ['oauth'],
    security: [],
    requestBody: form(body),
    responses: {
      200: answer,
      400: oauthErrorResponse,
      401: oauthErrorResponse,
      ...problemRefs(405, 408, 431, 503),
      429: throttledResponse,
    },
  },
});

export const OAUTH_PATHS = {
  '/oauth/authorize': {
    get: {
      operationId: 'oauth-authorize',
      summary: 'Ask a person for access, in a browser',
      tags: ['oauth'],
      security: [],
      parameters: [
        query('client_id', true, 'Of the application.'),
        query('response_type', true, 'Always `code`.'),
        query('redirect_uri', true, 'One that is registered, character for character.'),
        query('state', false, 'Comes back as it was sent.'),
        query('scope', false, 'Names separated by spaces; all that the application may have, unless said.'),
        query('code_challenge', false, 'RFC 7636.'),
        query('code_challenge_method', false, 'Always `S256`.'),
      ],
      responses: {
        303: { description: 'On to signing in, or back to the application.' },
        200: oauthAnswer('A page that asks for consent.', 'Page'),
        400: oauthAnswer('A page: client or redirect address are unknown.', 'Page'),
      },
      'x-example-path': `/oauth/authorize?${AUTHORIZE_EXAMPLE.toString()}`,
    },
    post: {
      operationId: 'oauth-decide',
      summary: 'Allow or deny, by the form of that page',
      tags: ['oauth'],
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: ref('ConsentDecision'),
          },
        },
      },
      responses: {
        303: { description: 'Back to the application, with `code` or `error`; or on to signing in.' },
        400: oauthAnswer('A page: client or redirect address are unknown.', 'Page'),
        403: oauthAnswer('A page: the form was not one of ours, or is too old.', 'Page'),
        default: oauthAnswer('A page that says what went wrong.', 'Page'),
      },
    },
  },
  '/oauth/token': post(
    'oauth-token',
    'Exchange a code or a refresh token for tokens',
    'TokenRequest',
    oauthAnswer('Tokens.', 'Tokens'),
  ),
  '/oauth/revoke': post('oauth-revoke', 'Revoke a token and all that was issued with it (RFC 7009)', 'TokenToJudge', {
    description: 'Revoked, or never known.',
  }),
  '/oauth/introspect': post(
    'oauth-introspect',
    'Ask what a token is worth (RFC 7662)',
    'TokenToJudge',
    oauthAnswer('What it is worth.', 'Introspection'),
  ),
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'oauth-metadata',
      summary: 'Read where OAuth’s addresses are (RFC 8414)',
      tags: ['oauth'],
      security: [],
      responses: { 200: oauthAnswer('Metadata.', 'AuthorizationServer'), ...problemRefs(405, 431) },
    },
  },
} as const;
