import { createHash } from 'node:crypto';
import { checkOutgoingUrl, requestTarget } from '#libs/address-guard';
import type { AccountDatabase, AccountTx } from '#libs/database';
import { Agent, AlreadyRegistered, Conflict, Forbidden, InvalidField, Webhook, manages } from '#libs/entities';
import { Links, RECORDS, requireUnchanged } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { WebhookOwner } from './webhook-owner.js';
import { findLiveGrant, findRegistered } from './webhook.statements.js';

@Injectable()
export class WebhookValidator {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly links: Links,
  ) {}

  refuseUrl(url: string): void {
    const checked = checkOutgoingUrl(url, { requireHttps: this.settings.WEBHOOK_REQUIRE_HTTPS });
    if (!checked.ok) throw new InvalidField('url', checked.code, `url ${checked.message}`);
  }

  /** Called after the insert. Other inserts wait until the transaction ends. */
  async refuseTooMany(tx: AccountTx): Promise<void> {
    const max = this.settings.WEBHOOKS_PER_ACCOUNT;
    if ((await tx.repository(Webhook).countInTurn()) > max)
      throw new Conflict('too_many_webhooks', `An account has at most ${max} webhooks.`);
  }

  /** Names all webhooks that are in the way. The violated index has ended the transaction. */
  async explainClash(account: AccountDatabase, error: unknown): Promise<never> {
    if (!(error instanceof RegistrationClash)) throw error;
    const existing = await findRegistered(account, error.keys);
    throw new AlreadyRegistered(existing.map((one) => ({ ...one, href: this.links.record('webhooks', one.id) })));
  }

  /** Called with the row locked. */
  requireUnchanged(owner: WebhookOwner, webhook: Webhook): void {
    requireUnchanged(owner, () => [{ webhook: RECORDS.Webhook(webhook, this.links) }]);
  }
}

/**
 * A webhook sends data out of the account, so agents need a manager’s role, or an application that the operator approved.
 * The locks make the end of access wait, which then disables the webhook.
 */
export async function requireMakerOfWebhooks(tx: AccountTx, owner: WebhookOwner, now: Date): Promise<void> {
  const { applicationId, agentId, grantId, role } = owner;
  const isActive = await tx.repository(Agent).lockForChange({ id: agentId, state: 'active' });
  const grant = grantId === null ? undefined : await findLiveGrant(tx, grantId, now);
  if (isActive && grantId !== null && !grant) throw accessEnded();
  const isApproved = applicationId !== null && grant?.isApproved;
  if (!isActive || !(manages(role) || isApproved))
    throw new Forbidden(
      'role_not_allowed',
      'Only owners, admins and applications that the operator approved may register webhooks.',
    );
}

export const accessEnded = () =>
  new Conflict(
    'access_revoked',
    'The access that registered this webhook has ended. Its creator can enable it with new access.',
  );

/** The maker gets the data, so their access must continue. A maker who enables it puts it under their present access. */
export async function restoreWebhookAccess(tx: AccountTx, owner: WebhookOwner, webhook: Webhook, now: Date) {
  // An account cannot judge what endangered the installation.
  if (webhook.disabledReason === 'operator')
    throw new Conflict(
      'disabled_by_operator',
      'The operator of this installation disabled this webhook. Only the operator can enable it.',
    );
  if (isMaker(owner, webhook)) webhook.grantId = owner.grantId;
  else if (webhook.grantId !== null && !(await findLiveGrant(tx, webhook.grantId, now))) throw accessEnded();
}

function isMaker(owner: WebhookOwner, webhook: Webhook): boolean {
  if (owner.applicationId !== webhook.applicationId) return false;
  return owner.applicationId !== null || owner.agentId === webhook.agentId;
}

type Registration = Pick<Webhook, 'applicationId' | 'agentId' | 'event' | 'url'>;

/** A digest, because an index entry cannot hold 2,048 characters. */
export function registrationKey({ applicationId, agentId, event, url }: Registration): Buffer {
  return createHash('sha256')
    .update(`${applicationId ?? agentId} ${event} ${requestTarget(url)}`)
    .digest();
}

class RegistrationClash extends Error {
  constructor(readonly keys: readonly Buffer[]) {
    super('A webhook of the maker has this event and URL');
  }
}

export const clashOf =
  (wanted: readonly Webhook[]) =>
  (error: unknown): never => {
    if ((error as { constraint?: string }).constraint !== 'webhooks_registration_idx') throw error;
    throw new RegistrationClash(wanted.map(registrationKey));
  };
