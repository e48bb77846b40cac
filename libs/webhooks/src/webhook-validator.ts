import { createHash } from 'node:crypto';
import type { AccountTx } from '#libs/database';
import { Conflict, Forbidden, InvalidField, PreconditionFailed, Webhook, manages } from '#libs/entities';
import { Links, RECORDS, entityTag } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { WebhookOwner } from './webhook-owner.js';
import { checkWebhookUrl, requestTarget } from './webhook-url.js';
import { isGrantLive } from './webhook.statements.js';

/** Refuses invalid webhooks and changes. */
@Injectable()
export class WebhookValidator {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly links: Links,
  ) {}

  refuseUrl(url: string): void {
    const checked = checkWebhookUrl(url, { requireHttps: this.settings.WEBHOOK_REQUIRE_HTTPS });
    if (!checked.ok) throw new InvalidField('url', checked.code, `url ${checked.message}`);
  }

  /** Called after inserting. Other inserts for the account wait from here until the end of the transaction. */
  async refuseTooMany(tx: AccountTx): Promise<void> {
    const max = this.settings.WEBHOOKS_PER_ACCOUNT;
    if ((await tx.repository(Webhook).countInTurn()) > max)
      throw new Conflict('too_many_webhooks', `An account has at most ${max} webhooks.`);
  }

  /** Called with the row locked, so nothing changes between this check and the update. */
  requireUnchanged({ ifMatch }: WebhookOwner, webhook: Webhook): void {
    if (ifMatch && !ifMatch.includes(entityTag({ webhook: RECORDS.Webhook(webhook, this.links) })))
      throw new PreconditionFailed();
  }
}

/**
 * A webhook sends data out of the account, so only owners and admins make them in the console or with personal tokens.
 * An application was approved by the operator, so it makes webhooks for any agent.
 */
export function requireMakerOfWebhooks({ applicationId, role }: WebhookOwner): void {
  if (applicationId === null && !manages(role))
    throw new Forbidden('role_not_allowed', 'Only owners and admins, and applications, may make webhooks.');
}

/**
 * Called before a disabled webhook runs again. The webhook sends an account's data to its maker. If the maker enables
 * it, it continues under the maker's present access; for anyone else the maker must still have access.
 */
export async function restoreWebhookAccess(tx: AccountTx, owner: WebhookOwner, webhook: Webhook): Promise<void> {
  // The operator disables what endangers the installation or others, which an account cannot judge.
  if (webhook.disabledReason === 'operator')
    throw new Conflict(
      'disabled_by_operator',
      'The operator of this installation stopped this webhook. Ask them to start it again.',
    );
  if (isMaker(owner, webhook)) webhook.grantId = owner.grantId;
  else if (webhook.grantId !== null && !(await isGrantLive(tx, webhook.grantId)))
    throw new Conflict('access_revoked', 'The access under which this webhook was made has ended.');
}

function isMaker(owner: WebhookOwner, webhook: Webhook): boolean {
  if (owner.applicationId !== webhook.applicationId) return false;
  return owner.applicationId !== null || owner.agentId === webhook.agentId;
}

type Registration = Pick<Webhook, 'applicationId' | 'agentId' | 'event' | 'url'>;

/**
 * The unique key of a webhook: one per event kind and address, for each application or person. A digest, because an
 * index entry cannot hold an address of 2,048 characters.
 */
export function registrationKey({ applicationId, agentId, event, url }: Registration): Buffer {
  return createHash('sha256')
    .update(`${applicationId ?? agentId} ${event} ${requestTarget(url)}`)
    .digest();
}

/** Translates the unique violation of an insert or update. */
export const duplicateRefusal =
  ({ event }: Pick<Webhook, 'event'>) =>
  (error: unknown): never => {
    if ((error as { constraint?: string }).constraint !== 'webhooks_registration_idx') throw error;
    throw new InvalidField('url', 'already_registered', `url already has a webhook for ${event}`);
  };
