import { ApplicationsService, BearerTokensService, ConsentsService, TokensService } from '#libs/access';
import { Database } from '#libs/database';
import type { Scope } from '#libs/entities';
import type { WebhookOwner } from '#libs/webhooks';
import type { INestApplicationContext } from '@nestjs/common';
import { type ActingAgent, DAY_MS, type DemoContext } from './demo-context.js';

const REDIRECT_URI = 'https://crm.example/deskwire/callback';

/** Two applications: one with two users and webhooks, and one that only reads. */
export async function authorizeApplications({ app, clock, end, agents }: DemoContext): Promise<WebhookOwner> {
  const [owner, admin, agent] = agents;
  const crm = await registerApplication(app, 'Ledgerline CRM');
  const board = await registerApplication(app, 'Wallboard');
  clock.moveTo(new Date(end.getTime() - 24 * DAY_MS));
  await authorizeApplication(app, admin!, crm, ['read', 'write']);
  clock.moveTo(new Date(end.getTime() - 9 * DAY_MS));
  await authorizeApplication(app, agent!, board, ['read']);
  const maker = await authorizeApplication(app, owner!, crm, ['read', 'write', 'webhooks']);
  clock.moveTo(end);
  return maker;
}

async function registerApplication(app: INestApplicationContext, name: string): Promise<string> {
  const wanted = { name, redirectUris: [REDIRECT_URI] };
  const issued = await app.get(Database).systemTransaction((tx) => app.get(ApplicationsService).create(tx, wanted));
  return issued.application.id;
}

/** Grants access as the consent page and the token endpoint do. Returns the owner of the application's webhooks. */
async function authorizeApplication(
  app: INestApplicationContext,
  { accountId, agentId }: ActingAgent,
  applicationId: string,
  scopes: readonly Scope[],
): Promise<WebhookOwner> {
  const consent = { agentId, applicationId, scopes, scopeRequested: true, redirectUri: REDIRECT_URI };
  const code = await app.get(ConsentsService).grant(accountId, { ...consent, codeChallenge: null });
  const spent = { code, redirectUri: REDIRECT_URI, verifier: undefined };
  const exchanged = await app.get(TokensService).redeemCode(applicationId, spent);
  const bearer = exchanged.ok && (await app.get(BearerTokensService).authenticate(exchanged.response.access_token));
  if (!bearer) throw new Error('The demonstration’s application was not let in.');
  return { ...bearer, requestId: null };
}
