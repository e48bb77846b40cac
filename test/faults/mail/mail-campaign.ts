import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { DroppingProxy } from './dropping-proxy.js';
import { type MailAudit, auditMails, whereIs } from './mail-audit.js';
import { type Place, faultsOfComing } from './mail-faults.js';
import { MailLoad } from './mail-load.js';
import { FOLDER, MailServer, PASSWORD, USER } from './mail-server.js';
import { type MailSystem, openMailSystem } from './mail-system.js';
import { RandomFaults } from './random-faults.js';
import { Postfix } from './postfix.js';
import { CYRUS_SERVER, DOVECOT } from './server-kinds.js';

export interface MailCampaignOptions {
  readonly mails: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Emails go to the product only. */
const NOBODY_THERE = 9;
/** Maximum time from the last delivery until the last mail is in a message. */
const SETTLE_MS = 900_000;
const TELL_EVERY_MS = 10_000;

/**
 * Sends mail by IMAP and SMTP while everything between is broken. Returns whether each email is in exactly one message.
 */
export async function runIncomingCampaign({ mails, seed, say }: MailCampaignOptions): Promise<boolean> {
  const system = await openMailSystem();
  const postfix = await Postfix.start({ mailPort: system.mailPort, lmtpPort: NOBODY_THERE });
  const places = await Promise.all([DOVECOT, CYRUS_SERVER].map((kind) => openPlace(system, kind, postfix.port)));
  const choices = new SeededChoices(`mail ${seed}`);
  const faults = new RandomFaults(faultsOfComing(system, places, choices), choices);
  const begun = performance.now();
  const telling = setInterval(() => say(progressOf(places, mails)), TELL_EVERY_MS);
  try {
    await eventuallyConnected(system, places.length);
    const breaking = faults.run();
    const numbers = Array.from({ length: mails }, (_, place) => place + 1);
    await Promise.all(
      places.map(({ load }, place) => load.deliver(numbers.filter((number) => number % places.length === place))),
    );
    faults.stop();
    await breaking;
    const delivered = places.flatMap(({ load }) => [...load.delivered]);
    const audit = await settled(system, delivered);
    const dropped = places.reduce((sum, { proxy }) => sum + proxy.dropped, 0);
    say(`${faults.summary()}; ${dropped} connections ended in the midst of something`);
    say(
      `${delivered.length} mails in ${audit.messages} messages, ${audit.unreadable} of them told to be unreadable, ${Math.round((performance.now() - begun) / 1000)} s`,
    );
    for (const number of [...audit.lost, ...audit.twice].slice(0, 10)) say(await whereIs(system, number));
    say(`lost ${audit.lost.length}, twice ${audit.twice.length}`);
    return audit.lost.length === 0 && audit.twice.length === 0;
  } finally {
    clearInterval(telling);
    for (const { proxy } of places) proxy.stop();
    await postfix.stop();
    await system.close();
    await Promise.all(places.map(({ server }) => server.stop()));
  }
}

function progressOf(places: readonly Place[], of: number): string {
  const delivered = places.map(({ load, server }) => `${load.delivered.size} at ${server.name}`);
  const dropped = places.reduce((sum, { proxy }) => sum + proxy.dropped, 0);
  return `  of ${of}: ${delivered.join(', ')}, ${dropped} connections ended in the midst of something`;
}

async function openPlace(
  system: MailSystem,
  kind: Parameters<typeof MailServer.start>[0],
  byPostfix: number,
): Promise<Place> {
  const server = await MailServer.start(kind);
  const proxy = await DroppingProxy.inFrontOf(() => server.port);
  const sign = { username: USER, password: PASSWORD, folder: FOLDER, security: 'none' };
  await system.addMailbox(kind.name, { host: '127.0.0.1', port: proxy.port, ...sign });
  const load = new MailLoad(server, { port: system.mailPort, byPostfix, address: `${kind.name}@acme.test` });
  return { server, proxy, load };
}

/** Emails before the first connection are older, and do not count. */
function eventuallyConnected(system: MailSystem, count: number): Promise<unknown> {
  const text = 'select from imap_accounts where connected_at is not null';
  return eventually(async () => (await system.sql(text)).length === count, { withinMs: 60_000 });
}

/** Waits until nothing is missing, or nothing more arrives. */
async function settled(system: MailSystem, delivered: readonly number[]): Promise<MailAudit> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const audit = await auditMails(system, delivered);
    if (audit.lost.length === 0 || performance.now() > end) return lookAgain(system, delivered, audit);
    await delay(2_000);
  }
}

/** A duplicate may arrive a moment later. */
async function lookAgain(system: MailSystem, delivered: readonly number[], first: MailAudit): Promise<MailAudit> {
  if (first.lost.length > 0) return first;
  const { mailboxes } = await system.call<{ mailboxes: { id: string; name: string }[] }>('GET', '/v1/mailboxes');
  for (const { id, name } of mailboxes)
    if (name !== 'Support') await system.call('POST', `/v1/mailboxes/${id}/imap/rescan`);
  const isOpen = `select from imap_accounts where compare_since is not null
    union all select from arrivals where state = 'waiting'`;
  while ((await system.sql(isOpen)).length > 0) await delay(500);
  return auditMails(system, delivered);
}
