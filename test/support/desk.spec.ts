import { expect, it } from 'vitest';
import { startDesk } from './desk.js';

it('a desk that stops also stops the processes that were started for it', async () => {
  const desk = await startDesk();
  const api = await desk.apiProcess();
  await desk.stop();

  expect(await api.exited).toBe(0);
});
