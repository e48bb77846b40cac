import type { ClientsService, OAuthClient } from '#libs/access';
import type { Scope } from '#libs/entities';
import { OAuthError } from './oauth-error.js';
import type { OAuthParams } from './oauth-params.js';

/** RFC 7636 section 4.2: SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** A request of a registered application whose redirect URI is registered too. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly scopeRequested: boolean;
  readonly codeChallenge: string | null;
}

type AuthorizationRequestResult =
  | { readonly kind: 'good'; readonly request: AuthorizationRequest }
  /** The error goes to the application by redirect, because the redirect URI is the application's. */
  | { readonly kind: 'tell_application'; readonly redirect: string }
  /** The error is shown to the person, because the redirect URI cannot be trusted. */
  | { readonly kind: 'tell_person'; readonly why: string };

/** The order matters: client and redirect URI decide where the later errors go. */
export async function readAuthorizationRequest(
  params: OAuthParams,
  issuer: string,
  clients: ClientsService,
): Promise<AuthorizationRequestResult> {
  const target = await verifiedTarget(params, clients);
  if ('why' in target) return { kind: 'tell_person', why: target.why };
  try {
    return {
      kind: 'good',
      request: { ...target, state: params.get('state'), ...readGrantDetails(params, target.client) },
    };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const answer = { error: error.code, error_description: error.description, state: singleValue(params, 'state') };
    return { kind: 'tell_application', redirect: authorizationResponseUrl(target.redirectUri, answer, issuer) };
  }
}

type RedirectTarget = { readonly client: OAuthClient; readonly redirectUri: string };

async function verifiedTarget(
  params: OAuthParams,
  clients: ClientsService,
): Promise<RedirectTarget | { readonly why: string }> {
  const clientId = singleValue(params, 'client_id');
  const redirectUri = singleValue(params, 'redirect_uri');
  if (!clientId)
    return {
      why: 'The application that sent you here did not say which one it is: client_id is missing, or there twice.',
    };
  const client = await clients.find(clientId);
  if (!client)
    return { why: 'The application that sent you here is unknown or was disabled. Its client_id is not registered.' };
  if (!redirectUri || !client.redirectUris.includes(redirectUri))
    return { why: `${client.name} asked to be answered at an address that is not registered for it (redirect_uri).` };
  return { client, redirectUri };
}

function readGrantDetails(params: OAuthParams, client: OAuthClient) {
  params.rejectRepeated();
  if (params.require('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.');
  const scopes = params.scopes;
  return {
    codeChallenge: readCodeChallenge(params),
    scopes: allowedScopes(scopes ?? client.scopes, client),
    scopeRequested: scopes !== undefined,
  };
}

/** Only S256, because `plain` shows the verifier to everyone who sees the request. */
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
    throw new OAuthError('invalid_scope', `The application may ask for: ${client.scopes.join(' ')}.`);
  return allowed;
}

/** `iss` (RFC 9207) tells an application that talks to several servers which one answered. */
export function authorizationResponseUrl(
  redirectUri: string,
  answer: Record<string, string | undefined>,
  issuer: string,
): string {
  const named = Object.entries({ ...answer, iss: issuer }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = new URLSearchParams(named).toString();
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

function singleValue(params: OAuthParams, name: 'client_id' | 'redirect_uri' | 'state'): string | undefined {
  try {
    return params.get(name);
  } catch {
    return undefined;
  }
}
