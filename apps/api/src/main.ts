import { InvalidSettings, readSettings } from '#libs/settings';
import { enableGracefulShutdown } from '#libs/telemetry';
import { createApi } from './create-api.js';

try {
  const settings = readSettings();
  const app = await createApi(settings);
  enableGracefulShutdown(app, settings.SHUTDOWN_GRACE_MS);
  await app.listen(settings.PORT, settings.HOST);
} catch (error) {
  // There is no logger here, because the settings of the logger may be wrong.
  const { message, stack } = error as Error;
  process.stderr.write(
    `Deskwire’s API cannot start: ${error instanceof InvalidSettings ? message : (stack ?? message)}\n`,
  );
  process.exit(1);
}
