import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { walkValues } from '#test/support/pages.js';
import { sendFile } from '#test/support/upload.js';

const desk = deskForFile();

const later = (): string => {
  desk.clock.advance({ hours: 1 });
  return desk.clock.now().toISOString();
};

const idsOf = (path: string): Promise<string[]> => walkValues(desk.client(), path, 'id');

describe('the filter updated_since', () => {
  it('lists the messages of all tickets in the order of their updates', async () => {
    const [first, second] = [await startTicket(desk), await startTicket(desk)];
    const { messages } = (await desk.client().get(`/v1/tickets/${first.number}/messages`)).body;
    const since = later();
    const posted: string[] = [];
    for (const { number } of [second, first, second])
      posted.push((await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' })).body.message.id);
    later();
    await sendFile(desk.client(), `/v1/messages/${messages[0].id}/attachments`, 'text');

    const path = `/v1/messages?updated_since=${since}&per_page=2`;
    expect(await idsOf(path)).toEqual([...posted, messages[0].id]);
    expect((await idsOf('/v1/messages?per_page=3')).length).toBe(5);
  });

  it('lists customers', async () => {
    const emails = [newEmail(), newEmail(), newEmail()];
    for (const email of emails) await desk.client().post('/v1/customers', { email });
    const since = later();
    const { id } = (await desk.client().patch(`/v1/customers/${emails[1]}`, { about: 'VIP' })).body.customer;
    later();
    const added = (await desk.client().post('/v1/customers', { email: newEmail() })).body.customer;

    const found = await idsOf(`/v1/customers?updated_since=${since}&per_page=1`);
    expect(found).toEqual([id, added.id]);
  });
});
