import { expect, it } from 'vitest';
import { InFlightDeliveriesService } from './in-flight-deliveries.service.js';

it('lists the deliveries that have been running for some time', () => {
  const inFlight = new InFlightDeliveriesService({} as never, {} as never);

  void inFlight.runOnce({ deliveryId: 'one', attempts: 2 }, () => new Promise(() => undefined));

  expect(inFlight.heldFor(0)).toEqual([{ deliveryId: 'one', attempts: 2 }]);
  expect(inFlight.heldFor(60_000)).toEqual([]);
});

it('starts no delivery twice, and forgets finished deliveries', async () => {
  const inFlight = new InFlightDeliveriesService({} as never, {} as never);
  const delivery = { deliveryId: 'one', attempts: 0 };
  let times = 0;
  const work = async (): Promise<void> => void (times += 1);

  await Promise.all([inFlight.runOnce(delivery, work), inFlight.runOnce(delivery, work)]);
  await inFlight.runOnce(delivery, work);

  expect(times).toBe(2);
  expect(inFlight.count).toBe(0);
});
