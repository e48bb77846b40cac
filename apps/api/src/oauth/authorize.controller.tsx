import { ApplicationsService, type OAuthClient, GrantsService } from '#libs/access';
import type { Scope } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthError } from './oauth-error.filter.js';
import { OAuthParams } from './oauth-params.js';
import { Public } from '../edge/caller.js';
import { errorPage } from '../ui/error.page.js';
import type { PageResponse, Redirect } from '../ui/page-response.js';
import { BrowserSessionsService, type BrowserSession, MAX_RETURN_TO_CHARACTERS } from '../sign-in/session.guard.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { FormFields } from '../ui/form-fields.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import { ConsentPage } from './consent.page.js';

/** RFC 7636 section 4.2: SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

interface RedirectTarget {
  readonly client: OAuthClient;
  readonly redirectUri: string;
}

interface AuthorizationRequest extends RedirectTarget {
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
async function readAuthorizationRequest(
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
  if (!clientId)
    return 'The application that sent you here did not say which one it is: client_id is missing, or there twice.';
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
    throw new OAuthError('invalid_scope', `The application may ask for: ${client.scopes.join(' ')}.`);
  return allowed;
}

/** `iss` (RFC 9207) prevents mix-up attacks. */
function authorizationResponseUrl(
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

@Controller('oauth/authorize')
@Public()
@HtmlPages()
export class AuthorizeController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly applications: ApplicationsService,
    private readonly consents: GrantsService,
    private readonly links: Links,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.whenSignedIn(request, (authorization, me) => {
      const proof = csrfToken(me.secret, purposeOf(request));
      const view = <ConsentPage request={authorization} me={me} query={queryOf(request)} proof={proof} />;
      // Browsers apply `form-action` to redirects within the application, too, so the host cannot be fixed.
      return { view, formTarget: authorization.redirectUri.startsWith('https:') ? 'https:' : 'http: https:' };
    });
  }

  /** The CSRF token binds the form to the session and the query. */
  @Post()
  decide(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.whenSignedIn(request, async (authorization, me) => {
      const form = new FormFields(request.body);
      requireCsrfToken(request, { secret: me.secret, purpose: purposeOf(request), token: form.text('csrf') });
      if (form.text('decision') !== 'allow')
        return this.respond(authorization, refusal('access_denied', 'The person denied the access.'));
      const consent = { ...authorization, agentId: me.agentId, applicationId: authorization.client.id };
      return this.respond(authorization, { code: await this.consents.grant(me.accountId, consent) });
    });
  }

  private async whenSignedIn(
    request: FastifyRequest,
    answer: (authorization: AuthorizationRequest, me: BrowserSession) => PageResponse | Promise<PageResponse>,
  ): Promise<PageResponse> {
    const read = await readAuthorizationRequest(new OAuthParams(request.query), this.links.base, this.applications);
    if (read.kind === 'error_redirect') return { redirect: read.redirect };
    if (read.kind === 'error_page')
      return errorPage(400, `${read.description} Nothing was shared with it.`, 'This request cannot be answered');
    const path = `/oauth/authorize?${queryOf(request)}`;
    // Also if signed in, so that developers notice it at the first try.
    if (path.length > MAX_RETURN_TO_CHARACTERS) return this.respond(read.request, TOO_LONG);
    const me = await this.browserSessions.current(request);
    return me ? answer(read.request, me) : this.browserSessions.redirectToSignIn(request, path);
  }

  private respond({ redirectUri, state }: AuthorizationRequest, answer: Record<string, string>): Redirect {
    return { redirect: authorizationResponseUrl(redirectUri, { ...answer, state }, this.links.base) };
  }
}

const refusal = (error: string, error_description: string) => ({ error, error_description });

const TOO_LONG = refusal(
  'invalid_request',
  `The authorization request is longer than ${MAX_RETURN_TO_CHARACTERS} characters.`,
);

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');
const purposeOf = (request: FastifyRequest): string => `consent:${queryOf(request)}`;
