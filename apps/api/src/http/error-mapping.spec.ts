import { expect, it } from 'vitest';
import { toHttpProblem } from './error-mapping.js';

const reset = (more: object = {}): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET', ...more });

it('a client that goes away in the middle of its body is no failure of the database', () => {
  expect(toHttpProblem(reset({ statusCode: 400 }))).toMatchObject({ status: 400, error: 'request_aborted' });
  expect(toHttpProblem(reset())).toMatchObject({ status: 503, error: 'unavailable' });
});
