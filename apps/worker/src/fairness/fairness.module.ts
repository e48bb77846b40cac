import { Module } from '@nestjs/common';
import { WorkerTelemetryModule } from '../telemetry/worker-telemetry.module.js';
import { DeliverySlots } from './delivery-slots.js';
import { ReceiverLimiters } from './receiver-limiters.js';
import { SlowReceivers } from './slow-receivers.js';

@Module({
  imports: [WorkerTelemetryModule],
  providers: [DeliverySlots, SlowReceivers, ReceiverLimiters],
  exports: [DeliverySlots, ReceiverLimiters],
})
export class FairnessModule {}
