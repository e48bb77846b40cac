import { Clients, Consents } from '#libs/access';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error.page.js';
import type { PageAnswer } from '../pages/page.js';
import { Browsers, type SignedInBrowser } from '../sign-in/browsers.js';
import { csrfToken, refuseForgedForm } from '../pages/csrf.js';
import { Form } from '../pages/form.js';
import {
  type AuthorizationRequest,
  type ReadRequest,
  answerUrl,
  readAuthorizationRequest,
} from './authorization-request.js';
import { ConsentPage } from './consent.page.js';
import { Params } from './params.js';

@Injectable()
export class AuthorizeFlow {
  constructor(
    private readonly browsers: Browsers,
    private readonly clients: Clients,
    private readonly consents: Consents,
    private readonly links: Links,
  ) {}

  async ask(request: FastifyRequest): Promise<PageAnswer> {
    const read = await this.read(request);
    if (read.kind !== 'good') return refused(read);
    const me = await this.browsers.signedIn(request);
    if (!me) return this.browsers.sendToSignIn(request, `/oauth/authorize?${queryOf(request)}`);
    return this.consentPage(request, read.request, me);
  }

  /** The form is bound to the session and to the very query that was shown: neither can be another's. */
  async decide(request: FastifyRequest): Promise<PageAnswer> {
    const read = await this.read(request);
    if (read.kind !== 'good') return refused(read);
    const me = await this.browsers.signedIn(request);
    if (!me) return this.browsers.sendToSignIn(request, `/oauth/authorize?${queryOf(request)}`);
    const form = new Form(request.body);
    refuseForgedForm(request, { secret: me.secret, purpose: purposeOf(request), token: form.text('csrf') });
    return form.text('decision') === 'allow' ? this.allow(read.request, me) : this.deny(read.request);
  }

  private async allow(asked: AuthorizationRequest, me: SignedInBrowser): Promise<PageAnswer> {
    const { client, redirectUri, scopes, scopeRequested, codeChallenge, state } = asked;
    const consent = {
      agentId: me.agentId,
      applicationId: client.id,
      scopes,
      scopeRequested,
      redirectUri,
      codeChallenge,
    };
    const code = await this.consents.give(me.accountId, consent);
    return { redirect: answerUrl(redirectUri, { code, state }, this.links.base) };
  }

  private deny({ redirectUri, state }: AuthorizationRequest): PageAnswer {
    const answer = { error: 'access_denied', error_description: 'The person denied the access.', state };
    return { redirect: answerUrl(redirectUri, answer, this.links.base) };
  }

  private consentPage(request: FastifyRequest, asked: AuthorizationRequest, me: SignedInBrowser): PageAnswer {
    const proof = csrfToken(me.secret, purposeOf(request));
    const view = <ConsentPage request={asked} me={me} query={queryOf(request)} proof={proof} csrf={me.csrf} />;
    return { view, formTarget: formTarget(asked.redirectUri) };
  }

  private read(request: FastifyRequest): Promise<ReadRequest> {
    const params = new Params(request.query);
    return readAuthorizationRequest(params, this.links.base, (clientId) => this.clients.find(clientId));
  }
}

function refused(read: Exclude<ReadRequest, { kind: 'good' }>): PageAnswer {
  if (read.kind === 'tell_application') return { redirect: read.redirect };
  return errorPage(400, `${read.why} Nothing was shared with it.`, 'This request cannot be answered');
}

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');
const purposeOf = (request: FastifyRequest): string => `consent:${queryOf(request)}`;

/**
 * Browsers hold every redirect that follows a form to the page's policy: the one to the application, and those by
 * which the application leads on to another site of its own. So the page names the scheme, not the host; where the
 * form itself goes is written by us alone.
 */
function formTarget(redirectUri: string): string {
  return redirectUri.startsWith('https:') ? 'https:' : 'http: https:';
}
