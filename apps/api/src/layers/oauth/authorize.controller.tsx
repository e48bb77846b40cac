import { ApplicationsService, GrantsService, type OAuthClient } from '#libs/access';
import { type Scope, scopesMissing } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OAuthParams } from './oauth-params.js';
import { Public } from '../edge/caller.js';
import { errorPage } from '../ui/error.page.js';
import type { PageResponse, Redirect } from '../ui/page-response.js';
import { BrowserSessionsService, type BrowserSession } from '../sign-in/browser-sessions.service.js';
import { MAX_RETURN_TO_CHARACTERS } from '../sign-in/sign-in-paths.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { FormFields } from '../ui/form-fields.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import {
  type AuthorizationRequest,
  UNKNOWN_CLIENT,
  authorizationResponseUrl,
  isAddress,
  isTrusted,
  readAuthorizationRequest,
} from './authorization-request.js';
import { ClientMetadataService } from './client-metadata.service.js';
import { ConsentPage, DURATION_HOURS, LeavePage } from './consent.page.js';

@Controller('oauth/authorize')
@Public()
@HtmlPages()
export class AuthorizeController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly applications: ApplicationsService,
    private readonly grants: GrantsService,
    private readonly links: Links,
    private readonly metadata: ClientMetadataService,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest): Promise<PageResponse> {
    const answer = await this.whenSignedIn(request, async (authorization, me) => {
      const given = await this.givenConsent(authorization, me);
      const code =
        given && (await this.grants.repeat(me.accountId, { ...consentOf(authorization, me), grantId: given.id }));
      if (code !== undefined) return this.respond(authorization, { code });
      if (authorization.prompts.includes('none')) return this.refuse(authorization, CONSENT_REQUIRED);
      return this.ask(request, authorization, me);
    });
    return 'redirect' in answer && followsForm(request, answer) ? { view: <LeavePage to={answer.redirect} /> } : answer;
  }

  /** The CSRF token binds the form to the session and the query. */
  @Post()
  decide(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.whenSignedIn(request, async (authorization, me) => {
      const form = new FormFields(request.body);
      requireCsrfToken(request, { secret: me.secret, purpose: purposeOf(request), token: form.text('csrf') });
      if (form.text('decision') !== 'allow') return this.respond(authorization, DENIED);
      const scopes = chosenScopes(form, authorization.scopes);
      if (scopes.length === 0) return { ...this.ask(request, authorization, me, NOTHING_CHOSEN), status: 422 };
      const { scopeRequested } = authorization;
      const narrowed = { scopes, scopeRequested: scopeRequested || scopes.length < authorization.scopes.length };
      const expiresAt = this.grants.expiryAfter(DURATION_HOURS.get(form.text('duration')));
      const consent = { ...consentOf(authorization, me), ...narrowed, expiresAt };
      return this.respond(authorization, { code: await this.grants.grant(me.accountId, consent) });
    });
  }

  /** Anyone can pretend to be a public client, so a person has to look each time (RFC 8252 section 8.6). */
  private async givenConsent({ client, prompts, scopes }: AuthorizationRequest, me: BrowserSession) {
    const mustAsk = prompts.includes('consent') || prompts.includes('select_account');
    if (client.secretHash === null || mustAsk) return undefined;
    const given = await this.grants.find(me.accountId, { agentId: me.agentId, applicationId: client.id });
    return given && scopesMissing(given.scopes, scopes).length === 0 ? given : undefined;
  }

  private ask(request: FastifyRequest, authorization: AuthorizationRequest, me: BrowserSession, error?: string) {
    const proof = csrfToken(me.secret, purposeOf(request));
    const view = <ConsentPage request={authorization} me={me} query={queryOf(request)} proof={proof} error={error} />;
    return { view, formTarget: formTargetOf(authorization.redirectUri) };
  }

  private async whenSignedIn(
    request: FastifyRequest,
    answer: (authorization: AuthorizationRequest, me: BrowserSession) => Promise<PageResponse>,
  ): Promise<PageResponse> {
    const path = `/oauth/authorize?${queryOf(request)}`;
    const me = await this.browserSessions.current(request);
    const params = new OAuthParams(request.query);
    // Its document is read for people only, so that strangers cannot make this server send requests.
    if (!me && isAddress(params)) return this.browserSessions.redirectToSignIn(request, path);
    const find = (clientId: string) => this.findClient(clientId, request.ip);
    const read = await readAuthorizationRequest(params, this.links.base, find);
    if (read.kind === 'error_redirect') return { redirect: read.redirect };
    if (read.kind === 'error_page') return invalidRequest(read.description);
    // Also if signed in, so that developers notice it at the first try.
    if (path.length > MAX_RETURN_TO_CHARACTERS) return this.refuse(read.request, TOO_LONG);
    const { prompts, client } = read.request;
    if (me && prompts.includes('login'))
      return this.browserSessions.redirectToSignIn(request, withoutLogin(path), 'again');
    const isOther = me && client.makerAccountId !== null && client.makerAccountId !== me.accountId;
    if ((!me || isOther) && prompts.includes('none')) return this.refuse(read.request, LOGIN_REQUIRED);
    if (isOther) return errorPage(403, OTHER_ACCOUNT, 'This application belongs to another account');
    return me ? answer(read.request, me) : this.browserSessions.redirectToSignIn(request, path);
  }

  private async findClient(clientId: string, address: string): Promise<OAuthClient | string> {
    if (!clientId.includes('://')) return (await this.applications.findClient(clientId)) ?? UNKNOWN_CLIENT;
    const found = await this.metadata.find(clientId, address);
    return found.kind === 'client' ? found.client : found.sentence;
  }

  /** Without an act of the person. */
  private refuse(authorization: AuthorizationRequest, reason: ReturnType<typeof refusal>): PageResponse {
    return isTrusted(authorization.client)
      ? this.respond(authorization, reason)
      : invalidRequest(reason.error_description);
  }

  private respond({ redirectUri, state }: AuthorizationRequest, answer: Record<string, string>): Redirect {
    return { redirect: authorizationResponseUrl(redirectUri, { ...answer, state }, this.links.base) };
  }
}

const invalidRequest = (description: string) =>
  errorPage(400, `${description} Nothing was shared with the application.`, 'This request is not valid');

const consentOf = (authorization: AuthorizationRequest, { agentId }: BrowserSession) => ({
  ...authorization,
  agentId,
  applicationId: authorization.client.id,
});

const refusal = (error: string, error_description: string) => ({ error, error_description });

const DENIED = refusal('access_denied', 'The user denied access.');
const LOGIN_REQUIRED = refusal('login_required', 'The user is not signed in.');
const CONSENT_REQUIRED = refusal('consent_required', 'The user has not allowed all of this.');
const NOTHING_CHOSEN = 'Choose at least one permission, or deny access.';
const OTHER_ACCOUNT = 'Only people of the account that made it can use it. Sign in to that account, then try again.';

const TOO_LONG = refusal(
  'invalid_request',
  `The authorization request is longer than ${MAX_RETURN_TO_CHARACTERS} characters.`,
);

/** Chromium applies `form-action` of the sign-in page to all redirects that follow, so one to another site would fail. */
const followsForm = ({ headers }: FastifyRequest, { redirect }: Redirect): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && !redirect.startsWith('/');

/** Without the field of the form, all that were asked for. */
function chosenScopes(form: FormFields, asked: readonly Scope[]): Scope[] {
  const chosen = form.texts('scope');
  return form.text('choosing') === '' ? [...asked] : asked.filter((scope) => chosen.includes(scope));
}

/** Browsers apply `form-action` to redirects within the application, too, so the host cannot be fixed. */
function formTargetOf(redirectUri: string): string {
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? 'http: https:' : protocol;
}

/** After the sign-in the request goes on. */
function withoutLogin(path: string): string {
  const [route = '', ...query] = path.split('?');
  const params = new URLSearchParams(query.join('?'));
  const rest = (params.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== 'login');
  params.set('prompt', rest.join(' '));
  return `${route}?${params.toString()}`;
}

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');
const purposeOf = (request: FastifyRequest): string => `consent:${queryOf(request)}`;
