// @module-tag long
import { expect, it } from 'vitest';
import { runDeskCampaign } from './desk/desk-campaign.js';

const SEED = 151_001;

const say = (line: string): unknown => process.stdout.write(`${line}\n`);

it(
  'loses nothing and mails nothing twice or to the wrong person while agents merge, schedule and mention, and processes are killed',
  { timeout: 240_000 },
  async () => {
    const { lost, twice, wrong } = await runDeskCampaign({ seed: SEED, actions: 80, say });

    expect({ lost, twice, wrong }).toEqual({ lost: [], twice: [], wrong: [] });
  },
);
