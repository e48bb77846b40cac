import { markOf } from './mail-load.js';
import type { MailSystem } from './mail-system.js';

export interface MailAudit {
  readonly messages: number;
  readonly lost: readonly number[];
  readonly twice: readonly number[];
}

const MARK = /mark-(\d+)-end/;

/** In how many messages each mail is. */
export async function auditMails(system: MailSystem, delivered: Iterable<number>): Promise<MailAudit> {
  const rows = await system.sql<{ said: string | null; found: number }>(
    `select substring(coalesce(plain_text_body, body) from 'mark-\\d+-end') as said, count(*)::int as found
     from messages group by 1`,
  );
  const found = new Map(rows.flatMap(({ said, found: times }) => (said ? [[numberIn(said), times] as const] : [])));
  const numbers = [...delivered];
  return {
    messages: rows.reduce((sum, { found: times }) => sum + times, 0),
    lost: numbers.filter((number) => !found.has(number)),
    twice: numbers.filter((number) => (found.get(number) ?? 0) > 1),
  };
}

const numberIn = (said: string): number => Number(MARK.exec(said)![1]);

/** Where it is, when it is in no message. */
export async function whereIs(system: MailSystem, number: number): Promise<string> {
  const text = `select state || coalesce(' ' || reason, '') as said from arrivals where sender = 'customer-${number}@client.test'`;
  const rows = await system.sql<{ said: string }>(text);
  return `${markOf(number)}: ${rows.map(({ said }) => said).join(', ') || 'never arrived'}`;
}
