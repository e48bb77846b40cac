import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk();
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

const read = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;
const numbersIn = async (query: string): Promise<number[]> =>
  (await desk.client().get(`/v1/tickets?${query}`)).body.tickets.map((ticket: { number: number }) => ticket.number);
const snooze = (number: number, until: Date | null) =>
  desk.client().put(`/v1/tickets/${number}/snoozed_until`, { snoozed_until: until && until.toISOString() });
const inMinutes = (minutes: number) => new Date(desk.clock.now().getTime() + minutes * 60_000);

describe('a snoozed ticket', () => {
  it('leaves the folders and their counts, and appears as snoozed and by its number', async () => {
    const { number } = await startTicket(desk);
    const until = inMinutes(60);
    const { status, body } = await snooze(number, until);

    expect([status, body]).toEqual([200, { snoozed_until: until.toISOString() }]);
    expect(await numbersIn('folder=open')).toEqual([]);
    expect(await numbersIn('folder=unassigned')).toEqual([]);
    expect((await desk.client().get('/v1/tickets/count')).body).toMatchObject({ open: 0, unassigned: 0 });
    expect(await numbersIn('state=snoozed')).toEqual([number]);
    expect(await numbersIn('state=closed,snoozed')).toEqual([number]);
    expect(await numbersIn('state=closed')).toEqual([]);
    expect((await read(number)).state).toBe('unread');
  });

  it('returns, unread, when its time has come, and not before', async () => {
    const { number } = await startTicket(desk, { state: 'opened' });
    await snooze(number, inMinutes(60));

    desk.clock.advance({ minutes: 59 });
    await upkeep.runDue();
    expect(await read(number)).toMatchObject({ state: 'opened' });

    desk.clock.advance({ minutes: 2 });
    await upkeep.runDue();
    expect(await read(number)).toMatchObject({ state: 'unread', snoozed_until: null });
    expect(await numbersIn('folder=open')).toEqual([number]);
    const { rows } = await desk.sql.query(
      "select kind from activities where kind in ('ticket_snoozed', 'ticket_woken') order by id",
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['ticket_snoozed', 'ticket_woken']);
  });

  it('returns when its customer writes', async () => {
    const customer = 'ana@client.test';
    const { number } = await startTicket(desk, { from: customer });
    await snooze(number, inMinutes(60));
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello?', author: customer });

    expect(await read(number)).toMatchObject({ state: 'unread', snoozed_until: null });
  });

  it('stays snoozed through a note, and wakes when its state is changed or the snooze is removed', async () => {
    const { number } = await startTicket(desk);
    await snooze(number, inMinutes(60));
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hm', note: true });
    expect((await read(number)).snoozed_until).not.toBeNull();

    await desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    expect((await read(number)).snoozed_until).toBeNull();

    await snooze(number, inMinutes(60));
    expect((await snooze(number, null)).body).toEqual({ snoozed_until: null });
    expect(await numbersIn('folder=closed')).toEqual([number]);
  });

  it('opens again at its time if it was closed', async () => {
    const { number } = await startTicket(desk, { state: 'closed' });
    await snooze(number, inMinutes(1));
    desk.clock.advance({ minutes: 2 });
    await upkeep.runDue();
    expect(await read(number)).toMatchObject({ state: 'unread', closed_by: null, resolution_time: null });
  });

  it('keeps its state through a deletion and a restore', async () => {
    const { number } = await startTicket(desk, { state: 'opened' });
    await snooze(number, inMinutes(1));
    await desk.client().delete(`/v1/tickets/${number}`);
    desk.clock.advance({ minutes: 2 });
    await upkeep.runDue();
    await desk.client().post(`/v1/tickets/${number}/restore`);

    expect(await read(number)).toMatchObject({ state: 'opened', snoozed_until: null });
    const { rows } = await desk.sql.query("select 1 from activities where kind = 'ticket_woken'");
    expect(rows).toEqual([]);
  });

  it('cannot be snoozed into the past', async () => {
    const { number } = await startTicket(desk);
    const { status, body } = await snooze(number, inMinutes(-1));
    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, 'snoozed_until', 'in_the_past']);
  });

  it('wakes once, whichever of two workers is first', async () => {
    const numbers = await Promise.all(Array.from({ length: 20 }, async () => (await startTicket(desk)).number));
    await Promise.all(numbers.map((number) => snooze(number, inMinutes(1))));
    const other = await DeskUpkeep.start(desk);
    desk.clock.advance({ minutes: 2 });
    await Promise.all([upkeep.runDue(), other.runDue()]);
    await other.stop();

    const { rows } = await desk.sql.query("select count(*)::int as woken from activities where kind = 'ticket_woken'");
    expect(rows[0].woken).toBe(20);
  });
});
