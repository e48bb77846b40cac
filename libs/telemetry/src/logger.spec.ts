import { expect, it } from 'vitest';
import { createLogger } from './logger.js';

const HASH = '$argon2id$v=19';
const refused = Object.assign(new Error('row refused'), {
  severity: 'ERROR',
  detail: `Failing row contains (${HASH}).`,
});
const failed = Object.assign(new Error('query failed'), {
  query: 'update agents set password_hash = $1',
  parameters: [HASH],
  driverError: refused,
});
const holder = Object.assign(new Error('some failed'), { reasons: [failed as Error] });
holder.reasons.push(holder);

it.each([
  ['alone', failed],
  ['as the cause of another', new Error('not saved', { cause: failed })],
  ['among several', new AggregateError([failed, refused])],
  ['among several of several', new AggregateError([new AggregateError([failed])])],
  ['in a field of another, which refers to itself', holder],
])('logs a failed statement without its values: %s', (_where, err) => {
  const logged = JSON.stringify(createLogger('test', 'silent').child({ err }).bindings()['err']);

  expect(logged).toContain(err.message);
  expect(logged).not.toContain(HASH);
});

it('keeps the other properties of an error', () => {
  const err = Object.assign(new Error('not ready'), { response: { detail: 'no Redis', at: new Date(0) } });

  expect(createLogger('test', 'silent').child({ err }).bindings()['err']).toMatchObject({
    type: 'Error',
    message: 'not ready',
    response: { detail: 'no Redis', at: '1970-01-01T00:00:00.000Z' },
  });
});
