import { NIL_UUID } from '#libs/database';
import {
  ACCOUNT,
  LEASED_UNTIL,
  NOW,
  ROWS,
  SNOOZED,
  DISABLED_WEBHOOK,
  WEBHOOK,
  WEBHOOKS,
  WEBHOOKS_OF_AN_EVENT,
  idOf,
  idsOf,
  later,
} from './pipeline-rows.js';

export interface Case {
  readonly values: readonly unknown[];
  /** Rows that the statement should read: by their keys, its limit, or because they are due. */
  readonly asked: number;
}

const BATCH = 50;
/** The limit of upkeep; ten rows have expired. */
const LIMIT = 2_000;
const ENDED = 10;

const DELIVERIES = idsOf('delivery', 4001, BATCH);
const of = <T>(value: T): T[] => DELIVERIES.map(() => value);

/** Every second event in the outbox is express. */
const EXPRESS_EVENTS = Array.from({ length: BATCH }, (_, place) => idOf('event', 2 * place + 2));

const one = (...values: unknown[]): Case => ({ values, asked: 1 });
const ended = (...values: unknown[]): Case => ({ values, asked: ENDED });
/** For statements that read all rows. */
const all = (asked: number, ...values: unknown[]): Case => ({ values, asked });

const REPLAY_RANGE = [
  ACCOUNT,
  WEBHOOK,
  new Date('2030-01-07T00:00:00Z'),
  NOW,
  null,
  BATCH,
  ['exhausted', 'cancelled', 'pending'],
  null,
];

/** The mailbox, the mail, its sender and its headers. */
const ARRIVED = [idOf('row', 1), idOf('row', 1), 'ada@client.test', 'two@client.test', '', null];

/** The statements of a worker for all accounts, and those of mail for one, with values for the rows of `pipeline-rows.ts`. */
export const WORKER_CASES: Readonly<Record<string, Case>> = {
  relay_claim: { values: [NIL_UUID, 1_000, NOW, LEASED_UNTIL, []], asked: 1_000 },
  relay_ring: one(ACCOUNT),
  outbox_late: { values: [NOW, BATCH, NIL_UUID], asked: BATCH },
  outbox_leave_to_relay: { values: [idsOf('event', 201, BATCH)], asked: BATCH },
  owed_lease_due: { values: [NIL_UUID, 500, NOW, LEASED_UNTIL, 2, 500, 1], asked: 1_000 },
  owed_extend_leases: { values: [DELIVERIES, of(0), LEASED_UNTIL], asked: BATCH },
  owed_give_back: { values: [DELIVERIES, of(0), of(NOW)], asked: BATCH },
  owed_give_back_all: all(ROWS / 4, NOW),
  delivery_load: {
    values: [NOW, DELIVERIES, of(LEASED_UNTIL)],
    asked: BATCH,
  },
  delivery_secrets: { values: [idsOf('secret', 1, BATCH)], asked: BATCH },
  delivery_load_first: { values: [NOW, EXPRESS_EVENTS], asked: BATCH * WEBHOOKS_OF_AN_EVENT },
  delivery_record: { values: recordValues(), asked: BATCH },
  delivery_record_first: { values: firstRecordValues(), asked: BATCH },
  webhook_slow: one(WEBHOOK, later(60_000)),
  webhook_disable: one(WEBHOOK, 'gone', NOW, null, 'https://hooks.example/'),
  replay_take: { values: [NOW, BATCH], asked: BATCH },
  replay_lock_webhook: one(ACCOUNT, WEBHOOK),
  replay_count: { values: REPLAY_RANGE, asked: BATCH },
  replay_owe: { values: [...REPLAY_RANGE, BATCH, NOW], asked: BATCH },
  owed_cancel_of_webhook: { values: [ACCOUNT, DISABLED_WEBHOOK, NOW, BATCH], asked: BATCH },
  undeliverable_find: all(WEBHOOKS),
  health_find_failing: all(WEBHOOKS, NOW, 10, NOW),
  webhook_warn: one(WEBHOOK, NOW, NOW, 'at noon'),
  webhooks_recover: all(WEBHOOKS, NOW, LIMIT),
  metrics_webhooks: all(WEBHOOKS),
  metrics_finished_tasks: one(),
  upkeep_note_backlog: all(ROWS, NOW),
  delivery_counts_sweep: ended(later(-8 * 86_400_000), LIMIT),
  backlog_hours_sweep: ended(later(-8 * 86_400_000), LIMIT),
  backlog_read: all(ROWS, NOW, 50_000),
  backlog_due: all(ROWS + 10_000, NOW, 10_000, later(7_000)),
  heartbeat_workers: one(15_000),
  doctor_clocks: one(),
  api_clock_report: one('host', 1, 0),
  // Nothing is due yet, so a probe that reads more than one row is noticed.
  pulse_find_work: one(later(-60_000), idOf('event', 2)),
  worker_beat: one(idOf('row', 1), 'host', 1, '1', 20, 15_000),
  worker_leave: one(idOf('row', 1)),
  attachment_folder_report: one(idOf('row', 1), 'host'),
  bell_ring: one(ACCOUNT),
  outbox_sweep: all(ROWS, idOf('event', 0), LIMIT),
  owed_cancel_before: all(ROWS, idOf('event', 0), NOW, LIMIT),
  replays_sweep: one(idOf('row', 0), LIMIT),
  upkeep_take: { values: [NOW, ['a', 'b'], [1_000, 1_000]], asked: 2 },
  upkeep_finish: one('a', NOW, {}),
  upkeep_reschedule: one('a', NOW),
  activities_delete_before: one(new Date('2030-01-08T00:00:20Z'), BATCH),
  activities_delete_of_tickets: { values: [ACCOUNT, idsOf('ticket', 4001, BATCH)], asked: BATCH },
  webhook_secrets_delete_replaced: all(WEBHOOKS, NOW),
  deleted_tickets_purge: ended(later(-30 * 86_400_000), 100),
  // Two small indexes contain the snoozed tickets, and it may read either.
  tickets_wake: all(SNOOZED, NOW, 100),
  arrival_claim: one(NOW, later(120_000), [], true),
  mail_context_find: one(ACCOUNT, ...ARRIVED, NOW, 4001, ['one@client.test'], [idOf('row', 4001)], ['one@client.test']),
  arrival_known: one(ACCOUNT, idOf('row', 1), 'two@client.test', '', idOf('ticket', 4001)),
  bounced_mail_find: one(ACCOUNT, 'a-token'),
  agent_notice_read: one(ACCOUNT, idOf('row', 4001), idOf('agent', 1), null, 'mentions', idOf('agent', 1)),
  message_earlier: one(ACCOUNT, idOf('ticket', 4001), idOf('row', 2), NOW, idOf('row', 4001), 'email'),
  arrival_discard_raw: ended(NOW, NOW, 100),
  // One row per mailbox, updated every few seconds.
  imap_count: one(0),
  imap_claim: one(0, 10),
  imap_renew: { values: [[idOf('row', 1)], [idOf('row', 1)], [1]], asked: 1 },
  imap_release: one(idOf('row', 1), idOf('row', 1), 1, 'The connection was lost.', null),
  metrics_imap: one(),
  metrics_mail: all(3 * ROWS),
  quarantined_mail_discard_old: ended(NOW, NOW, 500),
  stray_file_take_due: ended(NOW, later(60_000), 100),
  webhooks_disable_of_expired: all(WEBHOOKS, NOW),
  purge_grants: one(NOW, LIMIT),
  purge_authorization_codes: ended(NOW, LIMIT),
  purge_tokens: ended(NOW, LIMIT),
  purge_salts: all(ROWS, NOW, LIMIT),
  purge_sessions: ended(NOW, LIMIT),
  purge_visits: ended(NOW, LIMIT),
  purge_sign_in_challenges: ended(NOW, LIMIT),
  purge_authenticators: all(ROWS, NOW, LIMIT),
  purge_single_use_links: ended(NOW, LIMIT),
  purge_throttles: ended(NOW, LIMIT),
  idempotency_keys_delete_expired: ended(NOW),
  outgoing_mails_delete_expired: ended(NOW),
  worker_heartbeats_delete_expired: one(NOW),
  api_clocks_delete_expired: one(NOW),
  outgoing_mail_claim: {
    values: [NOW, LEASED_UNTIL, idOf('row', 1), ENDED, ENDED, [ACCOUNT], [ACCOUNT], [true], 2, 12, 6, 'acme.test'],
    asked: 2 * ENDED,
  },
  outgoing_mail_keep: { values: [idsOf('row', 1, BATCH), idsOf('row', 1, BATCH), LEASED_UNTIL], asked: BATCH },
  outgoing_mail_hand_over: {
    values: [idsOf('row', 1, BATCH), idsOf('row', 1, BATCH), LEASED_UNTIL, NOW],
    asked: BATCH,
  },
  outgoing_mail_record: {
    values: [idsOf('row', 1, BATCH), idsOf('row', 1, BATCH), of('sent'), of(null), of(1), of(null), of(null), NOW],
    asked: BATCH,
  },
};

/** Statements of the API and of the operator’s commands. */
export const OTHERS: ReadonlySet<string> = new Set(
  `application_note_secret_use application_notify_ended application_revoke_grants bearer_find bearer_note_use challenge_end challenge_find challenge_try client_find code_find code_consume
   doctor_attachment_folders events_place_before first_run_alone held_reply_due link_find
   link_owe_for_email link_spend mail_route_find metadata_client_find metadata_client_save mailboxes_tagged operator_inbound_mail_show operator_outgoing_mail_show
   operator_mailbox_find operator_mails_retry operator_webhook_enable operator_webhooks_list owed_make_due refresh_token_consume restore_note
   sealed_authenticators_others sealed_authenticators_reseal sealed_authenticators_samples
   sealed_imap_accounts_others sealed_imap_accounts_reseal sealed_imap_accounts_samples sealed_mailbox_smtp_others
   sealed_mailbox_smtp_reseal sealed_mailbox_smtp_samples sealed_webhook_secrets_others
   sealed_webhook_secrets_reseal sealed_webhook_secrets_samples session_end_held session_find sign_in_candidates
   throttle_count throttle_release token_end_chain token_find token_delete visit_end visit_save
   webhooks_disable_of_application`.split(/\s+/),
);

function firstRecordValues(): unknown[] {
  const [again, values] = [recordValues()[15], recordValues()];
  values[7] = idsOf('delivery', 500_001, BATCH);
  return [...values, EXPRESS_EVENTS, of('ticket_started'), of(true), of(false), again, of(NOW), EXPRESS_EVENTS];
}

/** Half of the deliveries are finished, the others will be retried. */
function recordValues(): unknown[] {
  const again = DELIVERIES.map((_, place) => (place % 2 === 0 ? null : later(60_000)));
  return [
    NOW,
    of(null),
    of(null),
    of('{}').join('\n'),
    idsOf('row', 100_001, BATCH),
    of(ACCOUNT),
    of(WEBHOOK),
    DELIVERIES,
    of(1),
    of(5),
    of(204),
    of(null),
    of(null),
    of('delivered'),
    of(NOW),
    again,
    of(null),
    of(null),
  ];
}
