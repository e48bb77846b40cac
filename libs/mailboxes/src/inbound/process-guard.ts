import { Worker } from 'node:worker_threads';

const INTERVAL_MS = 250;
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };

/**
 * Ends this process when it takes more memory than it may, which V8 watches only for its own heap, or when its parent was killed and
 * cannot end it. A thread does it: the process itself may be in a loop.
 */
export function guardProcess(maxBytes: number): void {
  const program = `
    const { parentPid, maxBytes } = require('node:worker_threads').workerData;
    const check = () => {
      if (process.ppid !== parentPid || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
    };
    setInterval(check, ${INTERVAL_MS});
  `;
  const workerData = { parentPid: process.ppid, maxBytes };
  new Worker(program, { eval: true, workerData, resourceLimits: HEAP }).unref();
}
