import { AgentAccessService, DependentWebhooks } from '#libs/access';
import { Clock, DatabaseModule } from '#libs/database';
import { DownloadTokens, PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, OutageLog, TelemetryModule } from '#libs/telemetry';
import { AgentAccess, AttachmentFolderService } from '#libs/tickets';
import { AccessRevocationService } from '#libs/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { FeaturesModule } from './features.module.js';
import { PLANNING } from './planning.js';

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
        FeaturesModule,
      ],
      // access, tickets and webhooks do not import each other.
      global: true,
      providers: [
        AttachmentFolderService,
        { provide: AgentAccess, useClass: AgentAccessService },
        { provide: DependentWebhooks, useClass: AccessRevocationService },
      ],
      exports: [AgentAccess, DependentWebhooks],
    };
  }
}
