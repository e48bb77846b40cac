import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { startTicket } from '../support/desk-records.js';
import { formOf, postFiles } from '../support/upload.js';
import { DeskUpkeep } from '../support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk();
  upkeep = await DeskUpkeep.start(desk);
  // An older version had this account.
  await desk.sql.query("update accounts set created_at = created_at - interval '1 year'");
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

const found = async (q: string): Promise<number[]> =>
  (await desk.client().get(`/v1/tickets?q=${encodeURIComponent(q)}`)).body.tickets.map(
    ({ number }: { number: number }) => number,
  );

/** As a version wrote it that knew neither names nor scripts. */
const forget = () =>
  desk.sql.query(
    `delete from customer_words; delete from ticket_words w where exists (select from attachments a where a.id = w.source_id);
     update ticket_words set version = 0, words = ''`,
  );

const walks = async () =>
  (await desk.sql.query('select name, found, finished_at is not null as over from search_walks order by name')).rows;

it('what an older version wrote is found after the workers have walked over it', async () => {
  const { number } = await startTicket(desk, {
    from: 'petra@old.example',
    subject: 'Alt',
    body: '古い注文',
    tags: ['legacy'],
  });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'With a file' });
  await postFiles(desk, body.message.id, formOf([{ name: 'scan.pdf', bytes: 'x' }]));
  await forget();
  expect(await found('petra')).toEqual([]);

  desk.clock.advance({ minutes: 2 });
  await upkeep.run('search_walks');

  for (const q of ['petra', 'alt', '注文', 'legacy', 'scan.pdf', 'petra 注文 has:attachment'])
    expect({ q, found: await found(q) }).toEqual({ q, found: [number] });
});

it('the walks leave alone what is newer, and end an hour after the update', async () => {
  const { number } = await startTicket(desk, { subject: 'Newest' });
  await desk.sql.query('update ticket_words set words = $1', [`'${desk.account.id.slice(-12)}:kept':1`]);
  desk.clock.advance({ minutes: 2 });
  await upkeep.run('search_walks');
  const first = await walks();
  await desk.sql.query("update search_walks set started_at = now() - interval '1 year'");
  await upkeep.run('search_walks');

  expect(await found('kept')).toEqual([number]);
  expect(first.every(({ over }) => !over)).toBe(true);
  expect((await walks()).every(({ over }) => over)).toBe(true);
  expect((await upkeep.run('search_walks'))['made_searchable']).toBe(0);
});

it('the walks of a new installation end at once', async () => {
  await desk.sql.query('update accounts set created_at = now()');
  await startTicket(desk);
  await upkeep.run('search_walks');
  expect((await walks()).every(({ over }) => over)).toBe(true);
});

it('two workers walk over each row once', async () => {
  for (let count = 0; count < 5; count++) await startTicket(desk, { body: 'twofold' });
  await forget();
  desk.clock.advance({ minutes: 2 });
  await Promise.all([upkeep.run('search_walks'), upkeep.run('search_walks')]);

  expect(await found('twofold')).toHaveLength(5);
  expect((await walks()).find(({ name }) => name === 'tickets').found).toBe(5);
});
