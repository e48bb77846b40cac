import { DatabaseUnusable } from '#libs/database';
import { InvalidSettings, misspeltSettings, readSettings } from '#libs/settings';
import { LOGGER, type Logger, enableGracefulShutdown } from '#libs/telemetry';
import { createApi } from './create-api.js';
import { ApiClockService } from './health/api-clock.service.js';
import { ApiReadinessService } from './health/api-readiness.service.js';
import { warmUp } from './health/warm-up.js';
import { endConnectionsAfterAnswers } from './layers/edge/draining.js';

/** Node’s 511 overflows when many clients connect at once. Dropped ones retry after 1, 2 and 4 seconds. */
const BACKLOG = 4096;

export async function start(): Promise<void> {
  try {
    const settings = readSettings();
    const app = await createApi(settings);
    for (const warning of misspeltSettings()) app.get<Logger>(LOGGER).warn(warning);
    enableGracefulShutdown(app, {
      drainMs: settings.DRAIN_MS,
      graceMs: settings.SHUTDOWN_GRACE_MS,
      onDrain: () => {
        app.get(ApiReadinessService).stopping = true;
        endConnectionsAfterAnswers(app.getHttpServer());
      },
    });
    app.get(ApiClockService).start();
    const readiness = app.get(ApiReadinessService);
    readiness.warming = true;
    void warmUp(app).finally(() => (readiness.warming = false));
    await app.listen({ port: settings.PORT, host: settings.HOST, backlog: BACKLOG });
  } catch (error) {
    // The settings of the logger may be wrong.
    const { message, stack } = error as Error;
    const isForOperators = error instanceof InvalidSettings || error instanceof DatabaseUnusable;
    process.stderr.write(`Deskwire’s API cannot start: ${isForOperators ? message : (stack ?? message)}\n`);
    process.exit(1);
  }
}
