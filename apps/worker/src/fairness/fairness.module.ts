import { Module } from '@nestjs/common';
import { DeliverySlots } from './delivery-slots.js';
import { HostLimiters } from './host-limiters.js';
import { LiveWorkers } from './live-workers.js';
import { ReceiverLimiters } from './receiver-limiters.js';
import { SlowReceivers } from './slow-receivers.js';

@Module({
  providers: [DeliverySlots, SlowReceivers, LiveWorkers, HostLimiters, ReceiverLimiters],
  exports: [DeliverySlots, LiveWorkers, HostLimiters, ReceiverLimiters],
})
export class FairnessModule {}
