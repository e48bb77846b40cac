import { describe, expect, it } from 'vitest';
import { type CampaignResult, runCampaign } from './campaign.js';
import { LIVENESS_BOUNDS } from './liveness.js';
import { failureText } from './report.js';

/** The same each time; `npm run fuzz` runs others, and for longer. */
const SEED = 3;
/** Without this, hardly any request would reach the handlers. */
const MIN_DONE = 0.35;

const failuresOf = ({ seed, failures }: CampaignResult): string[] =>
  failures.map((failure) => failureText(seed, failure));

describe.each([
  [800, []],
  [2500, ['long']],
])('a campaign of %i requests', (requests, tags) => {
  it('is answered in time and as promised, and the product stays alive', { timeout: 300_000, tags }, async () => {
    const result = await runCampaign({ seed: SEED, first: 0, count: requests });
    const { refused, charged } = result.liveness;

    expect(failuresOf(result)).toEqual([]);
    expect(result.tally.doneShare).toBeGreaterThan(MIN_DONE);
    expect(refused).toBe(0);
    expect(charged.p99).toBeLessThan(LIVENESS_BOUNDS.p99);
    expect(charged.worst).toBeLessThan(LIVENESS_BOUNDS.worst);
  });
});
