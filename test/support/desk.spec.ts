import { expect, it } from 'vitest';
import { startDesk } from './desk.js';

it('stops the processes that were started for a desk together with it', async () => {
  const desk = await startDesk();
  const api = await desk.apiProcess();
  await desk.stop();

  expect(await api.exited).toBe(0);
});
