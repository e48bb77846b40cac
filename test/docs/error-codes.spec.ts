import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, FIELD_CODES } from '../../apps/api/src/reference/error-codes.js';
import { type Desk, startDesk } from '#test/support/desk.js';

describe('the type of a problem', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());

  it('links to the explanation of its code', async () => {
    const { text: page } = await desk.anonymous().get('/docs/errors');
    const answers = [
      await desk.client().get('/v1/tickets/4711'),
      await desk.client().post('/v1/tickets', {}),
      await desk.anonymous().get('/v1/tickets'),
      await desk.client().get('/v1/nothing'),
    ];

    for (const { body } of answers) {
      expect(body.type).toBe(`/docs/errors#${body.error}`);
      expect(page).toContain(`id="${body.error}"`);
    }
  });

  it('can link to each explanation', async () => {
    const { text: page } = await desk.anonymous().get('/docs/errors');

    for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`<div id="${code}"`);
    for (const code of Object.keys(FIELD_CODES)) expect(page).toContain(`<div id="field-${code}"`);
  });
});
