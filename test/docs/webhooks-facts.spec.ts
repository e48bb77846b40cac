import { readSettings } from '#libs/settings';
import { FAILURE_CODES, signatureHeaders } from '#libs/webhooks';
import { describe, expect, it } from 'vitest';
import { BLOCKS, GUIDE, tableOf } from './guide.js';
import { SAMPLES } from './sample-records.js';

const settings = readSettings({ DATABASE_URL: 'postgres://localhost/deskwire' });
const MINUTE = 60;
const HOUR = 3_600;

const exampleHeaders = signatureHeaders({
  eventId: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10',
  kind: 'ticket_closed',
  sequence: 4711,
  attempt: 1,
  secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
  timestamp: new Date(1_763_625_600_000),
  body: Buffer.from(JSON.stringify(SAMPLES.Ticket)),
  aliases: [],
  version: '0.1.0',
});

const inWords = (seconds: number): string => {
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const parts = [hours && `${hours} hours`, minutes && `${minutes} minutes`].filter(Boolean);
  return parts.join(' ') || `${seconds} seconds`;
};

describe('docs/webhooks.md', () => {
  it('lists every header of a delivery', () => {
    const listed = tableOf('header').map(([name]) => name);

    expect(new Set(listed)).toEqual(new Set(Object.keys(exampleHeaders).map((name) => `\`${name}\``)));
    expect(listed).toHaveLength(Object.keys(exampleHeaders).length);
  });

  it('shows the request as it is sent, signature included', () => {
    const [, , ...lines] =
      BLOCKS.find(({ language }) => language === 'http')
        ?.text.trimEnd()
        .split('\n') ?? [];
    const shown = lines.map((line) => line.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value]);

    expect(Object.fromEntries(shown)).toEqual(exampleHeaders);
  });

  it('tells the schedule of the settings', () => {
    let elapsed = 0;
    const rows = settings.WEBHOOK_RETRY_SCHEDULE.map((seconds, index) => {
      elapsed += seconds;
      return [`${index + 1}`, inWords(seconds), inWords(elapsed - (elapsed % MINUTE || 0) || elapsed)];
    });

    expect(tableOf('after attempt')).toEqual(rows);
  });

  it('tells the limits of the settings', () => {
    expect(GUIDE).toContain(`within ${settings.WEBHOOK_TIMEOUT_MS / 1000} seconds`);
    expect(GUIDE).toContain(`it is kept, ${settings.RETENTION_DAYS} days unless`);
  });

  it('explains every word that an attempt without an answer can have', () => {
    expect(tableOf('`error`').map(([word]) => word)).toEqual(FAILURE_CODES.map((code) => `\`${code}\``));
  });
});
