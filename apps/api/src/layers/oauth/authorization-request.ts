import { type OAuthClient, isRegisteredRedirect } from '#libs/access';
import { type Audience, SCOPES, type Scope, scopesMissing } from '#libs/entities';
import { OAuthError } from './oauth-error.filter.js';
import type { OAuthParams } from './oauth-params.js';
import { audienceOf } from './resources.js';

/** RFC 7636 section 4.2: SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** OpenID Connect Core section 3.1.2.1. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

interface RedirectTarget {
  readonly client: OAuthClient;
  readonly redirectUri: string;
}

export interface AuthorizationRequest extends RedirectTarget {
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly scopeRequested: boolean;
  readonly codeChallenge: string | null;
  readonly audiences: readonly Audience[];
  readonly prompts: readonly Prompt[];
}

type AuthorizationRequestResult =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  | { readonly kind: 'error_redirect'; readonly redirect: string }
  /** Errors must not be sent to an untrusted redirect URI (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'error_page'; readonly description: string };

/** Returns a sentence if there is no such client. */
type FindClient = (clientId: string) => Promise<OAuthClient | string>;

export const UNKNOWN_CLIENT =
  'The application that sent you here is unknown or was disabled. Its client_id is not registered.';

/** Whether the client is known by the address of its metadata document. */
export const isAddress = (params: OAuthParams): boolean => singleValue(params, 'client_id')?.includes('://') ?? false;

/**
 * Anyone can publish a document or make an application of an account, and a redirect that no person asked for would lead
 * from this server to any site (RFC 9700 section 4.11.2).
 */
export const isTrusted = ({ approvedAt }: OAuthClient): boolean => approvedAt !== null;

/** Later errors are sent to the redirect URI, so it is checked first. */
export async function readAuthorizationRequest(
  params: OAuthParams,
  issuer: string,
  findClient: FindClient,
): Promise<AuthorizationRequestResult> {
  const target = await verifiedTarget(params, findClient);
  if (typeof target === 'string') return { kind: 'error_page', description: target };
  try {
    return { kind: 'valid', request: { ...target, ...readGrantDetails(params, target.client, issuer) } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (!isTrusted(target.client)) return { kind: 'error_page', description: error.description };
    const answer = { error: error.code, error_description: error.description, state: singleValue(params, 'state') };
    return { kind: 'error_redirect', redirect: authorizationResponseUrl(target.redirectUri, answer, issuer) };
  }
}

/** Returns what is wrong if it cannot be trusted. */
async function verifiedTarget(params: OAuthParams, findClient: FindClient) {
  const clientId = singleValue(params, 'client_id');
  const redirectUri = singleValue(params, 'redirect_uri');
  if (!clientId) return 'The application that sent you here did not identify itself: client_id is missing or repeated.';
  const client = await findClient(clientId);
  if (typeof client === 'string') return client;
  if (!redirectUri || !isRegisteredRedirect(redirectUri, client.redirectUris, client.secretHash === null))
    return `${client.name} asked to be answered at an address that is not registered for it (redirect_uri).`;
  return { client, redirectUri };
}

function readGrantDetails(params: OAuthParams, client: OAuthClient, base: string) {
  params.rejectRepeated();
  if (params.require('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.');
  const { scopes } = params;
  const codeChallenge = readCodeChallenge(params);
  if (codeChallenge === null && client.secretHash === null)
    throw new OAuthError('invalid_request', 'A client without a secret must use PKCE: send a code_challenge.');
  return {
    state: params.get('state'),
    codeChallenge,
    scopes: allowedScopes(scopes ?? client.scopes, client),
    scopeRequested: scopes !== undefined,
    audiences: readAudiences(params, base) ?? (['api'] as const),
    prompts: readPrompts(params),
  };
}

/** Undefined if no resource is named. */
export function readAudiences({ resources }: OAuthParams, base: string): Audience[] | undefined {
  const audiences = resources.map((resource) => audienceOf(resource, base));
  if (!audiences.every((audience) => audience !== undefined))
    throw new OAuthError('invalid_target', `The resources are ${base} and ${base}/mcp.`);
  return audiences.length > 0 ? [...new Set(audiences)] : undefined;
}

function readPrompts(params: OAuthParams): Prompt[] {
  const wanted = params.words('prompt');
  const known = PROMPTS.filter((prompt) => wanted.includes(prompt));
  if (known.length < wanted.length || (known.includes('none') && known.length > 1))
    throw new OAuthError('invalid_request', `prompt must be none alone, or of ${PROMPTS.slice(1).join(', ')}.`);
  return known;
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
  const allowed = SCOPES.filter((scope) => wanted.includes(scope));
  if (allowed.length < wanted.length || scopesMissing(client.scopes, allowed).length > 0)
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
