import type { AccountScope } from '#libs/database';
import { type AgentRole, type Scope, type Webhook, manages, requireScopes } from '#libs/entities';
import type { ActivityDescription, Actor } from '#libs/events';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';

export interface WebhookOwner extends AccountScope, Actor {
  readonly agentId: string;
  readonly role: AgentRole;
  readonly grantId: string | null;
  readonly scopes: readonly Scope[];
  /** The activity names no agent. */
  readonly isOperator?: true;
  readonly ifMatch?: readonly string[];
}

/** Applications see what they made for this account, people what they made. Takes the placeholders of `ownerValues`. */
export const visibleToOwner = ([all, application, agent]: readonly string[]): string =>
  `(${all}::boolean or (w.application_id is not distinct from ${application}::uuid
     and (w.application_id is not null or w.agent_id = ${agent}::uuid)))`;

export const ownerValues = ({ scopes, role, applicationId, agentId }: WebhookOwner) =>
  [scopes.includes('admin') && manages(role), applicationId, agentId] as const;

/** A webhook sends what its maker may read. */
export function requireReaderOf({ scopes }: WebhookOwner, events: readonly string[]): void {
  const needed = events.map((event) => EVENT_KINDS[event as EventKind].scope);
  requireScopes(scopes, needed);
}

type DescribedWebhook = Pick<Webhook, 'id' | 'url' | 'event'>;

export const describeWebhookActivity = ({ id, url, event }: DescribedWebhook): ActivityDescription => ({
  subject: url,
  detail: { webhook: id, event },
});
