import { afterAll, beforeAll } from 'vitest';
import { Desk, type DeskOptions, startDesk } from './desk.js';

/** A desk from the first test of the calling file or block to its last. It has no parts before. */
export function deskForTests(options: DeskOptions = {}): Desk {
  const desk = Object.create(Desk.prototype) as Desk;
  beforeAll(async () => void Object.assign(desk, await startDesk(options)));
  afterAll(() => desk.stop());
  return desk;
}
