import { setTimeout as delay } from 'node:timers/promises';
import { SeededChoices } from '#test/support/seeded-choices.js';
import type { MailCampaignOptions } from '../mail-campaign.js';
import { type MailSystem, openMailSystem } from '../mail-system.js';
import { Postfix } from '../postfix.js';
import { RandomFaults } from '../random-faults.js';
import { FarSide } from './far-side.js';
import { type OutAudit, type OutWitnesses, auditReplies, isSettled } from './out-audit.js';
import { OutFaults } from './out-faults.js';
import { Persons } from './persons.js';
import { ReplyLoad } from './reply-load.js';
import { TroubledPath } from './troubled-path.js';

/** Maximum time from the last reply until its mail arrives. The lease of a killed worker lasts 30 seconds. */
const SETTLE_MS = 600_000;
/** Nothing may arrive after all emails are there. */
const LAST_LOOK_MS = 3_000;
const TELL_EVERY_MS = 10_000;

interface Stage extends OutWitnesses {
  readonly postfix: Postfix;
}

/**
 * Sends replies while everything between is broken. Returns whether none was lost, and none came twice unless an agent
 * requested it.
 */
export async function runOutgoingCampaign({ mails, seed, say }: MailCampaignOptions): Promise<boolean> {
  const choices = new SeededChoices(`mail out ${seed}`);
  const closers: Closer[] = [];
  try {
    const stage = await openStage(choices, seed, closers);
    const telling = setInterval(() => say(progressOf(stage, mails)), TELL_EVERY_MS);
    closers.push(() => clearInterval(telling));
    const begun = performance.now();
    const faults = new RandomFaults(stage.faults.table(), choices);
    const working = stage.persons.work();
    const breaking = faults.run();
    await stage.load.write(mails);
    faults.stop();
    await breaking;
    for (const part of [...stage.paths, ...stage.sides]) part.calm();
    const audit = await settled(stage);
    stage.persons.stop();
    await working;
    say(`${faults.summary()}; at the next hop: ${metOn(stage)}; ${stage.sides[1]!.refused} sent back by Postfix`);
    return told(stage, audit, { seconds: Math.round((performance.now() - begun) / 1000), say });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

type Closer = () => unknown;

/** One mailbox sends through the server of the installation, which only counts; another through its own Postfix. */
async function openStage(choices: SeededChoices, seed: number, closers: Closer[]): Promise<Stage> {
  const open = async <T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> => {
    const opened = await opening;
    closers.push(() => close(opened));
    return opened;
  };
  const pathTo = (target: () => number): Promise<TroubledPath> =>
    open(TroubledPath.inFrontOf(target, choices), (path) => path.stop());
  const sideOf = (protocol: 'smtp' | 'lmtp'): Promise<FarSide> =>
    open(FarSide.start(protocol, choices), (side) => side.stop());
  const sides = [await sideOf('smtp'), await sideOf('lmtp')];
  let postfix: Postfix | undefined;
  const paths = [await pathTo(() => sides[0]!.port), await pathTo(() => postfix!.port)];
  const smtp = `smtp://127.0.0.1:${paths[0]!.port}?socketTimeout=2000`;
  const system = await open(openMailSystem({ redis: true, settings: { SMTP_URL: smtp } }), (one) => one.close());
  const routes = { mailPort: system.mailPort, lmtpPort: sides[1]!.port };
  postfix = await open(Postfix.start(routes), (one) => one.stop());
  const load = new ReplyLoad(system, seed);
  await addMailboxes(system, paths[1]!.port);
  await load.prepare(MAILBOXES);
  const [persons, faults] = [new Persons(system), new OutFaults(system, choices)];
  return { system, load, persons, faults, paths, sides, postfix };
}

const MAILBOXES = ['direct', 'postfix'];

async function addMailboxes(system: MailSystem, port: number): Promise<void> {
  const [, own] = [await system.addMailbox(MAILBOXES[0]!, null), await system.addMailbox(MAILBOXES[1]!, null)];
  await system.call('PUT', `/v1/mailboxes/${own}/smtp`, { host: '127.0.0.1', port, security: 'none' });
}

async function settled(stage: Stage): Promise<OutAudit> {
  const end = performance.now() + SETTLE_MS;
  const isOver = async () => stage.postfix.waiting() === 0 && (await isSettled(stage));
  while (!(await isOver()) && performance.now() < end) await delay(1_000);
  await delay(LAST_LOOK_MS);
  return auditReplies(stage);
}

function progressOf({ load, persons: { told: ended }, sides, faults, postfix }: Stage, of: number): string {
  const arrived = sides.reduce((sum, side) => sum + side.arrived.size, 0);
  return `  ${load.written.size} of ${of} written, ${arrived} arrived, ${postfix.waiting()} at Postfix, ${ended.unsure} unsure, ${ended.failed} failed, ${ended.bounced} bounced, ${faults.inHand.size} in the hands of killed workers`;
}

function metOn({ paths }: Stage): string {
  const all = new Map<string, number>();
  for (const [name, count] of paths.flatMap(({ met }) => [...met])) all.set(name, (all.get(name) ?? 0) + count);
  return [...all]
    .map(([name, count]) => `${name} ${count}`)
    .toSorted()
    .join(', ');
}

function told(
  { load, persons, faults, paths }: Stage,
  audit: OutAudit,
  { seconds, say }: { readonly seconds: number; readonly say: (line: string) => void },
): boolean {
  const unheard = paths.reduce((all, path) => all + sum(path.unheard), 0);
  const { lost, twice, altered, unexplained, arrived, twiceAsPressed, unsureNotThere } = audit;
  const { bounced, failed, unsure } = persons.told;
  say(`${load.written.size} replies written (${load.repeated} requests repeated), ${arrived} arrived, ${seconds} s`);
  say(`told: bounced ${bounced}, failed ${failed}, unsure ${unsure}; “send again” pressed ${persons.pressed} times`);
  say(`left unsure and not there ${unsureNotThere}; twice because an agent resent them ${twiceAsPressed}`);
  for (const name of [...lost, ...twice, ...altered, ...unexplained].slice(0, 10)) say(`  ${name}`);
  say(`cut after the dot ${unheard}, and ${sum(faults.inHand)} handed over by workers when these were killed`);
  say(
    `lost ${lost.length}, twice ${twice.length}, altered ${altered.length}, unsure without a cut ${unexplained.length}`,
  );
  return [lost, twice, altered, unexplained].every((names) => names.length === 0);
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);
