import { MAX_ATTACHMENTS } from '#libs/entities';
import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { seedAccount } from '#test/support/seed.js';
import { sendFile } from '#test/support/upload.js';

const WEBHOOKS = 20;

/** Two processes, so that no limit holds only because of the order within one process. */

const settings = { WEBHOOKS_PER_ACCOUNT: `${WEBHOOKS}` };
const desk = await startDesk({ settings });
const bases = [desk.base, (await desk.apiProcess(settings)).base];
afterAll(() => desk.stop());

/** Sends `count` requests at once, alternating between the processes. */
const race = (count: number, token: string, ask: (client: ApiClient, place: number) => Promise<ApiResponse>) =>
  Promise.all(Array.from({ length: count }, (_, place) => ask(new ApiClient(bases[place % 2]!, token), place)));

const numbered = (place: number) => ({ event: 'note_added', url: `https://receiver.example/${place}` });

const counted = (answers: readonly ApiResponse[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('the API with many simultaneous requests', () => {
  it('limits the webhooks of an account', async () => {
    const { owner } = await seedAccount(desk.sql);

    const answers = await race(60, owner.token, (client, place) => client.post('/v1/webhooks', numbered(place)));

    expect(counted(answers)).toEqual({ 201: WEBHOOKS, 409: 60 - WEBHOOKS });
    const { body } = await desk.client(owner.token).get('/v1/webhooks');
    expect(body.meta.pagination.total_count).toBe(WEBHOOKS);
  });

  it('limits the webhooks for one kind of event and one URL', async () => {
    const { owner } = await seedAccount(desk.sql);
    const wanted = { event: 'note_added', url: 'https://receiver.example/' };

    const answers = await race(30, owner.token, (client) => client.post('/v1/webhooks', wanted));

    expect(counted(answers)).toEqual({ 201: 1, 422: 29 });
  });

  it('limits the files of a message', async () => {
    const path = `/v1/messages/${await NEW_RECORDS.message(desk)}`;

    const answers = await race(40, desk.account.owner.token, (client) =>
      sendFile(client, `${path}/attachments`, 'hello'),
    );

    expect(counted(answers)).toEqual({ 201: MAX_ATTACHMENTS, 422: 40 - MAX_ATTACHMENTS });
    const { body } = await desk.client().get(path);
    expect(body.message.attachments).toHaveLength(MAX_ATTACHMENTS);
  });
});
