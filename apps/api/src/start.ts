import { DatabaseUnusable } from '#libs/database';
import { InvalidSettings, misspeltSettings, readSettings } from '#libs/settings';
import { LOGGER, type Logger, enableGracefulShutdown } from '#libs/telemetry';
import { createApi } from './create-api.js';
import { ApiReadinessService } from './health/api-readiness.service.js';
import { warmUp } from './health/warm-up.js';
import { endConnectionsAfterAnswers } from './edge/draining.js';

/**
 * Connections that wait to be accepted; the system may allow fewer. Node's own 511 overflow when many clients connect at
 * once, and whoever is dropped tries again only after one second, then two, then four.
 */
const BACKLOG = 4096;

/** The program of an API. */
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
    const readiness = app.get(ApiReadinessService);
    readiness.warming = true;
    void warmUp(app).finally(() => (readiness.warming = false));
    await app.listen({ port: settings.PORT, host: settings.HOST, backlog: BACKLOG });
  } catch (error) {
    // There is no logger here, because the settings of the logger may be wrong.
    const { message, stack } = error as Error;
    const isForOperators = error instanceof InvalidSettings || error instanceof DatabaseUnusable;
    process.stderr.write(`Deskwire’s API cannot start: ${isForOperators ? message : (stack ?? message)}\n`);
    process.exit(1);
  }
}
