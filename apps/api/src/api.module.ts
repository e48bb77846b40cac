import { Clock, DatabaseModule } from '#libs/database';
import { DownloadPasses, PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, TelemetryModule } from '#libs/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import { DeskRoutesModule } from './rest/desk-routes.module.js';
import { DocsModule } from './docs/docs.module.js';
import { HealthController } from './health/health.controller.js';
import { HttpModule } from './http/http.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { WebhooksModule } from './rest/webhooks/webhooks.module.js';

/** The table of contents of the API. */
@Module({})
export class ApiModule {
  static with(settings: Settings, logger: Logger, clock = new Clock()): DynamicModule {
    const passes = new DownloadPasses(
      settings.SECRETS_KEY.map(({ key }) => key),
      clock,
    );
    return {
      module: ApiModule,
      imports: [
        SettingsModule.of(settings),
        TelemetryModule.of('api', logger),
        DatabaseModule.connect(settings, 'api', clock),
        PayloadsModule.at(settings.PUBLIC_URL, passes),
        HttpModule,
        OAuthModule,
        SignInModule,
        DeskRoutesModule,
        DocsModule,
        WebhooksModule,
        ConsoleModule,
      ],
      controllers: [HealthController],
    };
  }
}
