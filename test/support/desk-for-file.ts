import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { Desk, type DeskOptions, startDesk } from './desk.js';

/** A desk for all tests of a file, which starts before them and stops after them. */
export const deskForFile = (options: DeskOptions = {}): Desk =>
  startedForFile(Desk.prototype, () => startDesk(options));

/** The same with free ports for these settings. */
export const deskWithPorts = (names: readonly string[], settings: Readonly<Record<string, string>> = {}): Desk =>
  startedForFile(Desk.prototype, async () => {
    const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const));
    return startDesk({ settings: { ...settings, ...Object.fromEntries(ports) } });
  });

/** An object of this prototype, which has its fields only once the tests of the file run. */
export function startedForFile<T extends { stop(): unknown }>(prototype: T, start: () => Promise<T>): T {
  const started = Object.create(prototype) as T;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(async () => {
    await started.stop();
  });
  return started;
}
