import { ApplicationsService, GrantsService } from '#libs/access';
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
  authorizationResponseUrl,
  readAuthorizationRequest,
} from './authorization-request.js';
import { ConsentPage } from './consent.page.js';

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
        return this.respond(authorization, refusal('access_denied', 'The user denied access.'));
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
      return errorPage(400, `${read.description} Nothing was shared with it.`, 'This request is not valid');
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
