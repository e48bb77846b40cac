import { Module } from '@nestjs/common';
import { DeliverySlots } from './delivery-slots.js';
import { ReceiverLimiters } from './receiver-limiters.js';
import { SlowReceivers } from './slow-receivers.js';

@Module({
  providers: [DeliverySlots, SlowReceivers, ReceiverLimiters],
  exports: [DeliverySlots, ReceiverLimiters],
})
export class FairnessModule {}
