import { type SystemStatement, systemStatement } from '#libs/database';
import type { Mail, SendResult } from '#libs/mail';
import type { Links } from '#libs/payloads';
import type { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import type { TriedMail } from './mail-retry.js';

/** A row of a table of mails that are owed, claimed by this process. */
export interface ClaimedMail extends TriedMail {
  readonly id: string;
}

/** A table of mails that are owed: how often and what is read from it, what is written to whom, and who hears of the result. */
export interface MailKind<Row extends ClaimedMail> {
  readonly pollMs: number;
  readonly claim: SystemStatement;
  readonly done: SystemStatement;
  readonly retry: SystemStatement;
  readonly compose: (row: Row, links: Links) => Mail;
  readonly report: (telemetry: WorkerTelemetry, row: Row, result: SendResult) => void;
}

/** What follows a claim. The mail was sent or is given up, or it is tried again later. */
export const afterClaim = (table: string, key: string, reason: string) => ({
  done: systemStatement(`mail_done_${table}`, reason, `delete from ${table} where ${key} = $1`),
  retry: systemStatement(
    `mail_retry_${table}`,
    reason,
    `update ${table} set claimed_at = null, due_at = $2 where ${key} = $1`,
  ),
});
