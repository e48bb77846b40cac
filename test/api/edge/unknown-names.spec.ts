import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const ignoredBy = ({ headers }: ApiResponse) => headers.get('deskwire-ignored');

describe('an unknown field', () => {
  it('appears in the Deskwire-Ignored header, from the query and the body, at every level', async () => {
    const wanted = {
      body: 'Hello',
      from: { email: newEmail(), nick: 'x' },
      to: desk.account.mailbox.email,
      bcc: 'a@b.test',
    };
    expect(ignoredBy(await desk.client().post('/v1/tickets?dry_run=1', wanted))).toBe('dry_run, from.nick, bcc');
    expect(ignoredBy(await desk.client().get('/v1/tickets?page=1&limit=5'))).toBe('limit');
    expect(ignoredBy(await desk.client().get('/v1/tickets?page=1'))).toBeNull();
  });

  it('includes known fields that cannot be changed', async () => {
    const email = newEmail();
    await desk.client().post('/v1/customers', { email });
    const answer = await desk.client().patch(`/v1/customers/${email}`, { id: '1', title: 'CEO' });
    expect([answer.status, ignoredBy(answer)]).toEqual([200, 'id']);
  });

  it('causes 422 with handling=strict, and nothing is changed', async () => {
    const wanted = { email: newEmail(), nick: 'x', colour: 'red' };
    const refused = await desk.client().post('/v1/customers', wanted, { prefer: 'respond-async, handling=strict' });

    expect(refused.status).toBe(422);
    expect(refused.headers.get('preference-applied')).toBe('handling=strict');
    expect(refused.body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['nick', 'unknown_field'],
      ['colour', 'unknown_field'],
    ]);
    expect((await desk.client().get(`/v1/customers/${wanted.email}`)).status).toBe(404);
  });

  it('causes 400 in the query with handling=strict, which names the nearest parameter', async () => {
    const strict = (path: string) => desk.client().get(path, { prefer: 'handling=strict' });
    const refused = await strict('/v1/tickets?status=opened');

    expect([refused.status, refused.body.error, refused.body.detail]).toEqual([
      400,
      'invalid_request',
      'status is not a parameter here. Did you mean state?',
    ]);
    expect(refused.body.errors).toEqual([
      { field: 'status', code: 'unknown_parameter', message: 'status is not a parameter here. Did you mean state?' },
    ]);
    expect((await strict('/v1/tickets?nonsense=1')).body.detail).toBe('nonsense is not a parameter here');
    expect((await strict('/v1/tickets?state=opened')).status).toBe(200);
    expect((await desk.client().get('/v1/tickets?status=opened')).status).toBe(200);
  });

  it('appears with those of the query in one 422, with the nearest field at its level', async () => {
    const from = { email: newEmail(), last_nme: 'x' };
    const wanted = { body: 'Hello', from, to: desk.account.mailbox.email, subjet: 'x', number: 7 };
    const refused = await desk.client().post('/v1/tickets?tag=1', wanted, { prefer: 'handling=strict' });

    expect([refused.status, refused.body.detail]).toEqual([422, 'Some names are unknown.']);
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'tag is not a parameter here',
      'from.last_nme is unknown or cannot be changed. Did you mean from.last_name?',
      'subjet is unknown or cannot be changed. Did you mean subject?',
      'number is unknown or cannot be changed',
    ]);
    expect((await desk.client().get(`/v1/customers/${from.email}`)).status).toBe(404);
  });

  it('costs little with handling=strict, however many and long they are', async () => {
    const fields = Array.from({ length: 1000 }, (_, index) => [`${'assigned_grou'.repeat(5)}${index}`, 1]);
    const long = { ['x'.repeat(500_000)]: 1, email: newEmail(), ...Object.fromEntries(fields) };
    const start = performance.now();
    const refused = await desk.client().post('/v1/customers', long, { prefer: 'handling=strict' });

    expect([refused.status, refused.body.errors.length]).toEqual([422, 10]);
    expect(refused.text.length).toBeLessThan(5000);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('appears in a header of limited size', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`é\r\n👍${index}${'x'.repeat(500)}`, 1]),
    );
    const answer = await desk.client().post('/v1/customers', { email: newEmail(), ...many });
    expect(answer.status).toBe(201);
    expect(ignoredBy(answer)).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+){20}$/);
    expect(ignoredBy(answer)!.length).toBeLessThan(4000);
  });
});
