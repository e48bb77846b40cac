import { expect, it } from 'vitest';
import { runMailCampaign } from './mail-campaign.js';
import { p99Of } from './mail-report.js';

/** `npm run fuzz -- --mail` sends 2,000. */
const MAILS = 8;
/** The campaign requires 3 seconds on an idle machine. */
const MAX_WAIT_MS = 10_000;

it('delivers mail to one account in time while another gets hostile mail, without a crash of a worker', async () => {
  const { died, waitedMs, outcomes, workerMiB } = await runMailCampaign({ seed: 3, mails: MAILS });

  expect(died).toEqual([]);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(MAILS);
  expect(outcomes['waiting']).toBeUndefined();
  expect(p99Of(waitedMs), 'milliseconds, it was 37,700').toBeLessThanOrEqual(MAX_WAIT_MS);
  expect(workerMiB, 'MiB, it was 1,800 at most').toBeLessThan(600);
}, 300_000);
