import { AccessModule, AgentAccessService, DependentWebhooks } from '#libs/access';
import { DatabaseModule } from '#libs/database';
import { PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { TelemetryModule, createLogger } from '#libs/telemetry';
import { AgentAccess, TicketsModule } from '#libs/tickets';
import { AccessRevocationService, WebhooksModule } from '#libs/webhooks';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { DemoClock } from './demo-context.js';

/** The domain without doors: a demonstration goes through the same services as the API. */
@Global()
@Module({})
export class DemoModule {
  static forRoot(settings: Settings, clock: DemoClock): DynamicModule {
    return {
      module: DemoModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('demo', createLogger('demo', 'warn')),
        DatabaseModule.forRoot({ app: 'demo', clock }),
        PayloadsModule.forRoot(settings.PUBLIC_URL),
        AccessModule,
        TicketsModule,
        WebhooksModule,
      ],
      providers: [
        { provide: AgentAccess, useClass: AgentAccessService },
        { provide: DependentWebhooks, useClass: AccessRevocationService },
      ],
      exports: [AgentAccess, DependentWebhooks],
    };
  }
}
