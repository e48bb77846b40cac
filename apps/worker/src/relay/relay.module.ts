import { BellListener } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { RelayService } from './relay.service.js';

@Module({
  imports: [QueueModule],
  providers: [
    RelayService,
    {
      provide: BellListener,
      inject: [SETTINGS_TOKEN, RelayService, WorkerTelemetry],
      useFactory: (settings: Settings, relay: RelayService, telemetry: WorkerTelemetry) =>
        new BellListener({
          url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
          onRing: () => relay.wake(),
          onError: (error) => telemetry.interrupted('the relay cannot listen for the bell, so it polls', error),
        }),
    },
  ],
  exports: [RelayService, BellListener],
})
export class RelayModule {}
