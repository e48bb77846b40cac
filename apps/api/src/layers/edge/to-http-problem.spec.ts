import { expect, it } from 'vitest';
import { toHttpProblem } from './to-http-problem.js';

const reset = (more: object = {}): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET', ...more });

it('maps a client that disconnects in the middle of its body to 400, not to 503', () => {
  expect(toHttpProblem(reset({ statusCode: 400 }))).toMatchObject({ status: 400, error: 'request_aborted' });
  expect(toHttpProblem(reset())).toMatchObject({ status: 503, error: 'unavailable' });
});

it('maps a full disk to disk_full', () => {
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

  expect(toHttpProblem(full)).toMatchObject({ status: 503, error: 'disk_full', headers: { 'retry-after': '60' } });
});

it.each([
  ['a lost connection', '08006'],
  ['a missing primary', '08001'],
  ['a primary that became a standby', '25006'],
  ['an unreachable host', 'EHOSTUNREACH'],
])('maps %s to unavailable', (_, code) => {
  expect(toHttpProblem(Object.assign(new Error('failed'), { code }))).toMatchObject({
    status: 503,
    error: 'unavailable',
  });
});
