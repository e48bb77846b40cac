import { type Settings, readSettings } from '#libs/settings';
import { MAX_URL_LENGTH } from '#libs/address-guard';
import { CONNECT_TIMEOUT_MS, MAX_KEPT_BODY_BYTES, MAX_RESPONSE_BYTES } from '#libs/guarded-http';
import { INITIAL_LIMIT } from '../../apps/worker/src/deliveries/limits/concurrency-limit.js';

/** The settings of an installation that sets none. */
export const UNSET = readSettings({ NODE_ENV: 'development', DATABASE_URL: 'postgres://localhost/deskwire' });

const MINUTE = 60;
const HOUR = 3_600;

/** Attempt, wait, and time since the first attempt. */
export const RETRIES = UNSET.WEBHOOK_RETRY_SCHEDULE.map((wait, index, schedule) => {
  const elapsed = schedule.slice(0, index + 1).reduce((sum, seconds) => sum + seconds);
  return [`${index + 1}`, inWords(wait), inWords(elapsed)];
});

const inNumbers = (value: number, unit = ''): string => `${value.toLocaleString('en')}${unit}`;
const setBy = (name: keyof Settings): string => `\`${name}\``;

/** Limit, value and setting. */
export const LIMITS = [
  ['length of a URL', inNumbers(MAX_URL_LENGTH, ' characters'), ''],
  ['webhooks of an account', inNumbers(UNSET.WEBHOOKS_PER_ACCOUNT), setBy('WEBHOOKS_PER_ACCOUNT')],
  [
    'one attempt, from the DNS lookup to the last byte',
    inWords(UNSET.WEBHOOK_TIMEOUT_MS / 1_000),
    setBy('WEBHOOK_TIMEOUT_MS'),
  ],
  ['opening the connection', inWords(CONNECT_TIMEOUT_MS / 1_000), ''],
  ['a response', `${MAX_RESPONSE_BYTES / 1024} KiB`, ''],
  ['the logged part of a response', `${MAX_KEPT_BODY_BYTES / 1024} KiB`, ''],
  ['first requests at once to a webhook', `${INITIAL_LIMIT} of each worker`, ''],
  ['requests at once to a webhook', inNumbers(UNSET.WORKER_CONCURRENCY), setBy('WORKER_CONCURRENCY')],
  [
    'first requests at once to a host and port',
    inNumbers(UNSET.WEBHOOK_HOST_PER_SECOND),
    setBy('WEBHOOK_HOST_PER_SECOND'),
  ],
  ['requests at once to a host and port', inNumbers(UNSET.WEBHOOK_HOST_CONCURRENCY), setBy('WEBHOOK_HOST_CONCURRENCY')],
  [
    'failed requests to a host and port',
    inNumbers(UNSET.WEBHOOK_HOST_PER_SECOND, ' a second'),
    setBy('WEBHOOK_HOST_PER_SECOND'),
  ],
  ['age of events, deliveries and attempts', inNumbers(UNSET.RETENTION_DAYS, ' days'), setBy('RETENTION_DAYS')],
];

function inWords(seconds: number): string {
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const parts = [hours && `${hours} hours`, minutes && `${minutes} minutes`].filter(Boolean);
  return parts.join(' ') || `${seconds} seconds`;
}
