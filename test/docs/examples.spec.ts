import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ExampleRecorder } from './examples/recorder.js';
import { recordChanges } from './examples/changes.js';
import { recordPeople } from './examples/people.js';
import { recordArrivals, recordTickets } from './examples/tickets.js';
import { recordWebhooks } from './examples/webhooks.js';
import { formatted } from './formatted.js';

const FILE = resolve('apps/api/src/reference/examples.json');

describe('the examples of the API reference (npm run docs)', () => {
  const desk = deskForFile({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  let recorder: ExampleRecorder;

  beforeAll(async () => {
    recorder = new ExampleRecorder(desk);
    await recordChanges(recorder, desk);
    await recordPeople(recorder);
    await recordTickets(recorder, desk);
    await recordArrivals(recorder, desk);
    await recordWebhooks(recorder, desk);
  }, 180_000);

  it('cover every operation of /v1', () => {
    expect(recorder.missing()).toEqual([]);
  });

  it('match the answers of the API', async () => {
    const text = JSON.stringify(recorder.examples(), null, 2);
    await expect(await formatted(FILE, text)).toMatchFileSnapshot(FILE);
  });
});
