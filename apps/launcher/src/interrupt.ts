import { printProgress } from './terminal.js';

// One Ctrl-C can arrive twice: from the terminal, and passed on by npm.
const SAME_PRESS_MS = 500;
const PRESSES_TO_LEAVE = 3;

/** The first Ctrl-C stops everything in order. The third exits at once, and the watchdog cleans up. */
export class Interrupt {
  readonly requested: Promise<void>;

  constructor() {
    let presses = 0;
    let lastAt = 0;
    this.requested = new Promise((resolve) => {
      const press = (signal: NodeJS.Signals) => {
        const now = Date.now();
        if (now - lastAt < SAME_PRESS_MS) return;
        lastAt = now;
        presses += 1;
        if (presses === 1) printProgress(`${signal === 'SIGINT' ? 'Ctrl-C' : signal}: stopping …`);
        if (presses >= PRESSES_TO_LEAVE) process.exit(130);
        resolve();
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, press);
    });
  }
}
