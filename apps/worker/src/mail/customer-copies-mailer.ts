import { Clock, Database, systemStatement } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { type CustomerCopy, copyMail } from './copy-mail.js';
import { retryMailAt } from './mail-retry.js';

const REASON = 'Copies of messages go to customers of every account';

/**
 * A worker that dies after the claim may have sent the copy, so nobody sends it again, and a claim is deleted after an
 * hour. Nothing is sent for a ticket that was deleted meanwhile.
 */
const CLAIM_COPIES = systemStatement(
  'customer_copy_claim',
  REASON,
  `with left_over as (delete from customer_copies where claimed_at < $1::timestamptz - interval '1 hour'),
   claimed as (
     update customer_copies set claimed_at = $1, tries = tries + 1 where message_id in (
       select message_id from customer_copies where claimed_at is null and due_at <= $1
       order by due_at limit 10 for update skip locked)
     returning message_id, tries, created_at
   )
   select s.id as "messageId", c.email as to, t.number, t.title, s.plain_text_body as text,
     coalesce(trim(a.first_name || ' ' || a.last_name), '') as agent, ac.name as account, m.email as "mailboxEmail",
     claimed.tries, claimed.created_at as "createdAt"
   from claimed join messages s on s.id = claimed.message_id
     join tickets t on t.id = s.ticket_id and t.deleted_at is null
     join customers c on c.id = t.customer_id
     join mailboxes m on m.id = t.mailbox_id
     join accounts ac on ac.id = t.account_id
     left join agents a on a.id = s.author_agent_id`,
);

const DELETE_COPY = systemStatement('customer_copy_done', REASON, 'delete from customer_copies where message_id = $1');

const RESCHEDULE_COPY = systemStatement(
  'customer_copy_later',
  REASON,
  'update customer_copies set claimed_at = null, due_at = $2 where message_id = $1',
);

const COPIES_POLL_MS = 5_000;

/** Mails customers what agents wrote to them, at most once. Round trips when idle: PostgreSQL 1 every five seconds. */
@Injectable()
export class CustomerCopiesMailer {
  private readonly loop = new Loop({
    round: async () => ((await this.sendDue()) > 0 ? 0 : COPIES_POLL_MS),
    onError: (error) => this.telemetry.interrupted('the mailer for customer copies failed and starts again', error),
    errorPauseMs: COPIES_POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mailer: Mailer,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Returns how many it tried to send. */
  async sendDue(): Promise<number> {
    const copies = await this.database.system().rows<CustomerCopy>(CLAIM_COPIES, [this.clock.now()]);
    for (const copy of copies) await this.send(copy);
    return copies.length;
  }

  private async send(copy: CustomerCopy): Promise<void> {
    const sent = await this.mailer.trySend(copyMail(copy));
    this.telemetry.copySent(copy.messageId, sent);
    const retryAt = retryMailAt(sent, copy, this.clock.now());
    const system = this.database.system();
    if (retryAt === null) await system.rows(DELETE_COPY, [copy.messageId]);
    else await system.rows(RESCHEDULE_COPY, [copy.messageId, retryAt]);
  }
}
