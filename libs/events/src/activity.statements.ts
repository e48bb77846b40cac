import {
  type AccountTx,
  type SystemConnection,
  accountStatement,
  filter,
  systemStatement,
  uuidAt,
} from '#libs/database';
import { type ActivityDetail, Agent, Customer, Message, Ticket } from '#libs/entities';
import { EVENT_KINDS, type EventKind, type KindOfEvent } from '#libs/payloads';

export interface ActivityDescription {
  readonly ticketId: string | null;
  readonly subject: string;
  readonly detail: ActivityDetail;
}

/** The full record is in the event itself. */
export function describeActivity(kind: EventKind, subject: Ticket | Message | Customer | Agent): ActivityDescription {
  const described: KindOfEvent = EVENT_KINDS[kind];
  if (subject instanceof Ticket) return describeTicketActivity(subject, described.detail?.(subject) ?? {});
  if (subject instanceof Message)
    return { ticketId: subject.ticketId, subject: `#${subject.ticketNumber}`, detail: { message: subject.id } };
  return { ticketId: null, subject: subject.email, detail: {} };
}

export function describeTicketActivity(ticket: Ticket, detail: ActivityDetail): ActivityDescription {
  return { ticketId: ticket.id, subject: `#${ticket.number}`, detail };
}

export interface Actor {
  /** Null when no agent acted, as for an incoming mail. */
  readonly agentId: string | null;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
}

const INSERT = accountStatement(
  'activity_note',
  `insert into activities (id, account_id, kind, agent_id, application_id, ticket_id, subject, detail, request_id, created_at)
   values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** Without an agent, the system or the operator acted. */
export async function insertActivity(
  tx: AccountTx,
  actor: { readonly [K in keyof Actor]: string | null },
  activity: ActivityDescription & { readonly kind: string },
  now: Date,
): Promise<void> {
  const { agentId, applicationId, requestId } = actor;
  const { kind, ticketId, subject, detail } = activity;
  tx.send(INSERT, [uuidAt(now), kind, agentId, applicationId, ticketId, subject, detail, requestId, now]);
}

const DELETE_OF_TICKETS = accountStatement(
  'activities_delete_of_tickets',
  `delete from activities where ${filter('account_id = $1')} and ticket_id = any($2)`,
);

export async function deleteActivitiesOfTickets(tx: AccountTx, ticketIds: readonly string[]): Promise<void> {
  await tx.rows(DELETE_OF_TICKETS, [ticketIds]);
}

const DELETE_BEFORE = systemStatement(
  'upkeep_activities',
  'What is kept is decided by its age alone, in every account',
  `delete from activities where ctid = any(array(
     select ctid from activities where ticket_id is null and id < uuid_at($1) order by id limit $2)) returning 1`,
);

/** Returns how many were deleted. */
export async function deleteActivitiesBefore(db: SystemConnection, before: Date, limit: number): Promise<number> {
  return (await db.rows(DELETE_BEFORE, [before, limit])).length;
}
