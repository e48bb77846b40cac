import type { ApplicationsService, OAuthClient } from '#libs/access';
import type { Scope } from '#libs/entities';
import { OAuthError } from './oauth-error.filter.js';
import type { OAuthParams } from './oauth-params.js';

/** RFC 7636 section 4.2: SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

interface RedirectTarget {
  readonly client: OAuthClient;
  readonly redirectUri: string;
}

export interface AuthorizationRequest extends RedirectTarget {
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly scopeRequested: boolean;
  readonly codeChallenge: string | null;
}

type AuthorizationRequestResult =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  | { readonly kind: 'error_redirect'; readonly redirect: string }
  /** Errors must not be sent to an untrusted redirect URI (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'error_page'; readonly description: string };

/** Later errors are sent to the redirect URI, so it is checked first. */
export async function readAuthorizationRequest(
  params: OAuthParams,
  issuer: string,
  applications: ApplicationsService,
): Promise<AuthorizationRequestResult> {
  const target = await verifiedTarget(params, applications);
  if (typeof target === 'string') return { kind: 'error_page', description: target };
  try {
    return { kind: 'valid', request: { ...target, ...readGrantDetails(params, target.client) } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const answer = { error: error.code, error_description: error.description, state: singleValue(params, 'state') };
    return { kind: 'error_redirect', redirect: authorizationResponseUrl(target.redirectUri, answer, issuer) };
  }
}

/** Returns what is wrong if it cannot be trusted. */
async function verifiedTarget(params: OAuthParams, applications: ApplicationsService) {
  const clientId = singleValue(params, 'client_id');
  const redirectUri = singleValue(params, 'redirect_uri');
  if (!clientId) return 'The application that sent you here did not identify itself: client_id is missing or repeated.';
  const client = await applications.findClient(clientId);
  if (!client) return 'The application that sent you here is unknown or was disabled. Its client_id is not registered.';
  if (!redirectUri || !client.redirectUris.includes(redirectUri))
    return `${client.name} asked to be answered at an address that is not registered for it (redirect_uri).`;
  return { client, redirectUri };
}

function readGrantDetails(params: OAuthParams, client: OAuthClient) {
  params.rejectRepeated();
  if (params.require('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.');
  const { scopes } = params;
  return {
    state: params.get('state'),
    codeChallenge: readCodeChallenge(params),
    scopes: allowedScopes(scopes ?? client.scopes, client),
    scopeRequested: scopes !== undefined,
  };
}

/** `plain` would reveal the verifier. */
function readCodeChallenge(params: OAuthParams): string | null {
  const challenge = params.get('code_challenge');
  const method = params.get('code_challenge_method');
  if (challenge === undefined && method === undefined) return null;
  if (challenge === undefined || method !== 'S256' || !CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'PKCE needs a code_challenge with code_challenge_method=S256.');
  return challenge;
}

function allowedScopes(wanted: readonly string[], client: OAuthClient): Scope[] {
  const allowed = client.scopes.filter((scope) => wanted.includes(scope));
  if (allowed.length === 0 || allowed.length < wanted.length)
    throw new OAuthError('invalid_scope', `The application may request: ${client.scopes.join(' ')}.`);
  return allowed;
}

/** `iss` (RFC 9207) prevents mix-up attacks. */
export function authorizationResponseUrl(
  redirectUri: string,
  answer: Record<string, string | undefined>,
  issuer: string,
): string {
  const named = Object.entries({ ...answer, iss: issuer }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(named).toString()}`;
}

function singleValue(params: OAuthParams, name: 'client_id' | 'redirect_uri' | 'state'): string | undefined {
  try {
    return params.get(name);
  } catch {
    return undefined;
  }
}
