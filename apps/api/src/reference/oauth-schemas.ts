import { type JsonSchema, json, objectOf, ref } from '#libs/payloads';

const { text } = json;
const uri = json.addressOf;
const uris = (description: string) => json.listOf(json.address, description);
const words = (description: string) => json.listOf(json.string, description);
const bearer: JsonSchema = { ...text('How to send the token.'), const: 'bearer' };

const ACCOUNT = objectOf({ id: json.id, name: text('Its name.') }, 'The account of the agent.');
const CLIENT = {
  client_id: text('Client id of the application, here or by HTTP Basic.'),
  client_secret: text('Client secret, here or by HTTP Basic. None for a public client.'),
};
const SCOPE = 'Scopes, separated by spaces.';
const AUTHENTICATION = 'How clients can authenticate there.';

export const OAUTH_SCHEMAS = {
  TokenRequest: {
    ...objectOf({
      ...CLIENT,
      grant_type: json.oneOf(['authorization_code', 'refresh_token'], 'The kind of exchange.'),
      code: text('With `authorization_code`: the code. It works once, within 60 seconds.'),
      redirect_uri: text('With `authorization_code`: the same as in the authorization request.'),
      code_verifier: text('With `authorization_code`, if the authorization request had a challenge (RFC 7636).'),
      refresh_token: text('With `refresh_token`: the newest refresh token.'),
      scope: text('With `refresh_token`: fewer scopes, separated by spaces.'),
      resource: text('One of the resources of the authorization request (RFC 8707).'),
    }),
    required: ['grant_type'],
  },
  TokenToJudge: {
    ...objectOf({ ...CLIENT, token: text('Access token or refresh token.'), token_type_hint: text('Not needed.') }),
    required: ['token'],
  },
  ConsentDecision: objectOf({
    decision: json.oneOf(['allow', 'deny'], 'The button that was pressed.'),
    csrf: text('The token in the form of the consent page.'),
    choosing: text('If set, only the scopes of `scope[]` are allowed.'),
    'scope[]': words('The scopes that the person chose.'),
    duration: text('`24h`, `30d`, or empty for no end.'),
  }),
  Tokens: {
    description: 'RFC 6749, section 5.1.',
    ...objectOf({
      token_type: bearer,
      access_token: text('The token for `Authorization: Bearer`.'),
      expires_in: json.integer('Seconds until the access token expires.'),
      refresh_token: text('For the next exchange. Store it in place of the former one.'),
      scope: text('Only if the application requested scopes.'),
    }),
    required: ['token_type', 'access_token', 'expires_in', 'refresh_token'],
  },
  OAuthError: {
    description: 'RFC 6749, section 5.2.',
    ...objectOf({
      error: text('A code of RFC 6749, such as `invalid_grant`.'),
      error_description: text('Explanation for developers.'),
    }),
    required: ['error'],
  },
  Introspection: {
    description: 'RFC 7662. For an invalid token, only `active`.',
    ...objectOf({
      active: json.flag('Whether the token is valid.'),
      scope: text(SCOPE),
      client_id: text('Client id of the application.'),
      token_type: bearer,
      exp: json.integer('When it expires, in seconds since 1970.'),
      iat: json.integer('When it was issued, in seconds since 1970.'),
      sub: text('Id of the agent.'),
      iss: uri('URL of this installation.'),
      aud: uris('What the token is for.'),
      account: ACCOUNT,
    }),
    required: ['active'],
  },
  AuthorizationServer: {
    description: 'RFC 8414.',
    ...objectOf({
      issuer: uri('URL of this installation.'),
      authorization_endpoint: uri('Where a person allows access.'),
      token_endpoint: uri('Where tokens are issued.'),
      revocation_endpoint: uri('Where tokens are revoked.'),
      introspection_endpoint: uri('Where tokens are checked.'),
      userinfo_endpoint: uri('Where the owner of a token is read.'),
      scopes_supported: words('All scopes.'),
      response_types_supported: words('Always `code`.'),
      response_modes_supported: words('Always `query`.'),
      grant_types_supported: words('What can be exchanged for tokens.'),
      prompt_values_supported: words('Values of the parameter `prompt`.'),
      code_challenge_methods_supported: words('Always `S256`.'),
      token_endpoint_auth_methods_supported: words(AUTHENTICATION),
      revocation_endpoint_auth_methods_supported: words(AUTHENTICATION),
      introspection_endpoint_auth_methods_supported: words(AUTHENTICATION),
      authorization_response_iss_parameter_supported: json.flag('Whether redirects have `iss` (RFC 9207).'),
      client_id_metadata_document_supported: json.flag('Whether a URL can be a client id.'),
      protected_resources: uris('What tokens can be for.'),
    }),
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
  },
  ProtectedResource: {
    description: 'RFC 9728.',
    ...objectOf({
      resource: uri('What the tokens are for.'),
      authorization_servers: uris('Who issues the tokens.'),
      scopes_supported: words('The scopes that have an effect.'),
      bearer_methods_supported: words('How the token can be sent.'),
      resource_name: text('Name for people.'),
    }),
    required: ['resource', 'authorization_servers'],
  },
  UserInfo: objectOf(
    {
      sub: text('Id of the agent.'),
      email: text('Email of the agent.'),
      name: text('Name of the agent.'),
      account: ACCOUNT,
    },
    'OpenID Connect Core, section 5.3.2.',
  ),
  Page: text('An HTML page.'),
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
