import { type Candidate, SignIns, Visits } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error.page.js';
import type { PageAnswer } from '../pages/page.js';
import { Browsers, localPath } from './browsers.js';
import { csrfToken, refuseForgedForm } from '../pages/csrf.js';
import { Form } from '../pages/form.js';
import { ChooseAccountPage, SignInPage } from './sign-in.pages.js';

const WRONG = 'E-mail or password is wrong.';

@Injectable()
export class SignInFlow {
  constructor(
    private readonly browsers: Browsers,
    private readonly signIns: SignIns,
    private readonly visits: Visits,
  ) {}

  async show(request: FastifyRequest): Promise<PageAnswer> {
    if (await this.browsers.signedIn(request)) return { redirect: '/' };
    const { secret, cookies } = this.browsers.visit(request);
    return { view: <SignInPage csrf={csrfToken(secret)} />, cookies };
  }

  async tryPassword(request: FastifyRequest): Promise<PageAnswer> {
    const form = new Form(request.body);
    const secret = this.provenVisit(request, form);
    const email = form.text('email');
    const answer = await this.signIns.tryPassword(email, form.text('password'), request.ip);
    if (answer.kind === 'throttled') return tooMany(answer.retryAfterSeconds);
    if (answer.kind === 'matched') return this.enter(request, secret, answer.agents);
    return { view: <SignInPage csrf={csrfToken(secret)} email={email} error={WRONG} />, status: 422 };
  }

  /** Only among the agents whose password this browser has just given. */
  async chooseAccount(request: FastifyRequest): Promise<PageAnswer> {
    const form = new Form(request.body);
    const agents = await this.signIns.chosen(await this.visits.agentIds(this.provenVisit(request, form)));
    const chosen = agents.find(({ id }) => id === form.text('agent'));
    return chosen ? this.browsers.signIn(request, chosen) : { redirect: '/sign-in' };
  }

  async signOut(request: FastifyRequest, returnTo: unknown): Promise<PageAnswer> {
    const signedIn = await this.browsers.signedIn(request);
    if (!signedIn) return { redirect: '/sign-in' };
    refuseForgedForm(request, { secret: signedIn.secret, token: new Form(request.body).text('csrf') });
    return this.browsers.signOut(request, typeof returnTo === 'string' ? localPath(returnTo) : undefined);
  }

  private async enter(request: FastifyRequest, secret: string, agents: readonly Candidate[]): Promise<PageAnswer> {
    const [only, ...others] = agents;
    if (only && others.length === 0) return this.browsers.signIn(request, only);
    await this.visits.rememberAgents(
      secret,
      agents.map(({ id }) => id),
    );
    return { view: <ChooseAccountPage csrf={csrfToken(secret)} agents={agents} /> };
  }

  private provenVisit(request: FastifyRequest, form: Form): string {
    const secret = this.browsers.visitSecret(request);
    refuseForgedForm(request, { secret, token: form.text('csrf') });
    return secret ?? '';
  }
}

export function tooMany(retryAfterSeconds: number): PageAnswer {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const page = errorPage(429, `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
  return { ...page, retryAfterSeconds };
}
