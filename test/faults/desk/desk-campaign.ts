import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import { NextHop } from '#test/support/next-hop.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { type MailSystem, openMailSystem } from '../mail/mail-system.js';
import { RandomFaults } from '../mail/random-faults.js';
import { DeskAgent, ticketsOf } from './desk-agent.js';
import { type DeskAudit, type DeskWitnesses, auditDesk } from './desk-audit.js';
import { DeskCustomers } from './desk-customers.js';
import { DeskLedger } from './desk-ledger.js';
import { addPeople } from './desk-people.js';

export interface DeskCampaignOptions {
  readonly seed: number;
  readonly actions: number;
  readonly say: (line: string) => void;
}

/** Average pause of each agent and each customer between two actions. */
const PAUSE_MS = 900;
const FIRST_TICKETS = 12;
/** An email that waits longer was claimed by a killed worker, whose lease would last for up to two minutes. */
const LIVE_MS = 5_000;
const SETTLE_MS = 180_000;
/** Nothing may arrive after all emails are there. */
const LAST_LOOK_MS = 2_000;

/**
 * Agents merge, reply, schedule, undo, mention, assign and forward at two APIs, and customers write, while APIs and
 * workers are killed. Returns what was lost, came twice or went wrong.
 */
export async function runDeskCampaign({ seed, actions, say }: DeskCampaignOptions): Promise<DeskAudit> {
  const hop = await NextHop.start();
  const system = await openMailSystem({ apis: 2, redis: true, settings: { SMTP_URL: hop.url } });
  try {
    const choices = new SeededChoices(`desk ${seed}`);
    const [people, ledger, inHand] = [await addPeople(system), new DeskLedger(), new Set<string>()];
    const witnesses = { system, people, ledger, hop, inHand };
    const customers = [1, 2].map((place) => new DeskCustomers(witnesses, hop, choicesOf(seed, `customer ${place}`)));
    for (let place = 0; place < FIRST_TICKETS; place++) await customers[0]!.start();
    await eventually(async () => (await ticketsOf(system)).length === FIRST_TICKETS, { withinMs: 60_000 });
    const agents = people.authors.map((author) => new DeskAgent(witnesses, author, choicesOf(seed, author.email)));
    const faults = new RandomFaults(killing(system, choices, inHand), choices);
    const begun = performance.now();
    const breaking = faults.run();
    let left = actions;
    const work = async (actor: DeskAgent | DeskCustomers): Promise<void> => {
      while (left-- > 0) {
        await actor.act();
        await delay(choices.between(0, 2 * PAUSE_MS));
      }
    };
    await Promise.all([...customers, ...agents].map(work));
    const worked = secondsSince(begun);
    faults.stop();
    await breaking;
    await delay(LIVE_MS);
    await system.sql(END_LEASES);
    const isSettled = await settle(system);
    await delay(LAST_LOOK_MS);
    const audit = await auditDesk(witnesses);
    tell(
      witnesses,
      audit,
      `seed ${seed}: ${actions} actions in ${worked} s, settled after ${secondsSince(begun)} s; ${faults.summary()}`,
      say,
    );
    return isSettled ? audit : { ...audit, lost: [...audit.lost, 'still waiting after three minutes'] };
  } finally {
    await system.close();
    await hop.stop();
  }
}

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 1000);

const choicesOf = (seed: number, name: string): SeededChoices => new SeededChoices(`desk ${seed} ${name}`);

const killing = (system: MailSystem, choices: SeededChoices, inHand: Set<string>) => ({
  'API killed': () => choices.pick(system.apis).killFor(choices.integer(0, 1_000)),
  // The process is frozen while its emails are read, and does nothing more.
  'worker killed': () =>
    choices.pick(system.workers).killFor(choices.integer(0, 1_000), async () => {
      const text = "select id from outgoing_mails where state = 'queued' and handed_over_at is not null";
      for (const { id } of await system.sql<{ id: string }>(text)) inHand.add(id);
    }),
});

const OPEN = `select 'held' as kind from held_replies where due_at is not null
  union all select 'mail' from outgoing_mails where state = 'queued'
  union all select 'arrival' from arrivals where state = 'waiting'`;

const END_LEASES = `update arrivals set due_at = now() where state = 'waiting';
  update outgoing_mails set leased_until = now() where state = 'queued' and lease is not null`;

async function settle(system: MailSystem): Promise<boolean> {
  const end = performance.now() + SETTLE_MS;
  while (performance.now() < end) {
    if ((await system.sql(OPEN)).length === 0) return true;
    await delay(500);
  }
  return false;
}

function tell({ ledger, hop }: DeskWitnesses, audit: DeskAudit, done: string, say: (line: string) => void): void {
  const { lost, twice, wrong, unsureNotThere, withheld } = audit;
  const counts = [...ledger.counts].map(([name, count]) => `${name} ${count}`).toSorted();
  say(done);
  say(`  ${counts.join(', ')}`);
  say(
    `  ${hop.taken.length} mails received; unsure and not there ${unsureNotThere}, withheld after a merge ${withheld}`,
  );
  for (const name of [...lost, ...twice, ...wrong].slice(0, 20)) say(`  ${name}`);
  say(`  lost ${lost.length}, twice ${twice.length}, wrong ${wrong.length}`);
}
