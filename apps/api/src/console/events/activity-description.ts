import type { ActivityDetail } from '#libs/entities';

interface DescribedActivity {
  readonly kind: string;
  readonly detail: ActivityDetail;
  readonly actor: string | null;
}

const detailText = (detail: ActivityDetail, name: string): string | null => {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const DESCRIPTIONS: Readonly<Record<string, (detail: ActivityDetail) => string>> = {
  ticket_started: () => 'started this ticket',
  ticket_opened: () => 'opened this',
  ticket_closed: () => 'closed this',
  ticket_assigned: (detail) => assigned(detailText(detail, 'assignee'), detailText(detail, 'group')),
  ticket_priority_changed: (detail) => {
    const priority = detailText(detail, 'priority');
    return priority ? `set the priority to ${priority}` : 'removed the priority';
  },
  ticket_tagged: ({ tags }) =>
    Array.isArray(tags) && tags.length > 0 ? `set the tags to ${tags.join(', ')}` : 'removed all tags',
  ticket_moved: (detail) => `moved this to ${detailText(detail, 'mailbox') ?? 'another mailbox'}`,
  ticket_deleted: () => 'deleted this',
  ticket_restored: () => 'restored this',
  ticket_state_changed: (detail) => `marked this as ${detailText(detail, 'state') ?? 'changed'}`,
  ticket_retitled: (detail) => `changed the subject to “${detailText(detail, 'title') ?? '(no subject)'}”`,
  customer_added: () => 'added the customer',
  customer_replied: () => 'wrote as the customer',
  agent_replied: () => 'replied',
  note_added: () => 'added a note',
  files_attached: () => 'attached files',
  customer_changed: () => 'changed the customer',
  customer_deleted: () => 'deleted the customer',
  agent_invited: () => 'invited the agent',
  agent_archived: () => 'archived the agent',
  agent_changed: () => 'changed the agent',
  agent_restored: () => 'restored the agent',
  group_created: () => 'added the group',
  group_changed: () => 'changed the group',
  group_deleted: () => 'deleted the group',
  mailbox_created: () => 'added the mailbox',
  mailbox_changed: () => 'changed the mailbox',
  mailbox_deleted: () => 'deleted the mailbox',
  webhook_created: () => 'added the webhook',
  webhook_changed: () => 'changed the webhook',
  webhook_deleted: () => 'deleted the webhook',
  webhook_secret_read: () => 'looked at the secret of the webhook',
  webhook_secret_rotated: () => 'rotated the secret of the webhook',
  webhook_tested: () => 'sent a test to the webhook',
  webhook_replayed: () => 'replayed deliveries to the webhook',
  webhook_replay_cancelled: () => 'cancelled a replay to the webhook',
  webhook_redelivered: () => 'redelivered to the webhook',
  application_authorised: () => 'let in the application',
  application_revoked: () => 'took away the access of the application',
};

/** Every kind that is told of in words. */
export const ACTIVITY_KINDS: readonly string[] = Object.keys(DESCRIPTIONS).toSorted();

function assigned(assignee: string | null, group: string | null): string {
  if (assignee && group) return `assigned this to ${assignee} and the group ${group}`;
  if (assignee) return `assigned this to ${assignee}`;
  return group ? `assigned this to the group ${group}` : 'took the assignment away';
}

/** What happened, as one would say it: for the thread, where “this” is the ticket one is looking at. */
export function describeActivity(activity: DescribedActivity): string {
  return `${activity.actor ?? 'Somebody'} ${describeAction(activity)}`;
}

export function describeAction({ kind, detail }: Pick<DescribedActivity, 'kind' | 'detail'>): string {
  return DESCRIPTIONS[kind]?.(detail) ?? kind.replaceAll('_', ' ');
}
