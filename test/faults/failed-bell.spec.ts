import { Bell, Database } from '#libs/database';
import { Metrics, OutageLog } from '#libs/telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';

const RINGS = 5;

let server: PrivateServer;
let desk: Desk;
beforeAll(async () => {
  server = await startServer('postgres');
  desk = await startDesk({ databaseServer: server.url });
});
afterAll(async () => {
  await desk.stop();
  await server.stop();
});

it('counts notifications that fail, and logs one line for many', async () => {
  const lines: unknown[] = [];
  const log = (line: unknown) => lines.push(line);
  const logged = new Bell(desk.api.get(Database, { strict: false }), new OutageLog({ error: log, warn: log }));
  const bell = desk.api.get(Bell, { strict: false });
  await server.kill9();
  for (let rung = 1; rung <= RINGS; rung++) {
    for (const each of [bell, logged]) each.ringRelay(desk.account.id);
    await eventually(() => bell.failures === rung && logged.failures === rung);
  }
  const exported = await desk.api.get(Metrics, { strict: false }).getSingleMetricAsString('deskwire_bell_errors_total');
  await server.restart();

  expect(exported).toContain(`deskwire_bell_errors_total{app="api"} ${RINGS}`);
  expect(lines).toEqual([expect.stringContaining('Notifications fail, so listeners poll: ')]);
});
