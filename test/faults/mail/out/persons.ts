import { setTimeout as delay } from 'node:timers/promises';
import type { MailSystem } from '../mail-system.js';
import { addOne } from './counts.js';
import { MAIL_KEY } from './mail-key.js';

const LOOKS_EVERY_MS = 500;

interface EndedBadly {
  readonly key: string;
  readonly message: string;
  readonly state: 'bounced' | 'failed' | 'unsure';
  readonly reason: string;
  readonly incident: string;
}

const ENDED_BADLY = `select ${MAIL_KEY} as key, coalesce(message_id, copy_of) as message, state, reason, id || ' ' || ended_at as incident
  from outgoing_mails where state in ('bounced', 'failed', 'unsure')`;

/** One press resends every email of a message that did not arrive. A queued mail may be unsure by then. */
const OF_THE_SAME = `select ${MAIL_KEY} as key from outgoing_mails
  where '%' in (message_id::text, copy_of::text) and state in ('queued', 'unsure')`;

/** The pauses of three days, in half a second. */
const NO_PAUSES = `update outgoing_mails set due_at = now()
  where state = 'queued' and lease is null and handed_over_at is null and due_at > now()`;

/**
 * Agents who check their replies. They press _Send again_, but leave every second email that may have arrived, unless it
 * is reported as failed later.
 */
export class Persons {
  /** How often each email was reported as unsure. */
  readonly unsure = new Map<string, number>();
  /** The last report per mail. */
  readonly reasons = new Map<string, string>();
  /** How often an agent resent an email that may have arrived. */
  readonly risked = new Map<string, number>();
  pressed = 0;
  readonly told = { bounced: 0, failed: 0, unsure: 0 };
  private readonly seen = new Set<string>();
  private readonly left = new Set<string>();
  private isOver = false;

  constructor(private readonly system: MailSystem) {}

  async work(): Promise<void> {
    while (!this.isOver) {
      await this.look().catch(() => undefined);
      await delay(LOOKS_EVERY_MS);
    }
  }

  stop(): void {
    this.isOver = true;
  }

  private async look(): Promise<void> {
    await this.system.sql(NO_PAUSES);
    for (const mail of await this.system.sql<EndedBadly>(ENDED_BADLY)) {
      if (!this.seen.has(mail.incident)) this.hear(mail);
      if (mail.state !== 'unsure' || !this.left.has(mail.key)) await this.press(mail);
    }
  }

  private hear({ key: id, state, reason, incident }: EndedBadly): void {
    this.seen.add(incident);
    this.told[state] += 1;
    if (state !== 'unsure') return;
    addOne(this.unsure, id);
    this.reasons.set(id, reason);
    if (this.told.unsure % 2 === 0) this.left.add(id);
  }

  private async press({ message }: EndedBadly): Promise<void> {
    for (const { key } of await this.system.sql<{ key: string }>(OF_THE_SAME.replace('%', message)))
      addOne(this.risked, key);
    const answer = await this.system.ask('POST', `/v1/messages/${message}/send_again`);
    if (answer?.status === 200) this.pressed += 1;
  }
}
