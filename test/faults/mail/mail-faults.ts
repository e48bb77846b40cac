import type { SeededChoices } from '#test/support/seeded-choices.js';
import type { DroppingProxy } from './dropping-proxy.js';
import type { MailLoad } from './mail-load.js';
import type { MailServer } from './mail-server.js';
import type { MailSystem } from './mail-system.js';
import type { Faults } from './random-faults.js';

/** A mail server, the proxies to the product, and the sender of the emails. */
export interface Place {
  readonly server: MailServer;
  readonly proxy: DroppingProxy;
  readonly load: MailLoad;
}

/** Faults while mail comes in. */
export function faultsOfComing(system: MailSystem, places: readonly Place[], choices: SeededChoices): Faults {
  const place = (): Place => choices.pick(places);
  return {
    'connection dropped in mid-FETCH': async () => place().proxy.dropAfter(choices.integer(1, 200_000)),
    'UIDVALIDITY changed': (times) => place().load.renumber(times),
    'all marked as read': () => place().server.markAllRead(),
    'worker killed': () => choices.pick(system.workers).killFor(choices.integer(0, 3_000)),
    'PostgreSQL restarted': () => system.postgres.restart(),
    ...fullDisk(system, choices),
  };
}

/** The file store is full for a while. */
export const fullDisk = ({ disk }: MailSystem, choices: SeededChoices): Faults =>
  disk.canBeFull ? { 'disk full': () => disk.fillFor(choices.integer(1_000, 4_000)) } : {};
