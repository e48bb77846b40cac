import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import { walkValues } from '#test/support/pages.js';
import { seedAccount, seedToken } from '#test/support/seed.js';
import { letApplicationIn, registerWebhook } from '#test/support/webhooks.js';

const desk = deskForFile({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600' } });

const newWebhook = async (event = 'ticket_started') =>
  (await desk.webhook(event, `https://receiver.example/${randomUUID()}`)).id;
const search = async (query: string, token?: string) => (await desk.client(token).get(`/v1/deliveries?${query}`)).body;
const idsOf = ({ deliveries }: { deliveries: readonly { id: string }[] }) => deliveries.map(({ id }) => id);
const find = async (query: string, token?: string) => idsOf(await search(query, token));
const eventsOf = (found: readonly { event: string }[]) => found.map(({ event }) => event);
const settle = (id: string, columns: { status?: number; error?: string }) =>
  desk.sql.query('update deliveries set last_status = $2, last_error = $3 where id = $1', [
    id,
    columns.status ?? null,
    columns.error ?? null,
  ]);

describe('the deliveries of all webhooks', () => {
  it('are merged newest first and paged both ways, while new ones are added', async () => {
    const kind = 'ticket_moved';
    const webhooks = [await newWebhook(kind), await newWebhook(kind), await newWebhook(kind)];
    const made: string[] = [];
    for (const count of [7, 1, 12])
      for (const webhook of webhooks.slice(0, 2))
        made.push(...(await insertPastDeliveries(desk, webhook, Array<'delivered'>(count).fill('delivered'))));
    const newestFirst = made.toSorted().toReversed();
    const path = `/v1/deliveries?event=${kind}&per_page=6`;

    const first = await search(`event=${kind}&per_page=6`);
    await insertPastDeliveries(desk, webhooks[2]!, ['pending']);
    const rest = await walkValues(desk.client(), first.meta.pagination.next_page, 'id');

    expect([...idsOf(first), ...rest]).toEqual(newestFirst);
    expect(first.meta.pagination).toMatchObject({ current_page: 1, total_count: 40, total_pages: 7 });
    const pageOf = async (href: string) => (await desk.client().get(href.slice(desk.settings.PUBLIC_URL.length))).body;
    const second = await pageOf(first.meta.pagination.next_page);
    expect(idsOf(await pageOf(second.meta.pagination.prev_page))).toEqual(idsOf(first));
    const { body } = await desk.client().get(`${path}&page=3&state=delivered`);
    expect(idsOf(body)).toEqual(newestFirst.slice(12, 18));
    expect(await find(`event=${kind}&webhook=${webhooks[0]}`)).toHaveLength(20);
    expect(await find(`event=ticket_closed&webhook=${webhooks[0]}`)).toEqual([]);
  });

  it('can be filtered by code, class and standing across webhooks', async () => {
    const kind = 'ticket_deleted';
    const [paused, active] = [await newWebhook(kind), await newWebhook(kind)];
    const [missing, held] = await insertPastDeliveries(desk, paused, ['exhausted', 'pending']);
    const [broken, silent, fine] = await insertPastDeliveries(desk, active, ['exhausted', 'pending', 'delivered']);
    await settle(missing!, { status: 404 });
    await settle(broken!, { status: 503 });
    await settle(silent!, { error: 'timeout' });
    await settle(fine!, { status: 204 });
    await desk.client().patch(`/v1/webhooks/${paused}`, { state: 'paused' });
    const of = async (query: string) => new Set(await find(`event=${kind}&${query}`));

    expect(await of('last_status=404')).toEqual(new Set([missing]));
    expect(await of('last_status=5xx')).toEqual(new Set([broken]));
    expect(await of('last_status=4xx,503')).toEqual(new Set([missing, broken]));
    expect(await of('last_status=none')).toEqual(new Set([held, silent]));
    expect(await of('last_status=')).toHaveLength(5);
    expect(await of('standing=held')).toEqual(new Set([held]));
    expect(await of('standing=retrying')).toEqual(new Set([silent]));
    expect(await of('state=pending')).toEqual(new Set([held, silent]));
    expect(await of('state=exhausted&last_status=5xx')).toEqual(new Set([broken]));
    expect(idsOf((await desk.client().get(`/v1/webhooks/${active}/deliveries?last_status=5xx`)).body)).toEqual([
      broken,
    ]);
  });

  it('can be filtered by time', async () => {
    const webhooks = [await newWebhook('agent_invited'), await newWebhook('agent_invited')];
    const [old] = await insertPastDeliveries(desk, webhooks[0]!, ['delivered', 'delivered', 'delivered']);
    await insertPastDeliveries(desk, webhooks[1]!, ['delivered']);
    const at = (await desk.client().get(`/v1/deliveries/${old}`)).body.delivery.created_at;

    expect(await find(`event=agent_invited&since=${at}`)).toHaveLength(4);
    expect(await find(`event=agent_invited&before=${at}`)).toEqual([]);
  });

  it('of a ticket are those of all its events', async () => {
    const receiver = await desk.receiver({ replies: [204] });
    const kinds = ['ticket_priority_changed', 'ticket_closed', 'note_added'];
    for (const kind of kinds) await desk.webhook(kind, receiver.url);
    const worker = await desk.worker();
    const [one, other] = [await ticketFromAna(desk), await ticketFromAna(desk)];
    for (const number of [one, other]) {
      await desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'high' });
      await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'メモ ملاحظة', note: true });
    }
    await desk.client().put(`/v1/tickets/${one}/state`, { state: 'closed' });
    await receiver.received(5);
    const ofOne = await eventually(async () => {
      const { deliveries } = await search(`ticket=${one}`);
      return deliveries.length >= 3 && deliveries.every((d: { state: string }) => d.state !== 'pending') && deliveries;
    });
    await worker.stop();

    expect(
      eventsOf(ofOne)
        .filter((kind) => kinds.includes(kind))
        .toSorted(),
    ).toEqual(kinds.toSorted());
    expect(eventsOf((await search(`ticket=${one}&event=note_added`)).deliveries)).toEqual(['note_added']);
    expect(await find(`ticket=${one}&state=exhausted`)).toEqual([]);
    expect(await find('ticket=99999')).toEqual([]);
    const webhook = ofOne[0].links.webhook.href.split('/').at(-1);
    const { body } = await desk.client().get(`/v1/webhooks/${webhook}/deliveries?ticket=${one}`);
    expect(idsOf(body)).toEqual([ofOne[0].id]);
    const stranger = await seedAccount(desk.sql);
    expect(await find(`ticket=${one}`, stranger.owner.token)).toEqual([]);
  });

  it('are those of webhooks that the caller may see', async () => {
    const webhook = await newWebhook('customer_added');
    const made = await insertPastDeliveries(desk, webhook, ['delivered', 'exhausted']);
    const stranger = await seedAccount(desk.sql);
    const application = await letApplicationIn(desk, '日本語 عربي');
    const { id: own } = await registerWebhook(application, 'customer_added');
    const ofApplication = await insertPastDeliveries(desk, own, ['delivered']);
    const accountId = desk.account.id;
    const narrow = (scopes: string[]) =>
      seedToken(desk.sql, { accountId, agentId: desk.account.owner.id, scopes: scopes as never });

    for (const query of ['', `webhook=${webhook}`, `webhook=${webhook}&state=delivered`])
      expect(await find(query, stranger.owner.token)).toEqual([]);
    expect(idsOf((await application.get('/v1/deliveries')).body)).toEqual(ofApplication);
    expect(idsOf((await application.get(`/v1/deliveries?webhook=${webhook}`)).body)).toEqual([]);
    expect(new Set(await find('event=customer_added'))).toEqual(new Set([...made, ...ofApplication]));
    expect(await find('event=customer_added', await narrow(['webhooks']))).toEqual(made.toReversed());
    const { status, body } = await desk.client(await narrow(['read', 'write'])).get('/v1/deliveries');
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    expect((await desk.anonymous().get('/v1/deliveries')).status).toBe(401);
  });

  it.each([
    ['webhook=ticket_started', 'webhook', 'not_an_id'],
    ['webhook=٣', 'webhook', 'not_an_id'],
    ['ticket=0', 'ticket', 'too_small'],
    ['ticket=2147483648', 'ticket', 'too_large'],
    ['ticket=七', 'ticket', 'not_an_integer'],
    ['event=ticket_lost', 'event', 'unknown_event_kind'],
    ['state=lost', 'state', 'not_a_choice'],
    ['standing=held,lost', 'standing', 'not_a_choice'],
    ['last_status=600', 'last_status', 'not_a_status'],
    ['last_status=٤٠٤', 'last_status', 'not_a_status'],
    ['last_status=404,6xx', 'last_status', 'not_a_status'],
    ['since=yesterday', 'since', 'not_a_time'],
    ['page=100000', 'page', 'page_too_far'],
    ['cursor=nonsense', 'cursor', 'invalid_cursor'],
  ])('answer 422 to %s', async (query, field, code) => {
    const { errors } = await search(query);

    expect(errors).toEqual([{ field, code, message: expect.stringContaining(field) }]);
  });
});
