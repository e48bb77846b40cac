import { type JsonSchema, objectOf, ref } from '#libs/payloads';

const text: JsonSchema = { type: 'string' };
const uri: JsonSchema = { type: 'string', format: 'uri' };
const words: JsonSchema = { type: 'array', items: text };

const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const CLIENT = {
  client_id: { ...text, description: 'Of the application; here or by HTTP Basic.' },
  client_secret: { ...text, description: 'Likewise.' },
};

export const OAUTH_SCHEMAS = {
  TokenRequest: object(
    {
      ...CLIENT,
      grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
      code: { ...text, description: 'With `authorization_code`: it works once, within 60 seconds.' },
      redirect_uri: { ...text, description: 'With `authorization_code`: the same as when the code was asked for.' },
      code_verifier: { ...text, description: 'With `authorization_code`, where a challenge was sent (RFC 7636).' },
      refresh_token: { ...text, description: 'With `refresh_token`: the one that was issued last.' },
      scope: { ...text, description: 'With `refresh_token`: fewer scopes, separated by spaces.' },
    },
    ['grant_type'],
  ),
  TokenToJudge: object({ ...CLIENT, token: text, token_type_hint: { ...text, description: 'It is found without.' } }, [
    'token',
  ]),
  ConsentDecision: object(
    {
      decision: { type: 'string', enum: ['allow', 'deny'] },
      csrf: { ...text, description: 'What the page has in its form.' },
    },
    ['decision', 'csrf'],
  ),
} as const satisfies Record<string, JsonSchema>;

export const OAUTH_ANSWERS = {
  Tokens: {
    type: 'object',
    description: 'RFC 6749, section 5.1.',
    properties: {
      token_type: { type: 'string', const: 'bearer' },
      access_token: text,
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text,
      scope: { type: 'string', description: 'Only for an application that asked for scopes.' },
    },
    required: ['token_type', 'access_token', 'expires_in', 'refresh_token'],
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749, section 5.2.',
    properties: { error: text, error_description: text },
    required: ['error'],
  },
  Introspection: {
    type: 'object',
    description: 'RFC 7662. Of a token that is worth nothing, `active` alone.',
    properties: {
      active: { type: 'boolean' },
      scope: text,
      client_id: text,
      token_type: { type: 'string', const: 'bearer' },
      exp: { type: 'integer' },
      iat: { type: 'integer' },
      sub: { type: 'string', description: 'Id of the agent.' },
      iss: uri,
      account: objectOf({ id: text, name: text }),
    },
    required: ['active'],
  },
  AuthorizationServer: {
    type: 'object',
    description: 'RFC 8414.',
    properties: {
      issuer: uri,
      authorization_endpoint: uri,
      token_endpoint: uri,
      revocation_endpoint: uri,
      introspection_endpoint: uri,
      scopes_supported: words,
      response_types_supported: words,
      response_modes_supported: words,
      grant_types_supported: words,
      code_challenge_methods_supported: words,
      token_endpoint_auth_methods_supported: words,
      revocation_endpoint_auth_methods_supported: words,
      introspection_endpoint_auth_methods_supported: words,
      authorization_response_iss_parameter_supported: { type: 'boolean' },
    },
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
  },
  Page: { type: 'string', description: 'A page of HTML, for people.' },
} as const satisfies Record<string, JsonSchema>;

const EXAMPLES: Readonly<Record<keyof typeof OAUTH_ANSWERS, unknown>> = {
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
    account: { id: '0199f3aa-5c20-7000-8000-000000000001', name: 'Acme' },
  },
  AuthorizationServer: {
    issuer: 'https://desk.example',
    authorization_endpoint: 'https://desk.example/oauth/authorize',
    token_endpoint: 'https://desk.example/oauth/token',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  },
  Page: '<!doctype html>…',
};

export const oauthAnswer = (description: string, name: keyof typeof OAUTH_ANSWERS) => ({
  description,
  content: { [name === 'Page' ? 'text/html' : 'application/json']: { schema: ref(name), example: EXAMPLES[name] } },
});
