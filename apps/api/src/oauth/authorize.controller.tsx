import { ClientsService, ConsentsService } from '#libs/access';
import { Links } from '#libs/payloads';
import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { errorPage } from '../ui/error.page.js';
import type { PageResponse, Redirect } from '../ui/page-response.js';
import { BrowserSessionsService, type BrowserSession } from '../sign-in/browser-sessions.service.js';
import { MAX_RETURN_TO_CHARACTERS } from '../sign-in/return-paths.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { FormFields } from '../ui/form-fields.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import {
  type AuthorizationRequest,
  authorizationResponseUrl,
  readAuthorizationRequest,
} from './authorization-request.js';
import { ConsentPage } from './consent.page.js';
import { OAuthParams } from './oauth-params.js';

@Controller('oauth/authorize')
@Public()
@HtmlPages()
export class AuthorizeController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly clients: ClientsService,
    private readonly consents: ConsentsService,
    private readonly links: Links,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.whenSignedIn(request, (authorization, me) => consentPage(request, authorization, me));
  }

  /** The CSRF token binds the form to the session and the query. */
  @Post()
  decide(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.whenSignedIn(request, (authorization, me) => {
      const form = new FormFields(request.body);
      requireCsrfToken(request, { secret: me.secret, purpose: purposeOf(request), token: form.text('csrf') });
      return form.text('decision') === 'allow' ? this.allow(authorization, me) : this.deny(authorization);
    });
  }

  private async whenSignedIn(
    request: FastifyRequest,
    answer: (authorization: AuthorizationRequest, me: BrowserSession) => PageResponse | Promise<PageResponse>,
  ): Promise<PageResponse> {
    const read = await readAuthorizationRequest(new OAuthParams(request.query), this.links.base, this.clients);
    if (read.kind === 'error_redirect') return { redirect: read.redirect };
    if (read.kind === 'error_page')
      return errorPage(400, `${read.description} Nothing was shared with it.`, 'This request cannot be answered');
    const path = `/oauth/authorize?${queryOf(request)}`;
    if (path.length > MAX_RETURN_TO_CHARACTERS) return this.tooLong(read.request);
    const me = await this.browserSessions.current(request);
    return me ? answer(read.request, me) : this.browserSessions.redirectToSignIn(request, path);
  }

  /** Signed-in developers should notice it at the first try. */
  private tooLong({ redirectUri, state }: AuthorizationRequest): Redirect {
    const error_description = `The authorization request is longer than ${MAX_RETURN_TO_CHARACTERS} characters.`;
    const answer = { error: 'invalid_request', error_description, state };
    return { redirect: authorizationResponseUrl(redirectUri, answer, this.links.base) };
  }

  private async allow(authorization: AuthorizationRequest, me: BrowserSession): Promise<PageResponse> {
    const { client, redirectUri, state } = authorization;
    const consent = { ...authorization, agentId: me.agentId, applicationId: client.id };
    const code = await this.consents.grant(me.accountId, consent);
    return { redirect: authorizationResponseUrl(redirectUri, { code, state }, this.links.base) };
  }

  private deny({ redirectUri, state }: AuthorizationRequest): PageResponse {
    const answer = { error: 'access_denied', error_description: 'The person denied the access.', state };
    return { redirect: authorizationResponseUrl(redirectUri, answer, this.links.base) };
  }
}

function consentPage(request: FastifyRequest, authorization: AuthorizationRequest, me: BrowserSession): PageResponse {
  const proof = csrfToken(me.secret, purposeOf(request));
  const view = <ConsentPage request={authorization} me={me} query={queryOf(request)} proof={proof} csrf={me.csrf} />;
  return { view, formTarget: formTarget(authorization.redirectUri) };
}

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');
const purposeOf = (request: FastifyRequest): string => `consent:${queryOf(request)}`;

/** Browsers apply `form-action` to redirects within the application, too, so the host cannot be fixed. */
function formTarget(redirectUri: string): string {
  return redirectUri.startsWith('https:') ? 'https:' : 'http: https:';
}
