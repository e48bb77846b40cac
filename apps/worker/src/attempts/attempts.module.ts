import { Module } from '@nestjs/common';
import { FairnessModule } from '../fairness/fairness.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { SenderModule } from '../sender/sender.module.js';
import { UpkeepModule } from '../upkeep/upkeep.module.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptPolicy } from './attempt-policy.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptRunner } from './attempt-runner.js';
import { AttemptTelemetry } from './attempt-telemetry.js';
import { AttemptsService } from './attempts.service.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { KeyCache } from './key-cache.js';
import { SecretCache } from './secret-cache.js';

@Module({
  imports: [FairnessModule, QueueModule, SenderModule, UpkeepModule],
  providers: [
    DeliveryProcessor,
    AttemptRunner,
    AttemptsService,
    AttemptLoader,
    SecretCache,
    KeyCache,
    AttemptPolicy,
    AttemptRecorder,
    AttemptTelemetry,
  ],
  exports: [DeliveryProcessor, AttemptPolicy],
})
export class AttemptsModule {}
