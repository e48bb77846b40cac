import { Unavailable } from '#libs/entities';
import { expect, it } from 'vitest';
import { Interrupted, nextTry } from './inbound-mail-claims.service.js';

const NOW = new Date('2030-01-01T12:00:00Z');
const away = new Unavailable('storage_unavailable', 'Files cannot be read.');
const arrival = (tries: number, waitedSeconds = 0) => ({
  tries,
  createdAt: new Date(NOW.getTime() - waitedSeconds * 1000),
});

it.each([
  ['a first failure', arrival(1), new Error('no'), 2, true],
  ['a third one', arrival(3), new Error('no'), 8, true],
  ['the hundredth', arrival(100), new Error('no'), 3600, true],
  ['a file store that is away', arrival(1), away, 2, false],
  ['one that has been away for a minute', arrival(1, 60), away, 15, false],
  ['one that has been away for a day', arrival(1, 86_400), away, 300, false],
  ['a worker that stops', arrival(1, 60), new Interrupted(), 0, false],
])('retries an email after %s in time', (_what, mail, error, seconds, isTry) => {
  expect(nextTry(mail, error, NOW)).toEqual({ pauseMs: seconds * 1000, isTry });
});
