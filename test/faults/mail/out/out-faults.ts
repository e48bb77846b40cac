import type { SeededChoices } from '#test/support/seeded-choices.js';
import { sendToRedis } from '../../campaign/server-faults.js';
import { fullDisk } from '../mail-faults.js';
import type { MailSystem } from '../mail-system.js';
import type { Faults } from '../random-faults.js';
import { addOne } from './counts.js';
import { MAIL_KEY } from './mail-key.js';

const IN_HAND = `select ${MAIL_KEY} as key from outgoing_mails where state = 'queued' and handed_over_at is not null`;

/** Makes waiting emails three days old. Emails that are rejected then are given up. */
const THREE_DAYS = `update outgoing_mails set queued_at = queued_at - interval '3 days'
  where state = 'queued' and lease is null and tries > 0`;

/** Faults while mail goes out, besides those of the next hop. */
export class OutFaults {
  /** How often each email was sent by a worker that was killed before it recorded the outcome. */
  readonly inHand = new Map<string, number>();

  constructor(
    private readonly system: MailSystem,
    private readonly choices: SeededChoices,
  ) {}

  table(): Faults {
    const { system, choices } = this;
    return {
      'worker killed': () => this.killWorker(),
      'worker stopped': () => choices.pick(system.workers).stopFor(choices.integer(0, 1_000)),
      'API killed': () => system.api.killFor(choices.integer(0, 1_000)),
      'PostgreSQL restarted': () => system.postgres.restart(),
      'Redis restarted': async () => system.redis?.restart(),
      'Redis wiped': async () => system.redis && sendToRedis(system.redis.url, ['flushall']),
      'three days passed': () => system.sql(THREE_DAYS),
      ...fullDisk(system, choices),
    };
  }

  /** The process is frozen while its sent emails are read, and does nothing more. */
  private killWorker(): Promise<void> {
    return this.choices.pick(this.system.workers).killFor(this.choices.integer(0, 3_000), async () => {
      for (const { key } of await this.system.sql<{ key: string }>(IN_HAND)) addOne(this.inHand, key);
    });
  }
}
