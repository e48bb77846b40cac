import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const desk = deskForFile();
beforeAll(() => desk.worker());

interface Copy {
  readonly sequence: number;
  readonly record: Record<string, unknown>;
}

/** A receiver as naive as the order rule allows: it ignores the test header. */
function copyOf(requests: readonly { headers: Record<string, unknown>; json: Record<string, unknown> }[]) {
  const copy = new Map<string, Copy>();
  for (const { headers, json: record } of requests) {
    const sequence = Number(headers['webhook-sequence']);
    if (sequence > (copy.get(record['href'] as string)?.sequence ?? 0))
      copy.set(record['href'] as string, { sequence, record });
  }
  return copy;
}

describe('test events', () => {
  it('change nothing in a mirror of 60 tickets, even if it ignores the test header', async () => {
    const receiver = await desk.receiver();
    const hooks = [
      await desk.webhook('ticket_started', receiver.url),
      await desk.webhook('ticket_closed', receiver.url),
    ];
    const numbers = await Promise.all(
      Array.from({ length: 60 }, async (_, place) => {
        const { number } = await startTicket(desk);
        for (const { id } of hooks) await desk.client().post(`/v1/webhooks/${id}/test`);
        if (place % 3 === 0) await desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
        return number as number;
      }),
    );
    await eventually(() => receiver.requests.length === 60 + 20 + 120);

    const copy = copyOf(receiver.requests);
    expect(copy.size).toBe(60);
    for (const number of numbers) {
      const { ticket } = (await desk.client().get(`/v1/tickets/${number}`)).body;
      expect(copy.get(ticket.href)?.record).toEqual(ticket);
    }
  });

  it.each(['ticket_closed', 'agent_replied', 'customer_added', 'agent_invited'])(
    'of %s lead to no record',
    async (kind) => {
      const receiver = await desk.receiver();
      const { id } = await desk.webhook(kind, `${receiver.url}${randomUUID()}`);
      await desk.client().post(`/v1/webhooks/${id}/test`);
      const [request] = await receiver.received(1);

      const links = JSON.stringify(request!.json).match(/(?<="href":"https?:\/\/[^/"]+)\/v1[^"]*/g)!;
      for (const path of links.filter((one) => !one.includes('?'))) {
        expect([path, (await desk.client().get(path)).status]).toEqual([path, 404]);
      }
      expect(request!.headers['webhook-sequence']).toBe('0');
    },
  );
});
