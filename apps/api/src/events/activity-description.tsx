import type { ActivityDetail, TicketState } from '#libs/entities';
import { EVENT_KINDS, type EventKind, type TicketActivity } from '#libs/payloads';
import { usePageContext } from '../layers/ui/page-context.js';
import { clockTime } from '../layers/ui/zoned-time.js';

interface DescribedActivity {
  readonly kind: string;
  readonly detail: ActivityDetail;
  readonly actor: string | null;
}

const detailText = (detail: ActivityDetail, name: string): string | null => {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

interface Reader {
  readonly now: Date;
  readonly timeZone: string;
  readonly actor: string | null;
}

type Action = string | ((detail: ActivityDetail, reader: Reader) => string);

const STATE_ACTIONS: Readonly<Record<TicketState, string>> = {
  unread: 'set this to new',
  opened: 'set this to open',
  pending: 'set this to waiting for customer',
  closed: 'closed this',
  spam: 'marked this as spam',
};

/** Activities that no webhook can receive, and words that depend on the reader. */
const OTHER_ACTIONS = {
  ticket_assigned: (detail, { actor }) =>
    actor !== null && detail['assignee'] === actor && detail['group'] === null
      ? 'took this ticket'
      : EVENT_KINDS.ticket_assigned.action(detail),
  ticket_restored: 'restored this',
  ticket_state_changed: ({ state }) => STATE_ACTIONS[state as TicketState],
  ticket_retitled: (detail) => `changed the subject to “${detailText(detail, 'title') ?? '(no subject)'}”`,
  ticket_customer_changed: (detail) => `changed the customer to ${detailText(detail, 'customer') ?? 'another one'}`,
  ticket_snoozed: ({ snoozed_until: until }, { now, timeZone }) =>
    typeof until === 'string' ? `snoozed this until ${clockTime(new Date(until), now, timeZone)}` : 'ended the snooze',
  ticket_fields_changed: (detail) => `changed the ${'custom' in detail ? 'custom fields' : 'external ID'}`,
  ticket_forwarded: ({ to, ticket }) =>
    to ? `forwarded this to ${String(to)} as #${String(ticket)}` : `forwarded this from #${String(ticket)}`,
  reply_unscheduled: describeUnscheduled,
  ticket_merged: ({ ticket }) => `merged #${String(ticket)} into this ticket`,
  ticket_unmerged: ({ ticket }) => `undid the merge of #${String(ticket)}`,
  ticket_imported: 'imported this',
  message_imported: 'imported a message',
  ticket_woken: 'is back: its snooze has ended',
  files_attached: 'attached files',
  automatic_mail_came: 'added an automatic message',
  older_mail_came: 'was imported from before the mailbox was connected',
  mail_bounced: 'bounced the email with a reply',
  mail_sent_again: 'resent the email',
  deleted_ticket_answered: ({ ticket }) => `replied to the deleted ticket #${String(ticket)}`,
  other_ticket_answered: ({ ticket }) => `opened this because its sender is not part of ticket #${String(ticket)}`,
  customer_changed: 'changed the customer',
  customer_imported: 'imported the customer',
  customer_deleted: 'deleted the customer',
  agent_changed: 'changed the agent',
  agent_restored: 'restored the agent',
  group_created: 'added the group',
  group_changed: 'changed the group',
  group_deleted: 'deleted the group',
  saved_reply_created: 'added the saved reply',
  saved_reply_changed: 'changed the saved reply',
  saved_reply_deleted: 'deleted the saved reply',
  mailbox_created: 'added the mailbox',
  mailbox_changed: 'changed the mailbox',
  mailbox_deleted: 'deleted the mailbox',
  mailbox_imap_changed: 'changed the IMAP settings of the mailbox',
  mailbox_imap_removed: 'removed the IMAP settings of the mailbox',
  mailbox_imap_paused: 'paused IMAP of the mailbox',
  mailbox_imap_resumed: 'resumed IMAP of the mailbox',
  mailbox_import_started: 'started an import of older mail into the mailbox',
  mailbox_import_stopped: 'stopped the import of older mail into the mailbox',
  mailbox_smtp_changed: 'set the mail server of the mailbox',
  mailbox_smtp_deleted: 'removed the mail server of the mailbox',
  quarantined_mail_released: 'released a quarantined email',
  quarantined_mail_discarded: 'discarded a quarantined email',
  webhook_created: 'added the webhook',
  webhook_changed: 'changed the webhook',
  webhook_deleted: 'deleted the webhook',
  webhook_secret_read: 'viewed the secret of the webhook',
  webhook_secret_rotated: 'rotated the secret of the webhook',
  webhook_tested: 'sent a test event to the webhook',
  webhook_replayed: 'replayed deliveries to the webhook',
  webhook_replay_cancelled: 'cancelled a replay to the webhook',
  webhook_redelivered: 'redelivered an event to the webhook',
  two_factor_enabled: 'set up two-factor sign-in',
  two_factor_disabled: 'turned off two-factor sign-in',
  two_factor_reset: 'reset two-factor sign-in',
  undo_sending_changed: 'changed the delay of replies',
  assistants_sending_changed: 'changed replies by assistants',
  time_zone_changed: 'changed the time zone of the account',
  two_factor_requirement_changed: 'changed who needs two-factor sign-in',
  recovery_codes_replaced: 'generated new recovery codes',
  recovery_code_used: 'signed in with a recovery code',
  application_authorised: 'granted access to the application',
  application_revoked: 'revoked the access of the application',
  application_created: 'created the application',
  application_changed: 'changed the application',
  application_approved: 'approved the application',
  application_secret_rotated: 'rotated the secret of the application',
  application_old_secret_ended: 'ended the old secret of the application',
  application_disabled: 'disabled the application',
  application_enabled: 'enabled the application',
  application_deleted: 'deleted the application',
} satisfies Record<string, Action> & Record<Exclude<TicketActivity, EventKind>, Action>;

function describeUnscheduled({ due_at, author, refused }: ActivityDetail, { now, timeZone }: Reader): string {
  const time = clockTime(new Date(String(due_at)), now, timeZone);
  if (author) return `took over the reply that ${String(author)} had scheduled for ${time}`;
  const reason = String(refused).replace(/\.$/, '');
  return `has a draft again. The reply scheduled for ${time} was not sent: ${reason}`;
}

const EVENT_ACTIONS = Object.entries(EVENT_KINDS).map(([kind, { action }]) => [kind, action]);
const ACTIONS: Readonly<Record<string, Action>> = { ...Object.fromEntries(EVENT_ACTIONS), ...OTHER_ACTIONS };

export const ACTIVITY_KINDS: readonly string[] = Object.keys(ACTIONS).toSorted();

/** Names the actor of activities without an agent. */
const OTHER_ACTORS: Readonly<Record<string, string>> = {
  ticket_woken: 'This',
  ticket_started: 'An email',
  ticket_opened: 'An email',
  customer_added: 'An email',
  customer_replied: 'An email',
  files_attached: 'An email',
  automatic_mail_came: 'An email',
  older_mail_came: 'An email',
  mail_bounced: 'A mail server',
  deleted_ticket_answered: 'An email',
  other_ticket_answered: 'An email',
};

function describeAction({ kind, detail, actor }: DescribedActivity): string {
  const { now, me } = usePageContext();
  const action = ACTIONS[kind] ?? kind.replaceAll('_', ' ');
  return typeof action === 'string' ? action : action(detail, { now, timeZone: me.timeZone, actor });
}

/** For the thread of a ticket, which it calls “this”. Links the other ticket that the activity is about. */
export function ActivitySentence({ activity }: { activity: DescribedActivity }) {
  const actor = activity.actor ?? OTHER_ACTORS[activity.kind] ?? 'Deskwire';
  const sentence = `${actor} ${describeAction(activity)}`;
  const { ticket } = activity.detail;
  const name = `#${String(ticket)}`;
  if (!sentence.endsWith(name)) return <>{sentence}</>;
  return (
    <>
      {sentence.slice(0, -name.length)}
      <a href={`/tickets/${String(ticket)}`}>{name}</a>
    </>
  );
}

export function ActivityAction({ activity }: { activity: DescribedActivity }) {
  return <>{describeAction(activity)}</>;
}
