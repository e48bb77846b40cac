import { RELAY_CHANNEL } from '#libs/database';
import { afterAll, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const desk = await startDesk({ queue: 'postgres' });
afterAll(() => desk.stop());

it('names the account of an event, so that one worker wakes for it', async () => {
  const payloads: (string | undefined)[] = [];
  desk.sql.on('notification', ({ payload }) => payloads.push(payload));
  await desk.sql.query(`listen ${RELAY_CHANNEL}`);
  await desk.webhook('customer_added', 'https://hooks.example/');
  await recordEvents(desk, 1);
  await eventually(() => payloads.length > 0);

  expect(payloads).toEqual([desk.account.id]);
});
