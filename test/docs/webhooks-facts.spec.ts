import { readSettings } from '#libs/settings';
import { FAILURE_CODES } from '#libs/delivery';
import { describe, expect, it } from 'vitest';
import { GUIDE, tableOf } from './guide.js';
import { EXAMPLE_HEADERS } from './sample-records.js';

const settings = readSettings({ NODE_ENV: 'development', DATABASE_URL: 'postgres://localhost/deskwire' });
const MINUTE = 60;
const HOUR = 3_600;

const inWords = (seconds: number): string => {
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const parts = [hours && `${hours} hours`, minutes && `${minutes} minutes`].filter(Boolean);
  return parts.join(' ') || `${seconds} seconds`;
};

describe('docs/webhooks.md', () => {
  it('lists every header of a delivery', () => {
    const listed = tableOf('header').map(([name]) => name);

    expect(new Set(listed)).toEqual(new Set(Object.keys(EXAMPLE_HEADERS).map((name) => `\`${name}\``)));
    expect(listed).toHaveLength(Object.keys(EXAMPLE_HEADERS).length);
  });

  it('states the schedule of the settings', () => {
    let elapsed = 0;
    const rows = settings.WEBHOOK_RETRY_SCHEDULE.map((seconds, index) => {
      elapsed += seconds;
      return [`${index + 1}`, inWords(seconds), inWords(elapsed - (elapsed % MINUTE || 0) || elapsed)];
    });

    expect(tableOf('after attempt')).toEqual(rows);
  });

  it('states the limits of the settings', () => {
    expect(GUIDE).toContain(`within ${settings.WEBHOOK_TIMEOUT_MS / 1000} seconds`);
    expect(GUIDE).toContain(`it is kept, ${settings.RETENTION_DAYS} days unless`);
  });

  it('explains every word for an attempt without an answer', () => {
    expect(tableOf('`error`').map(([word]) => word)).toEqual(FAILURE_CODES.map((code) => `\`${code}\``));
  });
});
