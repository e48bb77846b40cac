import { type JsonSchema, objectOf, ref } from '#libs/payloads';

const text: JsonSchema = { type: 'string' };
const uri: JsonSchema = { type: 'string', format: 'uri' };
const uris: JsonSchema = { type: 'array', items: uri };
const words: JsonSchema = { type: 'array', items: text };
const bearer: JsonSchema = { type: 'string', const: 'bearer' };
const each = (schema: JsonSchema, ending: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name + ending, schema]));
const described = (description: string): JsonSchema => ({ type: 'string', description });

const ACCOUNT = objectOf({ id: text, name: text });
const CLIENT = {
  client_id: described('Client id of the application, here or by HTTP Basic.'),
  client_secret: described('Client secret, here or by HTTP Basic. None for a public client.'),
};

export const OAUTH_SCHEMAS = {
  TokenRequest: {
    ...objectOf({
      ...CLIENT,
      grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
      code: described('With `authorization_code`: the code. It works once, within 60 seconds.'),
      redirect_uri: described('With `authorization_code`: the same as in the authorization request.'),
      code_verifier: described('With `authorization_code`, if the authorization request had a challenge (RFC 7636).'),
      refresh_token: described('With `refresh_token`: the newest refresh token.'),
      scope: described('With `refresh_token`: fewer scopes, separated by spaces.'),
      resource: described('One of the resources of the authorization request (RFC 8707).'),
    }),
    required: ['grant_type'],
  },
  TokenToJudge: {
    ...objectOf({ ...CLIENT, token: text, token_type_hint: described('Not needed.') }),
    required: ['token'],
  },
  ConsentDecision: objectOf({
    decision: { type: 'string', enum: ['allow', 'deny'] },
    csrf: described('The token in the form of the consent page.'),
    choosing: described('If set, only the scopes of `scope[]` are allowed.'),
    'scope[]': words,
    duration: described('`24h`, `30d`, or empty for no end.'),
  }),
  Tokens: {
    ...objectOf({
      token_type: bearer,
      access_token: text,
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text,
      scope: described('Only if the application requested scopes.'),
    }),
    description: 'RFC 6749, section 5.1.',
    required: ['token_type', 'access_token', 'expires_in', 'refresh_token'],
  },
  OAuthError: {
    ...objectOf({ error: text, error_description: text }),
    description: 'RFC 6749, section 5.2.',
    required: ['error'],
  },
  Introspection: {
    ...objectOf({
      active: { type: 'boolean' },
      scope: text,
      client_id: text,
      token_type: bearer,
      exp: { type: 'integer' },
      iat: { type: 'integer' },
      sub: described('Id of the agent.'),
      iss: uri,
      aud: uris,
      account: ACCOUNT,
    }),
    description: 'RFC 7662. For an invalid token, only `active`.',
    required: ['active'],
  },
  AuthorizationServer: {
    ...objectOf({
      issuer: uri,
      ...each(uri, '_endpoint', ['authorization', 'token', 'revocation', 'introspection', 'userinfo']),
      ...each(words, '_supported', ['scopes', 'response_types', 'response_modes', 'grant_types', 'prompt_values']),
      code_challenge_methods_supported: words,
      ...each(words, '_endpoint_auth_methods_supported', ['token', 'revocation', 'introspection']),
      authorization_response_iss_parameter_supported: { type: 'boolean' },
      client_id_metadata_document_supported: { type: 'boolean' },
      protected_resources: uris,
    }),
    description: 'RFC 8414.',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
  },
  ProtectedResource: {
    ...objectOf({
      resource: uri,
      authorization_servers: uris,
      ...each(words, '_supported', ['scopes', 'bearer_methods']),
      resource_name: text,
    }),
    description: 'RFC 9728.',
    required: ['resource', 'authorization_servers'],
  },
  UserInfo: {
    ...objectOf({ sub: described('Id of the agent.'), email: text, name: text, account: ACCOUNT }),
    description: 'OpenID Connect Core, section 5.3.2.',
  },
  Page: described('An HTML page.'),
} as const satisfies Record<string, JsonSchema>;

const EXAMPLES = {
  TokenRequest: {
    client_id: 'ticket-mirror',
    client_secret: 'YOUR_CLIENT_SECRET',
    grant_type: 'authorization_code',
    code: 'THE_CODE',
    redirect_uri: 'https://mirror.example/callback',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  },
  TokenToJudge: { client_id: 'ticket-mirror', client_secret: 'YOUR_CLIENT_SECRET', token: 'THE_TOKEN' },
  Tokens: {
    token_type: 'bearer',
    access_token: 'dwa_cgT0aQ9dP1vUqyCzzrJ4Qv5Yx0dN8mUuOZC1tq0q3bE',
    expires_in: 7200,
    refresh_token: 'dwr_6tT2XcR1hQmYy4pQe0dV3sYxk1vJt7n2bB9uQ5oZk8A',
  },
  OAuthError: { error: 'invalid_grant', error_description: 'The code is unknown, expired or used.' },
  Introspection: {
    active: true,
    scope: 'read write',
    client_id: 'c78b97eaa024b16300445cd025f1c3c9',
    token_type: 'bearer',
    exp: 1_769_868_000,
    iat: 1_769_860_800,
    sub: '0199f3aa-5c20-7e18-b6f2-91d7c4a03e6b',
    iss: 'https://desk.example',
    aud: ['https://desk.example'],
    account: { id: '0199f3aa-5c20-7000-8000-000000000001', name: 'Acme' },
  },
  AuthorizationServer: {
    issuer: 'https://desk.example',
    authorization_endpoint: 'https://desk.example/oauth/authorize',
    token_endpoint: 'https://desk.example/oauth/token',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  },
  ProtectedResource: {
    resource: 'https://desk.example',
    authorization_servers: ['https://desk.example'],
    scopes_supported: ['tickets:read', 'messages:write'],
  },
  UserInfo: {
    sub: '0199f3aa-5c20-7e18-b6f2-91d7c4a03e6b',
    email: 'maya@desk.example',
    name: 'Maya Lind',
    account: { id: '0199f3aa-5c20-7000-8000-000000000001', name: 'Acme' },
  },
  Page: '<!doctype html>…',
} as const;

type Described = keyof typeof EXAMPLES;

export const oauthAnswer = (description: string, name: Described) => ({
  description,
  content: { [name === 'Page' ? 'text/html' : 'application/json']: { schema: ref(name), example: EXAMPLES[name] } },
});

export const oauthForm = (name: Described) => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': { schema: ref(name) },
    'application/json': { schema: ref(name), example: EXAMPLES[name] },
  },
});

/** The challenge for the verifier above, from RFC 7636, appendix B. */
export const AUTHORIZE_EXAMPLE = new URLSearchParams({
  response_type: 'code',
  client_id: EXAMPLES.TokenRequest.client_id,
  redirect_uri: EXAMPLES.TokenRequest.redirect_uri,
  scope: 'read webhooks',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});
