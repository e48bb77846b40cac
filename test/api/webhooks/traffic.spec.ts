import { TrafficService } from '#libs/webhooks';
import { expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile();

interface Owed {
  readonly count: number;
  readonly attempts: number;
  /** The age of the oldest delivery, and when it is due. */
  readonly minutes: number;
  readonly dueIn: number;
}

async function owe(webhookId: string, { count, attempts, minutes, dueIn }: Owed): Promise<void> {
  await desk.sql.query(
    `with made as (
       insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, created_at)
       select new_uuid_at(at), $1, $2, new_uuid_at(at), 'ticket_started', 'pending', $4, at
       from generate_series(1, $3::int) n, lateral (select now() - make_interval(mins => $5) + n * interval '1 ms' as at) x
       returning *)
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     select id, account_id, webhook_id, event_id, attempts, false, created_at + make_interval(mins => $6) from made`,
    [desk.account.id, webhookId, count, attempts, minutes, minutes + dueIn],
  );
}

it('counts retrying and waiting deliveries separately, up to a limit', async () => {
  const { id } = await desk.webhook('ticket_started', 'https://receiver.example/');
  await owe(id, { count: 1_500, attempts: 2, minutes: 30, dueIn: 60 });
  await owe(id, { count: 40, attempts: 0, minutes: 90, dueIn: -80 });
  const traffic = desk.api.get(TrafficService, { strict: false });

  const [ofWebhook] = (await traffic.ofWebhooks(desk.account.id, [id], 24)).values();
  const ofAccount = await traffic.ofAccount(desk.account.id, 24);

  for (const { retrying, waiting } of [ofWebhook!, ofAccount])
    expect({ retrying, waiting }).toEqual({
      retrying: { count: 1_000, hasMore: true },
      waiting: { count: 40, hasMore: true },
    });
  expect((desk.clock.now().getTime() - ofAccount.oldestOwedAt!.getTime()) / 60_000).toBeCloseTo(90, 0);
});

it('counts few owed deliveries exactly', async () => {
  const { id } = await desk.webhook('ticket_closed', 'https://receiver.example/');
  await owe(id, { count: 3, attempts: 1, minutes: 1, dueIn: 60 });
  await owe(id, { count: 2, attempts: 0, minutes: 1, dueIn: 0 });

  const [found] = (
    await desk.api.get(TrafficService, { strict: false }).ofWebhooks(desk.account.id, [id], 24)
  ).values();

  expect(found).toMatchObject({ retrying: { count: 3, hasMore: false }, waiting: { count: 2, hasMore: false } });
});
