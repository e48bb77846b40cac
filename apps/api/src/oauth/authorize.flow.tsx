import { ClientsService, ConsentsService } from '#libs/access';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error.page.js';
import type { PageResponse } from '../pages/page-response.js';
import { BrowserSessions, type BrowserSession } from '../sign-in/browser-sessions.js';
import { csrfToken, requireCsrfToken } from '../pages/csrf.js';
import { FormFields } from '../pages/form-fields.js';
import {
  type AuthorizationRequest,
  type AuthorizationRequestResult,
  authorizationResponseUrl,
  readAuthorizationRequest,
} from './authorization-request.js';
import { ConsentPage } from './consent.page.js';
import { OAuthParams } from './oauth-params.js';

@Injectable()
export class AuthorizeFlow {
  constructor(
    private readonly browserSessions: BrowserSessions,
    private readonly clients: ClientsService,
    private readonly consents: ConsentsService,
    private readonly links: Links,
  ) {}

  async ask(request: FastifyRequest): Promise<PageResponse> {
    const read = await this.read(request);
    if (read.kind !== 'good') return refused(read);
    const me = await this.browserSessions.current(request);
    if (!me) return this.browserSessions.redirectToSignIn(request, `/oauth/authorize?${queryOf(request)}`);
    return this.consentPage(request, read.request, me);
  }

  /** The CSRF token binds the form to the session and to the query that the page showed. */
  async decide(request: FastifyRequest): Promise<PageResponse> {
    const read = await this.read(request);
    if (read.kind !== 'good') return refused(read);
    const me = await this.browserSessions.current(request);
    if (!me) return this.browserSessions.redirectToSignIn(request, `/oauth/authorize?${queryOf(request)}`);
    const form = new FormFields(request.body);
    requireCsrfToken(request, { secret: me.secret, purpose: purposeOf(request), token: form.text('csrf') });
    return form.text('decision') === 'allow' ? this.allow(read.request, me) : this.deny(read.request);
  }

  private async allow(asked: AuthorizationRequest, me: BrowserSession): Promise<PageResponse> {
    const { client, redirectUri, scopes, scopeRequested, codeChallenge, state } = asked;
    const consent = {
      agentId: me.agentId,
      applicationId: client.id,
      scopes,
      scopeRequested,
      redirectUri,
      codeChallenge,
    };
    const code = await this.consents.grant(me.accountId, consent);
    return { redirect: authorizationResponseUrl(redirectUri, { code, state }, this.links.base) };
  }

  private deny({ redirectUri, state }: AuthorizationRequest): PageResponse {
    const answer = { error: 'access_denied', error_description: 'The person denied the access.', state };
    return { redirect: authorizationResponseUrl(redirectUri, answer, this.links.base) };
  }

  private consentPage(request: FastifyRequest, asked: AuthorizationRequest, me: BrowserSession): PageResponse {
    const proof = csrfToken(me.secret, purposeOf(request));
    const view = <ConsentPage request={asked} me={me} query={queryOf(request)} proof={proof} csrf={me.csrf} />;
    return { view, formTarget: formTarget(asked.redirectUri) };
  }

  private read(request: FastifyRequest): Promise<AuthorizationRequestResult> {
    const params = new OAuthParams(request.query);
    return readAuthorizationRequest(params, this.links.base, (clientId) => this.clients.find(clientId));
  }
}

function refused(read: Exclude<AuthorizationRequestResult, { kind: 'good' }>): PageResponse {
  if (read.kind === 'tell_application') return { redirect: read.redirect };
  return errorPage(400, `${read.why} Nothing was shared with it.`, 'This request cannot be answered');
}

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');
const purposeOf = (request: FastifyRequest): string => `consent:${queryOf(request)}`;

/**
 * Browsers apply the `form-action` policy of the page to every redirect that follows: to the application, and from
 * there to other sites of the application. So the policy allows the scheme, not the host. The form itself still goes
 * only where we say.
 */
function formTarget(redirectUri: string): string {
  return redirectUri.startsWith('https:') ? 'https:' : 'http: https:';
}
