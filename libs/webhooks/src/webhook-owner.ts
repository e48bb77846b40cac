import type { AccountScope } from '#libs/database';
import { type AgentRole, manages } from '#libs/entities';

/** Who asks: a person, or an application that a person let in. */
export interface WebhookOwner extends AccountScope {
  readonly agentId: string;
  readonly role: AgentRole;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  /** Null in the console. */
  readonly grantId: string | null;
  readonly scopes: readonly string[];
  readonly requestId: string | null;
  /** The operator acts for an owner, and no agent did it. */
  readonly isOperator?: true;
  readonly ifMatch?: readonly string[];
}

/** Owners and admins, where the token says `admin`, have all webhooks of the account before them. */
export const seesAll = ({ scopes, role }: WebhookOwner): boolean => scopes.includes('admin') && manages(role);

/**
 * What everybody has before them: an application what it made for this account, a person what they made themselves.
 * A condition over `w`, with the places of the three `ownerValues`.
 */
export const visibleToOwner = ([all, application, agent]: readonly string[]): string =>
  `(${all}::boolean or (w.application_id is not distinct from ${application}::uuid
     and (w.application_id is not null or w.agent_id = ${agent}::uuid)))`;

export const ownerValues = (owner: WebhookOwner): [boolean, string | null, string] => [
  seesAll(owner),
  owner.applicationId,
  owner.agentId,
];
