/** A library that other-libraries.spec.ts installs, and a program in test/oauth/libraries that uses it. */
export interface Library {
  readonly name: string;
  readonly version: string;
  readonly language: 'node' | 'python' | 'go' | 'browser';
  readonly program: string;
  readonly isPublic?: boolean;
  /** Other packages, as the installer names them. */
  readonly needs?: readonly string[];
  readonly redirectUri?: string;
  /** What it never does. */
  readonly lacks?: readonly ('refresh' | 'revocation')[];
  /** For readers of docs/oauth.md. */
  readonly hint?: string;
}

export const LIBRARIES: readonly Library[] = [
  {
    name: '@badgateway/oauth2-client',
    version: '3.3.1',
    language: 'node',
    program: 'badgateway.mjs',
    isPublic: true,
  },
  { name: 'arctic', version: '3.7.0', language: 'node', program: 'arctic.mjs' },
  {
    name: '@auth/core',
    version: '0.41.3',
    language: 'node',
    program: 'auth-js.mjs',
    redirectUri: 'http://127.0.0.1:4998/auth/callback/deskwire',
    lacks: ['refresh', 'revocation'],
    hint: "`type: 'oauth'` and `issuer`",
  },
  {
    name: 'better-auth',
    version: '1.7.25',
    language: 'node',
    program: 'better-auth.mjs',
    redirectUri: 'http://127.0.0.1:4998/api/auth/callback/deskwire',
    lacks: ['revocation'],
    hint: '`genericOAuth` with `accountSubject: ({ profile }) => profile.sub`',
  },
  {
    name: 'client-oauth2',
    version: '4.3.3',
    language: 'node',
    program: 'client-oauth2.mjs',
    lacks: ['revocation'],
  },
  {
    name: 'oidc-client-ts',
    version: '3.5.0',
    language: 'browser',
    program: 'oidc-client.mjs',
    isPublic: true,
    hint: 'a `scope` without `openid`',
  },
  {
    name: 'Authlib',
    version: '1.9.10',
    language: 'python',
    program: 'authlib_app.py',
    needs: ['requests==2.34.2'],
  },
  {
    name: 'requests-oauthlib',
    version: '2.0.0',
    language: 'python',
    program: 'requests_oauthlib_app.py',
    isPublic: true,
    hint: '`OAUTHLIB_RELAX_TOKEN_SCOPE=1`, or it fails when a person unticks a scope',
  },
  {
    name: 'httpx-oauth',
    version: '0.17.0',
    language: 'python',
    program: 'httpx_oauth_app.py',
    hint: '`base_scopes` without `email`',
  },
  {
    name: 'golang.org/x/oauth2',
    version: '0.38.0',
    language: 'go',
    program: 'main.go',
    isPublic: true,
    lacks: ['revocation'],
  },
];
