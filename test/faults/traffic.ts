import { Transactions, uuidAt } from '#libs/database';
import { Customer } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { Desk } from '#test/support/desk.js';
import type { Receiver } from '#test/support/receiver.js';

/** Commits `count` events as the product does, `perCommit` in each transaction. */
export async function recordEvents(desk: Desk, count: number, perCommit = 20): Promise<void> {
  const events = desk.api.get(EventsService, { strict: false });
  const transactions = desk.api.get(Transactions, { strict: false });
  const { id: accountId, owner } = desk.account;
  const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId: null } as const;
  for (let done = 0; done < count; done += perCommit)
    await transactions.run({ accountId }, async (tx) => {
      for (let one = 0; one < Math.min(perCommit, count - done); one++)
        await events.record(tx, context, ['customer_added', sampleCustomer(accountId, desk.clock.now())]);
    });
}

/** How many different events arrived, and how many further requests there were. */
export function arrivals(receivers: readonly Receiver[]): { events: number; duplicates: number } {
  const seen = receivers.flatMap(({ requests }, index) =>
    requests.map(({ headers }) => `${index} ${String(headers['webhook-id'])}`),
  );
  const events = new Set(seen).size;
  return { events, duplicates: seen.length - events };
}

export function sampleCustomer(accountId: string, now: Date): Customer {
  return Object.assign(new Customer(), {
    id: uuidAt(now),
    accountId,
    email: 'someone@example.com',
    firstName: 'Some',
    lastName: 'One',
    custom: {},
    createdAt: now,
    updatedAt: now,
  });
}
