import { expect, it } from 'vitest';
import { LeasesService } from './leases.service.js';

it('lists the deliveries that have been running for some time', () => {
  const leases = new LeasesService({} as never, {} as never, {} as never);

  void leases.runOnce({ deliveryId: 'one', attempts: 2 }, () => new Promise(() => undefined));

  expect(leases.inFlightFor(0)).toEqual([{ deliveryId: 'one', attempts: 2 }]);
  expect(leases.inFlightFor(60_000)).toEqual([]);
});

it('starts no delivery twice, and forgets finished deliveries', async () => {
  const leases = new LeasesService({} as never, {} as never, {} as never);
  const delivery = { deliveryId: 'one', attempts: 0 };
  let times = 0;
  const work = async (): Promise<void> => void (times += 1);

  await Promise.all([leases.runOnce(delivery, work), leases.runOnce(delivery, work)]);
  await leases.runOnce(delivery, work);

  expect(times).toBe(2);
  expect(leases.inFlightFor(0)).toEqual([]);
});
