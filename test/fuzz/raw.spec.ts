import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { HttpConnection } from './http-connection.js';
import { RAW_SHAPES } from './raw-shapes.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const DECIDED = RAW_SHAPES.filter(({ status }) => status !== undefined);

describe('Bytes that are hardly HTTP', () => {
  it.each(DECIDED)('$name: get an answer or a problem of the API', async ({ wire, status }) => {
    const { answers } = await new HttpConnection(desk.base).exchange(wire(desk.account.owner.token));

    expect(answers[0]).toMatchObject({ status });
    expect(answers[0]!.headers.get('content-type')).toContain(
      status === 200 ? 'application/json' : 'application/problem+json',
    );
  });
});
