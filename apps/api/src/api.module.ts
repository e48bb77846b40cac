import { AttachmentFolder } from '#libs/desk';
import { Clock, DatabaseModule } from '#libs/database';
import { DownloadTokens, PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, OutageLog, TelemetryModule } from '#libs/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleModule } from './console/console.module.js';
import { DocsModule } from './docs/docs.module.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { HttpModule } from './http/http.module.js';
import { LibraryWiringModule } from './library-wiring.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SmtpModule } from './smtp/smtp.module.js';
import { PLANNING } from './planning.js';
import { RestModule } from './rest/rest.module.js';

/** All modules of the API. */
@Module({})
export class ApiModule {
  static forRoot(settings: Settings, logger: Logger): DynamicModule {
    const keys = settings.SECRETS_KEY.map(({ key }) => key);
    const downloadTokens = { inject: [Clock], useFactory: (clock: Clock) => new DownloadTokens(keys, clock) };
    const outages = new OutageLog(logger);
    return {
      module: ApiModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('api', logger, outages),
        DatabaseModule.forRoot({ app: 'api', planning: PLANNING, outages }),
        PayloadsModule.forRoot(settings.PUBLIC_URL, downloadTokens),
        LibraryWiringModule,
        HttpModule,
        OAuthModule,
        SignInModule,
        DocsModule,
        RestModule,
        ConsoleModule,
        SmtpModule,
      ],
      controllers: [HealthController],
      providers: [AttachmentFolder, Readiness],
    };
  }
}
