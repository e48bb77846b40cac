import { createHash } from 'node:crypto';
import { mailOf, markOf } from './mail-load.js';
import type { MailSystem } from './mail-system.js';

export interface MailAudit {
  readonly messages: number;
  /** Messages with the mark, with the mail as a file. */
  readonly unreadable: number;
  readonly lost: readonly number[];
  readonly twice: readonly number[];
}

const MARK = /mark-(\d+)-end/;

/** Number of messages per mail. */
export async function auditMails(system: MailSystem, delivered: Iterable<number>): Promise<MailAudit> {
  const rows = await system.sql<{ said: string | null; found: number }>(
    `select substring(coalesce(plain_text_body, body) from 'mark-\\d+-end') as said, count(*)::int as found
     from messages group by 1`,
  );
  const found = new Map(rows.flatMap(({ said, found: times }) => (said ? [[numberIn(said), times] as const] : [])));
  const numbers = [...delivered];
  const unreadable = await unreadableIn(
    system,
    numbers.filter((number) => !found.has(number)),
  );
  for (const [number, times] of unreadable) found.set(number, times);
  return {
    messages: rows.reduce((sum, { found: times }) => sum + times, 0),
    unreadable: unreadable.size,
    lost: numbers.filter((number) => !found.has(number)),
    twice: numbers.filter((number) => (found.get(number) ?? 0) > 1),
  };
}

const numberIn = (said: string): number => Number(MARK.exec(said)![1]);

/** A message of an unreadable email contains the mail as it came, identified by its hash. */
async function unreadableIn(system: MailSystem, missing: readonly number[]): Promise<Map<number, number>> {
  const rows = await system.sql<{ hash: string; found: number }>(
    "select hash, count(*)::int as found from arrivals where state = 'unreadable' group by 1",
  );
  const times = new Map(rows.map(({ hash, found }) => [hash, found]));
  if (times.size === 0) return new Map();
  return new Map(
    missing.flatMap((number) => {
      const found = times.get(hashOf(number));
      return found === undefined ? [] : [[number, found] as const];
    }),
  );
}

const hashOf = (number: number): string => createHash('sha256').update(mailOf(number)).digest('hex');

/** The state of an email that is in no message. */
export async function whereIs(system: MailSystem, number: number): Promise<string> {
  const text = `select state || coalesce(' ' || reason, '') as said from arrivals where sender = 'customer-${number}@client.test'`;
  const rows = await system.sql<{ said: string }>(text);
  return `${markOf(number)}: ${rows.map(({ said }) => said).join(', ') || 'never arrived'}`;
}
