import { InvalidSettings, readSettings } from '#libs/settings';
import type { INestApplication } from '@nestjs/common';
import { createApi } from './api.js';

try {
  const settings = readSettings();
  const app = await createApi(settings);
  endInTime(app, settings.SHUTDOWN_GRACE_MS);
  await app.listen(settings.PORT, settings.HOST);
} catch (error) {
  // The one place without a logger: its own settings may be what is wrong.
  const { message, stack } = error as Error;
  process.stderr.write(
    `Deskwire’s API cannot start: ${error instanceof InvalidSettings ? message : (stack ?? message)}\n`,
  );
  process.exit(1);
}

/** Takes no more, finishes what is being answered, and exits with 0; what does not end in time is cut off. */
function endInTime(app: INestApplication, graceMs: number): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => setTimeout(() => process.exit(0), graceMs).unref());
  app.enableShutdownHooks(undefined, { useProcessExit: true });
}
