import { AccessModule } from '#libs/access';
import { type Clock, DatabaseModule } from '#libs/database';
import { DeskModule } from '#libs/desk';
import { PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { TelemetryModule, createLogger } from '#libs/telemetry';
import { WebhooksModule } from '#libs/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';

/** The domain without doors: a demonstration goes through the same services as the API. */
@Module({})
export class DemoModule {
  static forRoot(settings: Settings, clock: Clock): DynamicModule {
    return {
      module: DemoModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('demo', createLogger('demo', 'warn')),
        DatabaseModule.forRoot(settings, 'demo', clock),
        PayloadsModule.forRoot(settings.PUBLIC_URL),
        AccessModule,
        DeskModule,
        WebhooksModule,
      ],
    };
  }
}
