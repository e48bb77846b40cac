import { expect, it } from 'vitest';
import { LeasesService } from './leases.service.js';

it('lists the deliveries that have been running for some time', () => {
  const leases = new LeasesService({} as never, {} as never, {} as never);

  void leases.keep({ deliveryId: 'one', attempts: 2 }, () => new Promise(() => undefined));

  expect(leases.inFlightFor(0)).toEqual([{ deliveryId: 'one', attempts: 2 }]);
  expect(leases.inFlightFor(60_000)).toEqual([]);
});

it('forgets finished deliveries', async () => {
  const leases = new LeasesService({} as never, {} as never, {} as never);
  await leases.keep({ deliveryId: 'one', attempts: 0 }, () => Promise.resolve());

  expect(leases.inFlightFor(0)).toEqual([]);
});
