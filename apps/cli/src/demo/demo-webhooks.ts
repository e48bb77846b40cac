import { type AccountTx, Database, uuidAt } from '#libs/database';
import {
  Attempt,
  Delivery,
  type DeliveryState,
  type DisabledReason,
  OwedDelivery,
  type Scope,
  Webhook,
  type Application,
} from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { type WebhookOwner, WebhooksService } from '#libs/webhooks';
import { DAY_MS, type DemoContext, HOUR_MS, type ActingAgent } from './demo-context.js';
import { COUNT_ATTEMPTS, FIND_RECENT_EVENTS } from './demo.statements.js';
import { ApplicationsService, GrantsService, TokensService } from '#libs/access';
import type { INestApplicationContext } from '@nestjs/common';

interface DemoWebhook {
  readonly event: EventKind;
  readonly url: string;
  /** Outcomes of its deliveries; repeat one to make it more likely. */
  readonly results: readonly (keyof typeof RESULTS)[];
  readonly owner?: 'application';
  readonly pause?: true;
  readonly disabled?: Exclude<DisabledReason, 'access_revoked'>;
}

type DeliveryResult = {
  state: DeliveryState;
  attempts: number;
  status: number | null;
  error: string | null;
};

const RESULTS = {
  atOnce: { state: 'delivered', attempts: 1, status: 204, error: null },
  late: { state: 'delivered', attempts: 3, status: 200, error: null },
  failed: { state: 'exhausted', attempts: 10, status: 500, error: null },
  unreachable: { state: 'exhausted', attempts: 10, status: null, error: 'dns' },
  cancelled: { state: 'cancelled', attempts: 2, status: null, error: 'timeout' },
  retried: { state: 'pending', attempts: 3, status: 503, error: null },
  untried: { state: 'pending', attempts: 0, status: null, error: null },
} satisfies Record<string, DeliveryResult>;

const SHOP = 'https://hooks.shop.example/deskwire';
const CRM = 'https://crm.example/in/deskwire';
const OLD = 'https://old-crm.example/hook';
const REPORTS = 'https://reports.example/closed';

const DEMO_WEBHOOKS: readonly DemoWebhook[] = [
  { event: 'ticket_started', url: SHOP, results: ['atOnce', 'atOnce', 'atOnce', 'late'] },
  { event: 'agent_replied', url: CRM, results: ['atOnce', 'atOnce', 'failed', 'late'], owner: 'application' },
  { event: 'ticket_tagged', url: CRM, results: ['atOnce', 'late', 'retried'], owner: 'application' },
  { event: 'customer_replied', url: OLD, results: ['unreachable', 'untried', 'cancelled', 'untried'], pause: true },
  { event: 'ticket_closed', url: REPORTS, results: ['failed', 'unreachable', 'cancelled'], disabled: 'failing' },
  { event: 'note_added', url: 'https://chat.example/hooks/7', results: ['atOnce', 'cancelled'], disabled: 'operator' },
];

/**
 * Demo webhooks with a delivery history. The history is written directly, because no receiver listens at their URLs.
 */
export async function addDemoWebhooks(
  { app, random, end }: DemoContext,
  owners: Readonly<Record<'console' | 'application', WebhookOwner>>,
): Promise<void> {
  const webhooks = app.get(WebhooksService);
  const account = app.get(Database).account(owners.console.accountId);
  const since = new Date(end.getTime() - 5 * DAY_MS);
  for (const { event, url, results, pause, disabled: disabledReason, owner = 'console' } of DEMO_WEBHOOKS) {
    const { webhook } = (await webhooks.createEach(owners[owner], { events: [event], url }))[0]!;
    if (pause) await webhooks.change(owners[owner], webhook.id, { state: 'paused' });
    await account.transaction(async (tx) => {
      const found = await tx.rows<{ eventId: string; createdAt: Date }>(FIND_RECENT_EVENTS, [event, since]);
      for (const one of found)
        await insertPastDelivery(tx, { ...one, webhookId: webhook.id, event, end }, RESULTS[random.pick(results)]);
      await tx.rows(COUNT_ATTEMPTS, [webhook.id]);
      const disabled = { state: 'disabled', failingSince: since, updatedAt: end } as const;
      if (disabledReason) await tx.repository(Webhook).update({ id: webhook.id }, { ...disabled, disabledReason });
    });
  }
}

type PastDelivery = Pick<Delivery, 'webhookId' | 'eventId' | 'createdAt'> & { event: EventKind; end: Date };

async function insertPastDelivery(tx: AccountTx, past: PastDelivery, result: DeliveryResult): Promise<void> {
  const { webhookId, eventId, event: kind, createdAt, end } = past;
  const { state, attempts, status: lastStatus, error: lastError } = result;
  const nextAttemptAt = state === 'pending' ? new Date(end.getTime() + 9 * HOUR_MS) : null;
  const ended = { state, lastStatus, lastError, nextAttemptAt, finishedAt: nextAttemptAt ? null : createdAt };
  const id = uuidAt(createdAt);
  const delivery = { webhookId, eventId, attempts };
  await tx.repository(Delivery).insert({ ...delivery, ...ended, id, kind, createdAt });
  if (nextAttemptAt)
    await tx.repository(OwedDelivery).insert({ ...delivery, deliveryId: id, queued: false, dueAt: nextAttemptAt });
  for (let number = 1; number <= attempts; number++)
    await tx.repository(Attempt).insert({ ...pastAttempt(past, result, number), webhookId, deliveryId: id });
}

/** The last attempt has the outcome of the delivery; earlier ones failed. */
function pastAttempt(
  { event, createdAt, end }: PastDelivery,
  { attempts, state, ...result }: DeliveryResult,
  number: number,
) {
  const isLast = number === attempts;
  const { status, error } = isLast ? result : { status: 503, error: null };
  const endReason = state === 'exhausted' ? 'exhausted' : null;
  const begin = createdAt.getTime();
  const span = Math.min(end.getTime() - begin, 3 * DAY_MS);
  return {
    id: uuidAt(createdAt),
    number,
    startedAt: new Date(begin + span * ((number - 1) / attempts) ** 3),
    durationMs: 80 + number * 37,
    status,
    error,
    errorDetail: null,
    responseBody: (error ?? status === 204) ? null : 'upstream unavailable',
    requestHeaders: { 'content-type': 'application/json; charset=utf-8', 'webhook-event': event },
    nextReason: isLast && state !== 'pending' ? endReason : 'schedule',
    nextAttemptAt: null,
  };
}

const REDIRECT_URI = 'https://crm.example/deskwire/callback';

/** Two applications: one with two users and webhooks, and one that only reads. */
export async function authorizeApplications({ app, clock, end, agents }: DemoContext): Promise<WebhookOwner> {
  const [owner, admin, agent] = agents;
  const crm = await registerApplication(app, 'Ledgerline CRM');
  const board = await registerApplication(app, 'Wallboard');
  clock.at = new Date(end.getTime() - 24 * DAY_MS);
  await authorizeApplication(app, admin!, crm, ['read', 'write']);
  clock.at = new Date(end.getTime() - 9 * DAY_MS);
  await authorizeApplication(app, agent!, board, ['read']);
  const maker = await authorizeApplication(app, owner!, crm, ['read', 'write', 'webhooks']);
  clock.at = end;
  return maker;
}

async function registerApplication(app: INestApplicationContext, name: string) {
  const wanted = { name, redirectUris: [REDIRECT_URI] };
  const issued = await app.get(Database).systemTransaction((tx) => app.get(ApplicationsService).create(tx, wanted));
  return issued.application;
}

/** Grants access as the consent page and the token endpoint do. Returns the owner of the application's webhooks. */
async function authorizeApplication(
  app: INestApplicationContext,
  { accountId, agentId }: ActingAgent,
  application: Application,
  scopes: readonly Scope[],
): Promise<WebhookOwner> {
  const asked = { scopes, scopeRequested: true, audiences: ['api' as const], redirectUri: REDIRECT_URI };
  const consent = { ...asked, agentId, applicationId: application.id, expiresAt: null, codeChallenge: null };
  const code = await app.get(GrantsService).grant(accountId, consent);
  const spent = { code, redirectUri: REDIRECT_URI, verifier: undefined };
  const exchanged = await app.get(TokensService).redeemCode(application, spent);
  const bearer = exchanged.ok && (await app.get(TokensService).authenticate(exchanged.response.access_token));
  if (!bearer) throw new Error('The demo application was not authorized.');
  return { ...bearer, requestId: null };
}
