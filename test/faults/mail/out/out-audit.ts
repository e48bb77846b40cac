import type { MailSystem } from '../mail-system.js';
import type { FarSide } from './far-side.js';
import { MAIL_KEY, mailKey } from './mail-key.js';
import type { OutFaults } from './out-faults.js';
import type { Persons } from './persons.js';
import { type ReplyLoad, markOf } from './reply-load.js';
import type { TroubledPath } from './troubled-path.js';

/** Every record of the replies and their outcomes. */
export interface OutWitnesses {
  readonly system: MailSystem;
  readonly load: ReplyLoad;
  readonly persons: Persons;
  readonly faults: OutFaults;
  readonly paths: readonly TroubledPath[];
  readonly sides: readonly FarSide[];
}

export interface OutAudit {
  readonly arrived: number;
  /** Neither delivered nor reported as unsure. */
  readonly lost: readonly string[];
  /** Delivered more often than agents requested. */
  readonly twice: readonly string[];
  readonly twiceAsPressed: number;
  /** Reported as unsure more often than an end was sent without an answer. */
  readonly unexplained: readonly string[];
  readonly unsureNotThere: number;
  /** With the text of another email, or none. */
  readonly altered: readonly string[];
}

interface Told {
  readonly key: string;
  readonly state: string;
}

export async function auditReplies({ system, load, persons, faults, paths, sides }: OutWitnesses): Promise<OutAudit> {
  const rows = await system.sql<Told>(
    `select ${MAIL_KEY} as key, state from outgoing_mails where ${MAIL_KEY} is not null`,
  );
  const told = new Map(rows.map(({ key, state }) => [key, state]));
  const mails = [...load.written].flatMap(([number, id]) =>
    load.recipientsOf(number).map((recipient) => ({ id: mailKey(id, recipient), mark: markOf(number) })),
  );
  const all = mails.map(({ id, mark }) => ({
    id,
    mark,
    marks: sides.flatMap(({ arrived }) => arrived.get(id) ?? []),
    told: told.get(id) ?? 'nothing',
  }));
  const nameOf = ({ id, told: state }: (typeof all)[number]): string => `${id} (${state})`;
  const mostOf = (id: string): number => 1 + (persons.risked.get(id) ?? 0);
  const missing = all.filter(({ marks }) => marks.length === 0);
  const repeated = all.filter(({ marks }) => marks.length > 1);
  const silences = (id: string): number =>
    paths.reduce((sum, { unheard }) => sum + (unheard.get(id) ?? 0), faults.inHand.get(id) ?? 0);
  return {
    arrived: all.length - missing.length,
    lost: missing.filter(({ told: state }) => state !== 'unsure').map(nameOf),
    unsureNotThere: missing.filter(({ told: state }) => state === 'unsure').length,
    twice: repeated.filter(({ id, marks }) => marks.length > mostOf(id)).map(nameOf),
    twiceAsPressed: repeated.filter(({ id, marks }) => marks.length <= mostOf(id)).length,
    altered: all.filter(({ mark, marks }) => marks.some((one) => one !== mark)).map(nameOf),
    unexplained: [...persons.unsure]
      .filter(([id, times]) => times > silences(id))
      .map(([id]) => `${id}: ${persons.reasons.get(id)}`),
  };
}

/** Returns true if no email is in transit, so that owed and arrived emails are final. */
export async function isSettled(witnesses: OutWitnesses): Promise<boolean> {
  const [row] = await witnesses.system.sql<{ open: number }>(
    "select count(*)::int as open from outgoing_mails where state in ('queued', 'bounced', 'failed')",
  );
  return row!.open === 0 && (await auditReplies(witnesses)).lost.length === 0;
}
